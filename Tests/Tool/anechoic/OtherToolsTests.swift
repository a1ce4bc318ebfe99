import Foundation
import TestSupport
import Testing

/// What each verb that gives a verdict writes for other tools.
@Suite(.processes) struct OtherToolsTests {
    private static let pair = topologies + "/dropout/mid-handshake.yaml"
    private static let sick = ["--defect", "lock=reused-configuration", "--hosting", "inline"]
    private static let failed = "failed/dropout/mid-handshake/42"

    /// A command for each verb that ends with 1.
    private static let broken: [String: [String]] = [
        "run": ["run", pair, "--seeds", "1..2"] + sick,
        "explore": ["explore", pair, "--runs", "16"] + sick,
        "soak": ["soak", pair, "--runs", "32", "--defect", "lock=reused-configuration"],
        "replay": ["replay", failed + "/replay.json"],
        "judge": ["judge", failed],
        "conform": [
            "conform", "--suite", topologies + "/dropout", "--gate", "violations", "--seeds", "1",
            "--no-sweep", "--no-search", "--no-diagnosis", "--hosting", "inline", "--profile",
            "qorvo", "--defect", "reused-configuration",
        ],
        "defects": [
            "defects", "--hosting", "inline", "-k", "leaks-multiple-descriptions",
        ],
    ]

    private func place() throws -> Place {
        let place = try Place()
        _ = try Command(
            ["run", Self.pair, "--seed", "42", "--out", "failed"] + Self.sick, in: place
        ).outcome()
        return place
    }

    private struct CTRF: Decodable {
        struct Results: Decodable {
            let summary: [String: Int]
            let tests: [Test]

            private enum CodingKeys: CodingKey { case summary, tests }

            init(from decoder: any Decoder) throws {
                let keys = try decoder.container(keyedBy: CodingKeys.self)
                tests = try keys.decode([Test].self, forKey: .tests)
                summary = try keys.decode(Summary.self, forKey: .summary).numbers
            }
        }

        struct Summary: Decodable {
            let tests: Int
            let failed: Int
            var numbers: [String: Int] { ["tests": tests, "failed": failed] }
        }

        struct Test: Decodable {
            let name: String
            let status: String
            let message: String?
        }

        let results: Results
    }

    @Test(arguments: broken.keys.sorted().prefix(isWhole ? .max : 3))
    func aVerdictOfNoIsRedInEachFormat(verb: String) throws {
        let place = try place()
        let words = try #require(Self.broken[verb])
        let outcome = try Command(
            words + ["--junit", "j.xml", "--ctrf", "c.json", "--format", "tap"], in: place
        ).outcome()
        #expect(outcome.status == 1, "\(outcome)")
        let xml = place.read("j.xml")
        #expect(xml.contains("<property name=\"conclusion\" value=\""))
        let report = try JSONDecoder().decode(CTRF.self, from: Data(place.read("c.json").utf8))
        // What says why is enough.
        #expect(!report.results.tests.contains { $0.name == "verdict" })
        let failed = report.results.tests.filter { $0.status == "failed" }
        #expect(failed.count >= 1 && report.results.summary["failed"] == failed.count)
        #expect(xml.matches(of: #/<testcase /#).count == report.results.tests.count)
        #expect(xml.matches(of: #/<failure /#).count == failed.count)

        try place.write(outcome.output, to: "it.tap")
        let proven = try place.run(["prove", "--exec", "cat", "it.tap"])
        #expect(proven.output.contains("Failed \(failed.count)/\(report.results.tests.count)"))
        #expect(proven.status == 1 && proven.output.hasSuffix("Result: FAIL\n"), "\(proven.said)")
    }

    @Test func aVerdictOfYesIsGreenInEachFormat() throws {
        let place = try Place()
        let outcome = try Command.run(
            "run", topologies + "/dropout", "--junit", "j.xml", "--format", "tap", in: place)
        #expect(outcome.status == 0, "\(outcome)")
        #expect(place.read("j.xml").contains(" tests=\"4\" failures=\"0\" errors=\"0\" "))
        try place.write(outcome.output, to: "it.tap")
        let proven = try place.run(["prove", "--exec", "cat", "it.tap"])
        #expect(proven.status == 0 && proven.output.hasSuffix("Result: PASS\n"), "\(proven.said)")
    }

