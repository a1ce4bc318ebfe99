import ArgumentParser
import DeviceKit
import Foundation
import Orchestration
import Reports

/// `anechoic worker`: does the runs that another `anechoic` gives it, a task a line.
struct WorkerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "worker", abstract: "Do runs for another anechoic.", shouldDisplay: false)

    @Argument(help: "Settings as base64 of JSON.")
    var settings: String

    func run() throws { try serve(settings) { (runner, task: RunTask) in runner.run(task) } }
}

extension RunSettings {
    /// As a worker is told them.
    var argument: String {
        get throws { try JSONEncoder().encode(self).base64EncodedString() }
    }
}

/// Answers each task that comes on standard input, until there are no more.
func serve<Work: Decodable>(
    _ settings: String, _ answer: (LocalRunner, Work) throws -> some Encodable
) throws {
    guard let data = Data(base64Encoded: settings) else {
        throw ValidationError("settings: expected base64")
    }
    let settings = try JSONDecoder().decode(RunSettings.self, from: data)
    dieWithParent()
    do {
        try LocalRunner.with(settings) { runner in
            while !Interruption.isHere, let line = readLine() {
                let task = try JSONDecoder().decode(Work.self, from: Data(line.utf8))
                let result = try JSONEncoder().encode(answer(runner, task))
                try write(result + Data("\n".utf8), to: STDOUT_FILENO)
            }
        }
    } catch is Interruption {
        // Whoever gave us the work tells the user.
    }
}
