import ArgumentParser
import Reports
import Topologies

struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Write the schema of topology files, by which editors complete and check.")

    func run() throws { try show(TopologySchema.text) }
}