    @Test func aTopologyIsOneCaseWhateverItsSeeds() throws {
        let place = try Place()
        func report(_ jobs: String) throws -> String {
            _ = try Command(
                ["run", Self.pair, "--seeds", "1..9", "--jobs", jobs, "--junit", "j.xml"]
                    + Self.sick, in: place
            ).outcome()
            return place.read("j.xml").replacing(#/ time="[0-9.]+"/#, with: "")
        }
        let alone = try report("1")
        #expect(alone.contains(">seeds: 1, 2, 3, 4, 5, 6, 7, 8, 9\nreplay: "), "\(alone)")
        #expect(try report("2") == alone)
    }

    @Test func anErrorIsRedInEachFormatAndWritesOverTheLastReport() throws {
        let place = try Place()
        try place.write("devices:\n  ben: {modle: iPhone 15}\n", to: "wrong.yaml")
        _ = try Command.run("run", Self.pair, "--junit", "j.xml", in: place)
        let outcome = try Command.run(
            "run", "wrong.yaml", "--junit", "j.xml", "--ctrf", "c.json", "--format", "tap",
            in: place)
        #expect(outcome.status == 65)
        #expect(
            place.read("j.xml").contains("<error type=\"not played\" message=\"wrong.yaml:2:9: "))
        #expect(place.read("c.json").contains("\"rawStatus\" : \"not played\""))
        #expect(outcome.output.hasPrefix("TAP version 13\nBail out! wrong.yaml:2:9: error: "))
    }

    @Test(arguments: [["--junit", "j.xml"], ["--junit=j.xml"]])
    func aCallThatIsWrongLeavesNoReportOfTheLastOne(_ option: [String]) throws {
        let place = try Place()
        try place.write("green", to: "j.xml")
        let outcome = try Command(["run", "--jobs", "0", "x"] + option, in: place).outcome()
        #expect(outcome.status == 64)
        #expect(
            place.read("j.xml").contains(
                "<error type=\"not played\" message=\"--jobs 0: expected at least 1\"/>"))
    }

    @Test(arguments: [
        ("--junit", "no/such/it", "No such file or directory; choose another place with --junit"),
        ("--ctrf", "no/such/it", "No such file or directory; choose another place with --ctrf"),
        (
            "--ctrf", "/dev/full",
            "No space left on device; make room there, or choose another place"
        ),
        ("--junit", ".", "Is a directory; choose another place with --junit"),
    ])
    func whatCannotBeWrittenIsOneError(_ option: String, _ path: String, _ words: String) throws {
        let outcome = try Command.run("run", Self.pair, option, path, in: Place())
        #expect(outcome.status == (path == "." ? 64 : 70), "\(outcome)")
        #expect(outcome.errors.hasPrefix("cannot write \(path): \(words)"), "\(outcome.errors)")
        #expect(outcome.errors.split(separator: "\n").count == 1)
    }

    @Test(arguments: ["judge", "conform"])
    func aBrokenClauseIsAFindingOfACodeHost(verb: String) throws {
        let place = try place()
        let words = try #require(Self.broken[verb])
        let outcome = try Command(words + ["--sarif", "it.sarif"], in: place).outcome()
        #expect(outcome.status == 1, "\(outcome)")
        let log = place.read("it.sarif")
        #expect(log.contains("\"ruleId\" : \"R4-3.4.1-1\""), "\(log)")
        #expect(log.contains("\"exitCode\" : 1"))
        #expect(
            log.contains(
                verb == "judge"
                    ? "\"uri\" : \"\(Self.failed)/trace.jsonl\""
                    : "\"uri\" : \"file://\(topologies)/dropout/"), "\(log)")
        let reader = root + "/.build/venv/bin/sarif-kit"
        if FileManager.default.isExecutableFile(atPath: reader) {
            let read = try place.run([reader, "validate", "it.sarif"])
            #expect(read.status == 0, "\(read.said)")
        }
    }

    @Test func aLineOfATraceIsTheOneThatProvesIt() throws {
        let place = try place()
        _ = try Command.run("judge", Self.failed, "--sarif", "it.sarif", in: place)
        let line = try #require(
            place.read("it.sarif").firstMatch(of: /"startLine" : ([0-9]+)/).flatMap { Int($0.1) })
        let lines = place.read(Self.failed + "/trace.jsonl").split(separator: "\n")
        #expect(lines[line - 1].contains("msg.accessoryConfigurationData.sent"))
    }

    @Test func twoDocumentsOnOneStreamAreWrongUse() throws {
        for verb in Self.broken.keys.sorted() {
            let words = try #require(Self.broken[verb])
            let outcome = try Command(words + ["--json", "--format", "tap"], in: Place()).outcome()
            #expect(outcome.status == 64, "\(verb)")
        }
    }
}
