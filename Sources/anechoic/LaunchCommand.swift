import ArgumentParser
import DeviceKit
import Foundation

/// `anechoic launch`: becomes somebody else's program, which then dies with the orchestrator.
///
/// Only a process itself can ask for that, and the wish survives `exec`.
struct LaunchCommand: ParsableCommand {
    static let name = "launch"
    static let configuration = CommandConfiguration(
        commandName: name, abstract: "Become another program that dies with its parent.",
        shouldDisplay: false)

    @Argument(help: "The process that must still be the parent.")
    var parent: Int32

    @Argument(parsing: .captureForPassthrough, help: "The program and its arguments.")
    var command: [String]

    func run() throws {
        // Between our start and the wish the parent may have died; nobody would tell us any more.
        dieWithParent()
        guard getppid() == parent else {
            printError("anechoic: launch is for a run of anechoic, which is gone")
            throw ExitCode(EXIT_FAILURE)
        }
        guard let program = command.first else {
            throw ValidationError("a program is missing")
        }
        let arguments = command.map { strdup($0) } + [nil]
        execvp(program, arguments)
        printError("anechoic: cannot run \(program): \(String(cString: strerror(errno)))")
        throw ExitCode(127)
    }
}
