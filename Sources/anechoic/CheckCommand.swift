import ArgumentParser
import Campaigns
import Orchestration
import Reports
import Scenarios

/// `anechoic check`.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check topology files without running them.")

    @Argument(help: "Topology files, or folders of them.", completion: .file(extensions: ["yaml"]))
    var paths: [String]

    func run() throws {
        var status = ExitStatus.held
        for entry in try TaskList(paths: paths).entries {
            do { _ = try entry.topology() } catch {
                printError("\(error)")
                status = .wrongFile
            }
        }
        try finish(status)
    }
}
