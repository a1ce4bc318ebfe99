import FuzzBytes
import FuzzRuns
import TestSupport
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

    private func run(_ arguments: String...) throws -> ToolOutcome { try run(arguments) }

    private func run(_ arguments: [String]) throws -> ToolOutcome {
        try Place().run([root + "/Scripts/fuzz"] + arguments)
    }
}
