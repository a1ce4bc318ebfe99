import ArgumentParser
import Foundation
import Orchestration
import Reports

/// `anechoic launch`: becomes somebody else's program, which then dies with the orchestrator.
struct LaunchCommand: ParsableCommand {
    static let name = "launch"
    static let configuration = CommandConfiguration(
        commandName: name, abstract: "Become another program that dies with its parent.",
        shouldDisplay: false)

    @Argument(help: "The process that must still be the parent.")
    var parent: Int32

    @Argument(help: "The most bytes of address space; 0 for no limit.")
    var memory: UInt64

    @Argument(help: "The descriptor to which progress is reported.")
    var report: Int32

    @Argument(parsing: .captureForPassthrough, help: "The program and its arguments.")
    var command: [String]

    func run() throws {
        do {
            try ForeignProgram.become(command, parent: parent, memory: memory, report: report)
        } catch {
            printError("anechoic: \(error)")
            throw ExitCode(127)
        }
    }
}
