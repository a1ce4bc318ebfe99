import Foundation

/// The `anechoic` program, called as a user calls it.
struct CalledProgram {
    let executable: String
    /// The folder that is looked into first for a program that a topology names.
    let programs: String

    struct Outcome {
        let status: Int32
        let output: String
        let errors: String
    }

    /// Calls it, and waits for its end.
    func run(_ arguments: [String]) throws(ChamberError) -> Outcome {
        let process = Process()
        process.executableURL = URL(filePath: executable)
        process.arguments = arguments
        var environment = ProcessInfo.processInfo.environment
        environment["PATH"] = ([programs] + (environment["PATH"].map { [$0] } ?? [])).joined(
            separator: ":")
        // The test itself may be a step of a server; what it says there is its own.
        for name in environment.keys where name.hasPrefix("GITHUB_") { environment[name] = nil }
        process.environment = environment
        let (output, errors) = (Pipe(), Pipe())
        process.standardInput = FileHandle.nullDevice
        (process.standardOutput, process.standardError) = (output, errors)
        do { try process.run() } catch {
            throw ChamberError("\(executable) cannot be started: \(error.localizedDescription)")
        }
        // What it says is short: a pipe holds what comes on the other one meanwhile.
        let said = output.fileHandleForReading.readDataToEndOfFile()
        let complained = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let isExit = process.terminationReason == .exit
        return Outcome(
            status: isExit ? process.terminationStatus : 128 + process.terminationStatus,
            output: String(decoding: said, as: UTF8.self),
            errors: String(decoding: complained, as: UTF8.self))
    }

    /// Which two events race, or what it takes to pass; what stands in the way, where it cannot be said.
    func explanation(of replay: String) throws(ChamberError) -> String {
        let outcome = try run([
            "explain", replay, "--trust", "--replays", "200", "--runs", "50", "--color", "never",
        ])
        let text = outcome.output.isEmpty ? outcome.errors : outcome.output
        return text.trimmingCharacters(in: .newlines)
    }
}
