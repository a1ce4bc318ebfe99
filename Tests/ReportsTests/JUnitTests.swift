import Foundation
import Invariants
import Monitors
import Reports
import RunSupport
import TestSupport
import Testing

/// The report for CI servers.
struct JUnitTests {
    private static let runs: [RunReport] = [
        .failed("basics/pair", seed: 2, "crash of lock: \u{1B}[1m\"a\" < b & c\u{0}\u{202E}"),
        .of("basics/pair", seed: 1, [.of("quiet")]),
        .of(
            "dropout", seed: 2,
            [
                .of("quiet", .violated, "It sent <stop> & went on."), .of("fresh", .inconclusive),
                .of("alive", .vacuous),
            ], expectations: [.of("never: link.down on lock", .violated, "It was seen.")]),
        .of(
            "dropout", seed: 1,
            [.of("quiet"), .of("fresh", .inconclusive), .of("alive", .vacuous)],
            expectations: [.of("never: link.down on lock")]),
    ]

    @Test func aTopologyIsASuiteAndAPromiseACase() {
        #expect(
            JUnit.text(of: Self.runs, gateVacuity: false) == """
                <?xml version="1.0" encoding="UTF-8"?>
                <testsuites name="anechoic" tests="7" failures="3" errors="1" time="0">
                  <testsuite name="basics/pair" tests="2" failures="0" errors="1" skipped="0" time="0">
                    <testcase name="run" classname="basics.pair" time="0">
                      <error type="device failed" message="crash of lock: �[1m&quot;a&quot; &lt; b &amp; c�&#x202E;">seed: 2
                replay: anechoic replay out/basics/pair/2/replay.json
                basics/pair, seed 2: device failed
                  crash of lock: �[1m&quot;a&quot; &lt; b &amp; c�&#x202E;</error>
                    </testcase>
                    <testcase name="quiet" classname="basics.pair" time="0"/>
                  </testsuite>
                  <testsuite name="dropout" tests="5" failures="3" errors="0" skipped="1" time="0">
                    <testcase name="run" classname="dropout" time="0"/>
                    <testcase name="quiet" classname="dropout" time="0">
                      <failure type="violation" message="It sent &lt;stop&gt; &amp; went on.">seed: 2
                replay: anechoic replay out/dropout/2/replay.json
                dropout, seed 2: violated
                  promise quiet, kept by the accessory: It keeps quiet.
                    broken at 2.500 s (ben – lock): It sent &lt;stop&gt; &amp; went on.
                    clause: R4 2.3
                      2.500 s  event 7  link.down on lock</failure>
                    </testcase>
                    <testcase name="fresh" classname="dropout" time="0">
                      <failure type="inconclusive" message="the run ended before it was decided">seeds: 1, 2
                replay: anechoic replay out/dropout/1/replay.json
                dropout, seed 1: inconclusive
                  fresh: the run ended before it was decided</failure>
                    </testcase>
                    <testcase name="alive" classname="dropout" time="0">
                      <skipped message="never exercised"/>
                    </testcase>
                    <testcase name="never: link.down on lock" classname="dropout" time="0">
                      <failure type="violation" message="It was seen.">seed: 2
                replay: anechoic replay out/dropout/2/replay.json
                dropout, seed 2: violated
                  expected (line 9): never: link.down on lock
                    It was seen.</failure>
                    </testcase>
                  </testsuite>
                </testsuites>

                """)
    }

    @Test func remarksAreCasesThatNoRunStandsFor() {
        let text = JUnit.text(
            of: [], gateVacuity: false,
            remarks: [
                JUnit.Remark(
                    suite: "conform", name: "verdict", .error, type: "interrupted",
                    message: "it was < 3 s"),
                JUnit.Remark(suite: "retry/one", name: "run", .skipped, message: "not played"),
                JUnit.Remark(suite: "conform", name: "other", .passed),
            ])
        #expect(
            text == """
                <?xml version="1.0" encoding="UTF-8"?>
                <testsuites name="anechoic" tests="3" failures="0" errors="1" time="0">
                  <testsuite name="conform" tests="2" failures="0" errors="1" skipped="0" time="0">
                    <testcase name="verdict" classname="conform" time="0">
                      <error type="interrupted" message="it was &lt; 3 s"/>
                    </testcase>
                    <testcase name="other" classname="conform" time="0"/>
                  </testsuite>
                  <testsuite name="retry/one" tests="1" failures="0" errors="0" skipped="1" time="0">
                    <testcase name="run" classname="retry.one" time="0">
                      <skipped message="not played"/>
                    </testcase>
                  </testsuite>
                </testsuites>

                """)
    }

    @Test func theCasesAreTheSameHoweverManySeedsThereAre() {
        func names(_ runs: [RunReport]) -> [String] {
            JUnit.text(of: runs, gateVacuity: false).matches(of: /<testcase name="([^"]*)"/)
                .map { String($0.output.1) }
        }
        let more = (UInt64(3)...5).map { seed in
            RunReport.of("dropout", seed: seed, Self.runs[3].promises)
        }
        #expect(names(Self.runs + more) == names(Self.runs))
    }

    @Test func underTheGateWhatNoRunExercisedIsAFailure() {
        let two: [RunReport] = [
            .of("one", seed: 1, [.of("quiet", .vacuous), .of("alive", .vacuous)]),
            .of("two", seed: 1, [.of("quiet"), .of("alive", .vacuous)]),
        ]
        let text = JUnit.text(of: two, gateVacuity: true)
        #expect(text.contains("tests=\"6\" failures=\"2\" errors=\"0\""))
        #expect(text.contains("<failure type=\"vacuous\" message=\"never exercised\"/>"))
        #expect(text.contains("<skipped message=\"never exercised\"/>"))
    }

    @Test func whatATopologyWantsBrokenPassesWhereItIs() {
        func text(_ verdict: PromiseOutcome) -> String {
            let unbroken = RunReport.ExpectationReport(
                expectation: "violated", line: 0, verdict: .violated, reason: "It was not.")
            return JUnit.text(
                of: [
                    .of(
                        "defects/one", seed: 1,
                        [.of("quiet", verdict, meantToBreak: true), .of("alive", .inconclusive)],
                        expectations: verdict == .violated ? [] : [unbroken])
                ], gateVacuity: false)
        }
        #expect(text(.violated).contains("tests=\"3\" failures=\"0\" errors=\"0\" skipped=\"1\""))
        #expect(text(.held).contains("tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"1\""))
        #expect(text(.held).contains("<failure type=\"unbroken\" message=\"The topology expects"))
    }

    @Test func realTimeIsTheTimeOfASuite() {
        var run = RunReport.of("one", seed: 1)
        run.wall = 1_087_000
        let text = JUnit.text(of: [run, run], gateVacuity: false)
        #expect(text.contains("skipped=\"0\" time=\"2.174\">"))
    }

    private static func long(_ sentence: String) -> [RunReport] {
        (UInt64(1)...30).map { seed in
            RunReport.of("one", seed: seed, [.of("quiet", .violated, sentence)])
        }
    }

    @Test(arguments: ["word ", "ö", "👩‍👩‍👧", "<\r\n", "\u{8}"])
    func whatIsTooLongIsCutBehindTheCommand(_ part: String) throws {
        let text = JUnit.text(
            of: Self.long(String(repeating: part, count: 4_000)), gateVacuity: false)
        let body = try #require(
            text.split(separator: "\">seeds: ").last?.split(separator: "</failure>").first)
        #expect(body.utf8.count > 3_900 && body.utf8.count < 4_000)
        #expect(body.contains(" and 10 more\nreplay: anechoic replay out/one/1/replay.json\n"))
        #expect(body.hasSuffix(" … (cut)"))
    }

    @Test(.enabled(if: JUnitSchema.isThere, "Scripts/test fetches the schema and what reads it"))
    func everyReportFollowsTheSchema() throws {
        let nasty = "]]> \u{C} \u{FFFE} \r\n\t é 👩‍👩‍👧 <!-- &amp; '"
        let reports: [[RunReport]] = [
            [], Self.runs, [.failed("basics/pair", seed: .max, nasty)],
            Self.long(String(repeating: nasty, count: 400)),
        ]
        let place = try Place()
        for (index, runs) in reports.enumerated() {
            for gate in [false, true] {
                let text = JUnit.text(of: runs, gateVacuity: gate)
                let file = try place.write(text, to: "\(index)-\(gate).xml")
                #expect(try JUnitSchema.complaints(about: file, in: place) == "")
            }
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
