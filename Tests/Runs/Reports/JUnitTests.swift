import Artifacts
import DeviceLink
import Foundation
import Reports
import RunSupport
import TestSupport
import Testing

/// The report for CI servers.
struct JUnitTests {
    private static let crash = RunReport.failed(
        "basics/pair", seed: 2, "crash of lock: \u{1B}[1m\"a\" < b & c\u{0}\u{202E}")
    private static let broken = RunReport.of(
        "dropout", seed: 2, [.of("quiet", .violated, "It sent <stop> & went on.")],
        status: .violated)

    private static var suites: [TestSuite] {
        var pair = TestSuite(
            "basics/pair",
            [
                TestCase(
                    "run", in: "basics/pair",
                    .error(type: "device failed", message: crash.failure ?? ""), shownBy: [crash])
            ])
        (pair.file, pair.wall) = ("Topologies/basics/pair.yaml", 2_174_000)
        var clauses = TestSuite(
            "R4",
            [
                TestCase("R4-2.3-1", in: "R4.app", .passed),
                TestCase(
                    "R4-2.3-6", in: "R4.accessory",
                    .failure(type: "violation", message: "It sent <stop> & went on."),
                    shownBy: [broken]),
                TestCase("R4-4.3.3-2", in: "R4.accessory", .skipped("never exercised")),
            ])
        (clauses.version, clauses.properties) = ("1.2", [Pair("seeds", "3")])
        return [clauses, pair]
    }

    @Test func aReport() {
        #expect(
            JUnit.text(of: Self.suites) == """
                <?xml version="1.0" encoding="UTF-8"?>
                <testsuites name="anechoic" tests="4" failures="1" errors="1" time="2.174">
                  <testsuite name="R4" tests="3" failures="1" errors="0" skipped="1" time="0" version="1.2">
                    <properties>
                      <property name="seeds" value="3"/>
                    </properties>
                    <testcase name="R4-2.3-1" classname="R4.app" time="0"/>
                    <testcase name="R4-2.3-6" classname="R4.accessory" time="0">
                      <failure type="violation" message="It sent &lt;stop&gt; &amp; went on.">seed: 2
                replay: anechoic replay out/dropout/2/replay.json
                dropout, seed 2: violated
                  promise quiet, kept by the accessory: It keeps quiet.
                    broken at 2.500 s (ben – lock): It sent &lt;stop&gt; &amp; went on.
                    clause: R4 2.3
                      2.500 s  event 7  link.down on lock</failure>
                    </testcase>
                    <testcase name="R4-4.3.3-2" classname="R4.accessory" time="0">
                      <skipped message="never exercised"/>
                    </testcase>
                  </testsuite>
                  <testsuite name="basics/pair" tests="1" failures="0" errors="1" skipped="0" time="2.174" file="Topologies/basics/pair.yaml">
                    <testcase name="run" classname="basics.pair" time="0">
                      <error type="device failed" message="crash of lock: �[1m&quot;a&quot; &lt; b &amp; c�&#x202E;">seed: 2
                replay: anechoic replay out/basics/pair/2/replay.json
                basics/pair, seed 2: device failed
                  crash of lock: �[1m&quot;a&quot; &lt; b &amp; c�&#x202E;</error>
                    </testcase>
                  </testsuite>
                </testsuites>

                """)
    }

    private static func long(_ sentence: String) -> [TestSuite] {
        let runs = (UInt64(1)...30).map { seed in
            RunReport.of(
                "one", seed: seed, [.of("quiet", .violated, sentence)], status: .violated)
        }
        let outcome = TestCase.Outcome.failure(type: "violation", message: sentence)
        return [TestSuite("one", [TestCase("quiet", in: "one", outcome, shownBy: runs)])]
    }

    @Test(arguments: ["word ", "ö", "👩‍👩‍👧", "<\r\n", "\u{8}"])
    func whatIsTooLongIsCutBehindTheCommand(_ part: String) throws {
        let text = JUnit.text(of: Self.long(String(repeating: part, count: 4_000)))
        let body = try #require(
            text.split(separator: "\">seeds: ").last?.split(separator: "</failure>").first)
        #expect(body.utf8.count > 3_900 && body.utf8.count < 4_000)
        #expect(body.contains(" and 10 more\nreplay: anechoic replay out/one/1/replay.json\n"))
        #expect(body.hasSuffix(" … (cut)"))
    }

    @Test(.enabled(if: JUnitSchema.isThere, "Scripts/test fetches the schema and what reads it"))
    func everyReportFollowsTheSchema() throws {
        let nasty = "]]> \u{C} \u{FFFE} \r\n\t é 👩‍👩‍👧 <!-- &amp; '"
        var named = TestSuite(nasty, [TestCase(nasty, in: nasty, .skipped(nasty))])
        (named.file, named.version, named.properties) = (nasty, nasty, [Pair(nasty, nasty)])
        let reports = [
            [], Self.suites, [named], Self.long(String(repeating: nasty, count: 400)),
        ]
        let place = try Place()
        for (index, suites) in reports.enumerated() {
            let file = try place.write(JUnit.text(of: suites), to: "\(index).xml")
            #expect(try JUnitSchema.complaints(about: file, in: place) == "")
        }
        let wrong = try place.write("<testsuites><testsuite/></testsuites>", to: "wrong.xml")
        #expect(try JUnitSchema.complaints(about: wrong, in: place).contains("'name'"))
    }
}

/// The schema of Jenkins' xunit plugin, and Python's `xmlschema`.
private enum JUnitSchema {
    private static let file = root + "/.build/junit-10.xsd"
    private static let python = root + "/.build/venv/bin/python3"

    static let isThere = [file, python].allSatisfy {
        FileManager.default.fileExists(atPath: $0)
    }

    private static let program = """
        import sys, xmlschema
        for error in xmlschema.XMLSchema(sys.argv[1]).iter_errors(sys.argv[2]):
            print(error.path, error.reason)
        """

    /// What is wrong with a report; nothing where all is well.
    static func complaints(about report: String, in place: Place) throws -> String {
        let outcome = try place.run([python, "-c", program, file, report])
        return outcome.status == 0 ? outcome.said : "python ended: \(outcome.said)"
    }
}
