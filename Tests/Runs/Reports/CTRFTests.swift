import Artifacts
import Foundation
import Reports
import TestSupport
import Testing

/// The Common Test Report Format.
struct CTRFTests {
    private func text(_ results: TestResults) throws -> String {
        let start = Date(timeIntervalSince1970: 1.5)
        return String(
            decoding: try CTRF.text(of: results, from: start, to: start + 2), as: UTF8.self)
    }

    @Test func aReportCountsAndNamesEachCase() throws {
        let text = try text(SampleResults.mixed)
        #expect(
            text.contains(
                """
                    "summary" : {
                      "failed" : 1,
                      "other" : 1,
                      "passed" : 1,
                      "pending" : 0,
                      "skipped" : 1,
                      "start" : 1500,
                      "stop" : 3500,
                      "suites" : 1,
                      "tests" : 4
                    },
                """), "\(text)")
        #expect(
            text.contains(
                """
                        "duration" : 0,
                        "filePath" : "Topologies/dropout.yaml",
                        "line" : 9,
                        "message" : "It sent <stop> & went on.",
                        "name" : "R4-2.3-6",
                        "rawStatus" : "violation",
                        "status" : "failed",
                        "suite" : [
                          "R4",
                          "R4.accessory"
                        ],
                """), "\(text)")
    }

    @Test func theClausesThatOneCauseBreaksStandBelowIt() throws {
        var results = try SARIFTests.withRules(SampleResults.mixed)
        results.found[0].cases[1].rules += results.found[0].cases[2].rules
        let text = try text(results)
        for (id, status) in [("R4-2.3-6", "failed"), ("R4-3.6.1-3", "other")] {
            let step =
                #/"name" : "([^"]*): [^"]*",\s*"status" : "([^"]*)"/#
            #expect(
                text.matches(of: step).contains { $0.1 == id && $0.2 == status }, "\(text)")
        }
    }

    @Test func equalResultsAreEqualBytes() throws {
        #expect(try text(SampleResults.nasty) == text(SampleResults.nasty))
    }

    /// No registry that the tests reach has the format's schema, so a converter reads the report.
    @Test(.enabled(if: PythonTool.areThere, "Scripts/test installs what reads it"))
    func aForeignReaderFindsEachCase() throws {
        let place = try Place()
        let program = """
            import json, sys
            from otr_ctrf_bridge.ctrf import parse_ctrf
            from otr_ctrf_bridge.events import write_events
            import xml.etree.ElementTree as tree
            data = json.load(open(sys.argv[1], encoding="utf-8"))
            models = parse_ctrf(data)
            tree.fromstring(write_events(models).encode())
            for model in models:
                print(model.status, model.suite[0] == data["results"]["tests"][0]["suite"][0])
            """
        for (results, lines) in [
            (
                SampleResults.mixed,
                [
                    "passed True", "failed True", "other True", "skipped True",
                ]
            ),
            (SampleResults.ended, ["failed True"]),
        ] {
            let file = try place.write(text(results), to: "report.json")
            let outcome = try place.run([PythonTool.path("python3"), "-c", program, file])
            #expect(outcome.output.split(separator: "\n").map(String.init) == lines)
            #expect(outcome.errors == "")
        }
    }

    @Test func whatADeviceSaysStaysText() throws {
        let text = try text(SampleResults.nasty)
        let value = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        let tests = (value?["results"] as? [String: Any])?["tests"] as? [[String: Any]]
        #expect(tests?[0]["name"] as? String == SampleResults.hostile)
        #expect(!text.unicodeScalars.contains { ["\u{1B}", "\u{202E}"].contains($0) })
    }
}
