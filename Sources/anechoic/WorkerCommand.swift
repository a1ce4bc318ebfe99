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

    func run() throws {
        guard let data = Data(base64Encoded: settings) else {
            throw ValidationError("settings: expected base64")
        }
        let settings = try JSONDecoder().decode(RunSettings.self, from: data)
        dieWithParent()
        let isInterrupted = try LocalRunner.with(settings) { runner in
            while !runner.isInterrupted, let line = readLine() {
                let task = try JSONDecoder().decode(RunTask.self, from: Data(line.utf8))
                let report = try JSONEncoder().encode(runner.run(task))
                try write(report + Data("\n".utf8), to: STDOUT_FILENO)
            }
            return runner.isInterrupted
        }
        try finish(isInterrupted ? .interrupted : .held)
    }
}
