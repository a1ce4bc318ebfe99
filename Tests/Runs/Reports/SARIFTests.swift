import Foundation
import Promises
import TestSupport
import Testing

@testable import Reports

/// SARIF, as code hosts read it.
struct SARIFTests {
    /// `conform`, with the clauses that its cases stand for.
    static func withRules(_ results: TestResults) throws -> TestResults {
        var results = results
        let clauses = ClauseTable.r4
        for suite in results.found.indices {
            for place in results.found[suite].cases.indices {
                let id = results.found[suite].cases[place].name
                let clause = try #require(clauses.first { $0.id == id } ?? clauses.first)
                results.found[suite].cases[place].rules = [Rule(clause)]
            }
        }
        return results
    }

    private func lines(_ results: TestResults) throws -> [String] {
        String(decoding: try SARIF.text(of: results), as: UTF8.self).split(separator: "\n").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
    }

    @Test func aBrokenMustIsAnErrorAndABrokenShouldAWarning() throws {
        let found = try lines(Self.withRules(SampleResults.mixed))
        let results = try #require(
            found.firstIndex { $0.hasPrefix("\"results\"") }.map { found[$0...] })
        #expect(
            results.filter { $0.hasPrefix("\"ruleId\"") || $0.hasPrefix("\"uri\"") } == [
                "\"uri\" : \"Topologies/dropout.yaml\"", "\"ruleId\" : \"R4-2.3-6\",",
                "\"ruleId\" : \"R4-3.6.1-3\",",
            ])
        #expect(found.contains("\"startLine\" : 9"))
        #expect(found.contains("\"replay\" : \"anechoic replay out/dropout/2/replay.json\""))
        #expect(found.filter { $0 == "\"level\" : \"warning\"," }.count == 1)
    }

    @Test func whatBreaksSeveralClausesIsOneResultWithTheOthersBesideIt() throws {
        var results = try Self.withRules(SampleResults.mixed)
        results.found[0].cases[1].rules += results.found[0].cases[2].rules
        let found = try lines(results)
        #expect(found.filter { $0 == "\"ruleId\" : \"R4-2.3-6\"," }.count == 1)
        #expect(found.contains("\"otherRules\" : \"R4-3.6.1-3\","))
    }

    @Test func aDeviceThatCrashedIsSaidOnce() throws {
        var results = SampleResults.results([], .deviceFailed, "FAILED (1 run failed).")
        #expect(try lines(results).contains("\"executionSuccessful\" : false,"))
        #expect(try lines(results).contains("\"text\" : \"FAILED (1 run failed).\""))
        results.status = .violated
        #expect(try lines(results).contains("\"executionSuccessful\" : true,"))
    }

    @Test func aPathIsAReferenceByItsRules() throws {
        var results = try Self.withRules(SampleResults.mixed)
        results.found[0].cases[1].place = SourcePlace("/a b/ö#?%.yaml")
        #expect(
            try lines(results).contains("\"uri\" : \"file:///a%20b/%C3%B6%23%3F%25.yaml\""))
    }

    @Test(.enabled(if: PythonTool.areThere, "Scripts/test installs what reads it"))
    func everyLogFollowsTheSchemaOfTheStandard() throws {
        let place = try Place()
        let all = [
            TestResults(of: "judge"), TestResults(unfinished: "judge"), SampleResults.ended,
            SampleResults.mixed, SampleResults.nasty, try Self.withRules(SampleResults.mixed),
            try Self.withRules(SampleResults.nasty),
        ]
        for (index, results) in all.enumerated() {
            let text = String(decoding: try SARIF.text(of: results), as: UTF8.self)
            let file = try place.write(text, to: "\(index).sarif")
            let outcome = try place.run([PythonTool.path("sarif-kit"), "validate", file])
            #expect(outcome.status == 0, "\(outcome.said)")
        }
        let text = String(decoding: try SARIF.text(of: all[5]), as: UTF8.self)
        let wrong = try place.write(
            text.replacing("\"ruleIndex\" : 0", with: "\"ruleIndex\" : \"none\""), to: "wrong.sarif"
        )
        #expect(try place.run([PythonTool.path("sarif-kit"), "validate", wrong]).status == 1)
    }
}

/// What Scripts/test installs from PyPI.
enum PythonTool {
    static func path(_ name: String) -> String { root + "/.build/venv/bin/" + name }

    static let areThere = ["sarif-kit", "otr-ctrf", "python3"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: path($0))
    }
}
