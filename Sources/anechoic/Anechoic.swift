import ArgumentParser

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
            WorkerCommand.self, BenchCommand.self,
        ])
}

/// What this program is called in files it writes.
enum Tool {
    static let version = "0.1.0"
    static let name = "anechoic \(version)"
}
