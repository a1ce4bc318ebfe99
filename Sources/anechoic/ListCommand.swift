import ArgumentParser
import Campaigns
import Orchestration
import Reports
import Scenarios

/// `anechoic list`.
struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List topologies: name, devices, what each is about.")

    @Argument(help: "Topology files, or folders of them.", completion: .file(extensions: ["yaml"]))
    var paths: [String]

    func run() throws {
        var rows: [[String]] = []
        for entry in try TaskList(paths: paths).entries {
            let topology = try entry.topology()
            rows.append([topology.name, TopologySummary(topology).devices, topology.about])
        }
        try show(TextTable(header: ["topology", "devices", "about"], rows: rows).text + "\n")
    }
}
