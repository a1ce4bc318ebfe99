import Artifacts
import Diagnosis
import Foundation
import Reports
import RunSupport
import Testing

@testable import Conformance

/// A conformance test as CI servers read it.
struct JUnitReportTests {
    private static func report(
        _ runs: [RunReport], _ demand: ConformanceGate.Demand = .violations, isStrict: Bool = false,
        change: (inout ConformanceSuite.Outcome) -> Void = { _ in }
    ) -> ConformanceReport {
        var outcome = ConformanceSuite.Outcome()
        outcome.handshakes = [PlainHandshake(.of("plain-handshake", seed: 1))]
        outcome.reports = runs
        change(&outcome)
        return ConformanceReport(
            outcome, pics: PICS(), only: [], gate: ConformanceGate(demand, isStrict: isStrict))
    }

    /// Each case that has not passed, with what is said of it.
    private static func complaints(
        _ runs: [RunReport], _ demand: ConformanceGate.Demand = .violations, isStrict: Bool = false,
        change: (inout ConformanceSuite.Outcome) -> Void = { _ in }
    ) -> [String] {
        let report = report(runs, demand, isStrict: isStrict, change: change)
        return JUnit.text(of: report.results.suites).matches(
            of: /<testcase name="([^"]*)"[^>]*>\s*<(\w+)(?: type="([^"]*)")? message="([^"]*)"/
        ).map { "\($0.1): \($0.2) \($0.3 ?? ""), \($0.4)" }
            .filter { !$0.hasSuffix(", never exercised") && !$0.contains(", not testable: ") }
    }

    @Test func aBrokenPromiseIsOneCaseWithItsClausesBelowIt() {
        let run = RunReport.of(
            "one", seed: 1, [.of("quiet", .violated, "It ranged on.", clause: "R4 3.6.1")],
            status: .violated)
        #expect(
            Self.complaints([run]) == [
                "quiet: failure violation, It ranged on."
            ])
        #expect(
            Self.report([run]).results.cases.first(where: \.isRed)?.details == [
                "clauses: R4-2.3-7 (must), R4-3.6.1-3 (should)"
            ])
    }

    @Test func aRecommendationFailsWhereItIsDemanded() {
        let run = RunReport.of(
            "one", seed: 1,
            [.of("message-order", .violated, "It spoke too early.", clause: "R4 2.3 and 3.6.1")],
            status: .violated)
        #expect(
            Self.complaints([run]) == [
                "message-order: skipped , should, not kept: It spoke too early."
            ])
        #expect(
            Self.complaints([run], isStrict: true) == [
                "message-order: failure violation, It spoke too early."
            ])
    }

    /// The smallest run of one promise breaks another one, which is first in a run of its own.
    @Test func whatOneCauseBreaksIsOneCaseWhereverItIsTold() throws {
        func broken(_ names: String..., seed: UInt64) -> RunReport {
            .of(
                "one", seed: seed, names.map { .of($0, .violated, "\($0) went wrong.") },
                status: .violated)
        }
        var report = Self.report([
            broken("quiet", seed: 1), broken("request-answered", seed: 2),
            broken("quiet", "retry-accepted", seed: 3), .of("one", seed: 4, [.of("own")]),
        ])
        #expect(
            report.groups.map { $0.map(\.id) } == [
                ["quiet", "retry-accepted"], ["request-answered"],
            ])
        #expect(report.conclusion.hasPrefix("DOES NOT CONFORM (3 promises broken by 2 causes): "))
        report.diagnosed = try JSONDecoder().decode(
            [DiagnosedRun].self,
            from: Data(
                """
                [{"promise": "quiet", "replay": "r.json", "topology": "t.yaml", "reason": "no race",
                  "text": "length: 3s\\n", "breaks": ["quiet", "request-answered"]}]
                """.utf8))
        #expect(report.conclusion.hasPrefix("DOES NOT CONFORM (3 promises broken by 1 cause): "))
        let red = report.results.redCases
        #expect(red.map(\.fullName) == ["promises quiet"])
        #expect(red.first?.details.contains("why: no race") == true)
        #expect(
            red.first?.details.contains(
                "breaks as well: request-answered, in 1 run: request-answered went wrong.") == true)
        #expect(report.causes.map(\.breaches.count) == [3])
        #expect(JUnit.text(of: report.results.suites).contains(" failures=\"1\" errors=\"0\" time"))
        #expect(Annotations.lines(of: report.results).count == 1)
        #expect(report.text().contains("  why: no race\n"))
    }

    /// Whichever run was made smaller first.
    @Test func theScenarioThatIsExplainedOrElseBreaksMostTellsOfTheOthers() throws {
        func broken(_ name: String, seed: UInt64) -> RunReport {
            .of("one", seed: seed, [.of(name, .violated, "It did.")], status: .violated)
        }
        var report = Self.report([
            broken("quiet", seed: 1), broken("request-answered", seed: 2),
            broken("retry-accepted", seed: 3),
        ])
        report.diagnosed = try JSONDecoder().decode(
            [DiagnosedRun].self,
            from: Data(
                """
                [{"promise": "quiet", "replay": "r.json", "breaks": ["quiet", "retry-accepted"]},
                 {"promise": "request-answered", "replay": "r.json",
                  "breaks": ["request-answered", "quiet", "own"]}]
                """.utf8))
        #expect(
            report.groups.map { $0.map(\.id) } == [["request-answered", "quiet", "retry-accepted"]])
        report.diagnosed = try JSONDecoder().decode(
            [DiagnosedRun].self,
            from: Data(
                """
                [{"promise": "quiet", "replay": "r.json", "breaks": ["quiet"], "reason": "no race"},
                 {"promise": "request-answered", "replay": "r.json",
                  "breaks": ["request-answered", "quiet"]}]
                """.utf8))
        #expect(
            report.groups.map { $0.map(\.id) } == [
                ["quiet", "request-answered"], ["retry-accepted"],
            ])
    }

    @Test func devicesThatFailInOneWayAreOneCase() {
        let runs = (1...3).map { RunReport.failed("topology-\($0)", seed: 1, "crash of lock: it") }
        let report = Self.report(runs)
        #expect(report.results.redCases.map(\.name) == ["device failed: crash of lock: it"])
        #expect(
            report.results.redCases.first?.details == [
                "so did 2 other runs, in topology-1, topology-2, topology-3"
            ])
        #expect(report.reasons.map(\.words).first == "3 runs failed, in 1 way")
    }

    @Test func aPromiseThatStandsForNoClauseHasACaseOfItsOwn() {
        let run = RunReport.of(
            "one", seed: 1,
            [.of("final-error-not-retried", .violated, "It tried.", clause: "NIError")],
            status: .violated)
        #expect(
            Self.complaints([run]).last
                == "final-error-not-retried: failure violation, It tried.")
    }

    @Test func aTopologyHasACaseWhereItPromisesOrCouldNotBePlayed() {
        let runs: [RunReport] = [
            .of("one", seed: 1, [.of("own")]),
            .of(
                "one", seed: 2, [.of("own")],
                expectations: [.of("never: link.down on lock", .violated, "It was seen.")]),
            .failed("two", seed: 1, "crash of lock: it"),
        ]
        let complaints = Self.complaints(runs) {
            $0.skipped = [("three", "no such device")]
        }
        #expect(
            complaints == [
                "device failed: crash of lock: it: error device failed, crash of lock: it",
                "topology: failure violation, never: link.down on lock: It was seen.",
                "topology: skipped , no such device",
            ])
    }

    @Test func underTheGateWhatNobodyExercisedIsAFailure() {
        let run = RunReport.of("one", seed: 1, [.of("own")])
        var outcome = ConformanceSuite.Outcome()
        outcome.handshakes = [PlainHandshake(.of("plain-handshake", seed: 1))]
        outcome.reports = [run]
        let report = ConformanceReport(
            outcome,
            pics: PICS(
                device: nil, parts: [:], messages: nil, notClaimed: ["R4-3.4.1-2"]),
            only: [], gate: ConformanceGate(.must))
        let text = JUnit.text(of: report.results.suites)
        #expect(
            text.contains(
                """
                    <testcase name="R4-3.4.1-1" classname="R4.accessory" time="0">
                      <failure type="vacuous" message="never exercised"/>
                """))
        #expect(
            text.contains(
                """
                    <testcase name="R4-3.4.1-2" classname="R4.accessory" time="0">
                      <skipped message="it does not bind the device"/>
                """))
    }

    /// A program is seldom kept beside its sources; what it claims is.
    @Test func aCaseNamesAFileOfTheUsersWhereThereIsOne() {
        func place(claimedIn pics: String?) -> String? {
            var outcome = ConformanceSuite.Outcome()
            outcome.reports = [RunReport.of("one", seed: 1, [.of("own")])]
            let report = ConformanceReport(
                outcome, pics: PICS(), only: [], gate: ConformanceGate(.must),
                devices: ("build/lock", nil), files: (pics, nil))
            return report.results.cases.first { $0.name == "R4-3.4.1-1" }?.place?.file
        }
        #expect(place(claimedIn: "lock.pics.yaml") == "lock.pics.yaml")
        #expect(place(claimedIn: nil) == "build/lock")
    }
}
