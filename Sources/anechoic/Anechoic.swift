import ArgumentParser
import Orchestration
import Reports
import Topologies

/// The command.
@main
struct Anechoic: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "anechoic",
        abstract: "An anechoic chamber in software for Nearby Interaction.",
        discussion: """
            Spawns simulated Apple devices and accessories as processes, connects them by virtual \
            socket links, plays a scripted topology, and says which promise of the session life \
            cycle was broken, where, why, and how to repeat it.

            Exit status: 0 all promises held, 1 a violation, 2 inconclusive, 3 a device crashed, \
            hung or broke the contract, 64 wrong use, 65 a wrong file, 70 an error of the harness, \
            130 interrupted.
            """,
        version: Tool.version,
        subcommands: [
            RunCommand.self, ReplayCommand.self, CheckCommand.self, ListCommand.self,
            WorkerCommand.self, LaunchCommand.self, BenchCommand.self,
        ])

    static func main() {
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch {
            guard let status = ExitStatus(of: error) else { exit(withError: error) }
            printError("\(error)")
            exit(withError: ExitCode(status.rawValue))
        }
    }
}

extension ExitStatus {
    /// The status for what was thrown; nil where the argument parser knows better: help, wrong use, or
    /// a status that was thrown as such.
    fileprivate init?(of error: any Error) {
        switch error {
        case is TopologyError, is Replay.ReadError: self = .wrongFile
        case is WrongDefect: self = .wrongUse
        case is CleanExit, is ValidationError, is ExitCode: return nil
        default:
            // Errors of the parser itself are not public; they are all about use.
            guard Anechoic.exitCode(for: error) != .validationFailure else { return nil }
            guard Anechoic.exitCode(for: error) != .success else { return nil }
            self = .harnessError
        }
    }
}

/// What this program is called in files it writes.
enum Tool {
    static let version = "0.1.0"
    static let name = "anechoic \(version)"
}
