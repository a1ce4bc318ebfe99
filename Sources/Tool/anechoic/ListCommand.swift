import ArgumentParser
import Artifacts
import Campaigns
import Reports
import Scenarios

struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List topologies: name, devices, what each is about.")

    @OptionGroup var meant: TopologiesArgument

    @OptionGroup var json: JSONOption

    /// What is reported of a topology.
    private struct Listed: Encodable {
        let name: String
        let file: String
        let devices: String
        let about: String
    }

    func run() throws {
        guard json.isOn else {
            let rows = try topologies().map { [$0.name, $0.devices, $0.about] }
            return try show(
                TextTable(header: ["topology", "devices", "about"], rows: rows).text + "\n")
        }
        try json.answer(as: "list") { document in
            for topology in try topologies() { try document.add(topology) }
            return .held
        }
    }

    private func topologies() throws -> [Listed] {
        try meant.list().entries.map { entry in
            let topology = try entry.topology()
            return Listed(
                name: topology.name, file: entry.file, devices: topology.devicesByKind,
                about: topology.about)
        }
    }
}
