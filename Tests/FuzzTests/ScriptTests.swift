import Foundation
import FuzzBytes
import FuzzRuns
import Testing

/// What Scripts/fuzz says without a fuzzer.
@Suite struct ScriptTests {
    @Test func theScriptKnowsTheTargets() throws {
        let names = try run("--list").output.split(separator: "\n").map { line in
            String(line.prefix { $0 != " " })
        }
        #expect(names == FuzzTarget.all.map(\.name))
    }

    @Test(arguments: [
        (["nobody"], "there is no target 'nobody'; there is: device-frames, "),
        (["--for", "3x"], "--for 3x: expected a length as 30s, 10m or 2h."),
        (["--jobs", "0"], "--jobs 0: expected 1 to 99."),
        (["--play", "x"], "--play needs the one target that the input is for."),
        (["--loud"], "unrecognized arguments: --loud."),
    ])
    func wrongArgumentsAreToldBeforeAnythingIsBuilt(
        _ arguments: [String], _ sentence: String
    ) throws {
        let result = try run(arguments)
        #expect(result.status == 64)
        #expect(result.errors.hasPrefix("fuzz: \(sentence)"), "\(result.errors)")
    }

    private func run(_ arguments: String...) throws -> Result { try run(arguments) }

    private func run(_ arguments: [String]) throws -> Result {
        let process = Process()
        process.executableURL = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Scripts/fuzz")
        process.arguments = arguments
        let (output, errors) = (Pipe(), Pipe())
        (process.standardOutput, process.standardError) = (output, errors)
        try process.run()
        let texts = [output, errors].map {
            String(decoding: $0.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        }
        process.waitUntilExit()
        return Result(status: process.terminationStatus, output: texts[0], errors: texts[1])
    }

    private struct Result {
        let status: Int32
        let output: String
        let errors: String
    }
}
