import Artifacts
import Reports
import RunSupport
import Testing

@testable import Conformance

/// A conformance test as CI servers read it.
struct JUnitReportTests {
    /// Each case that has not passed, with what is said of it.
    private static func complaints(
        _ runs: [RunReport], _ demand: ConformanceGate.Demand = .violations, isStrict: Bool = false,
        change: (inout ConformanceSuite.Outcome) -> Void = { _ in }
    ) -> [String] {
        var outcome = ConformanceSuite.Outcome()
        outcome.handshakes = [PlainHandshake(.of("plain-handshake", seed: 1))]
        outcome.reports = runs
        change(&outcome)
        let report = ConformanceReport(
            outcome, pics: PICS(), only: [], gate: ConformanceGate(demand, isStrict: isStrict))
        return JUnit.text(of: report.results.suites).matches(
            of: /<testcase name="([^"]*)"[^>]*>\s*<(\w+)(?: type="([^"]*)")? message="([^"]*)"/
        ).map { "\($0.1): \($0.2) \($0.3 ?? ""), \($0.4)" }
            .filter { !$0.hasSuffix(", never exercised") && !$0.contains(", not testable: ") }
    }

    @Test func aBrokenPromiseFailsItsMustsAndNotesItsShoulds() {
        let run = RunReport.of(
            "one", seed: 1, [.of("quiet", .violated, "It ranged on.", clause: "R4 3.6.1")],
            status: .violated)
        #expect(
            Self.complaints([run]) == [
                "verdict: failure violated, DOES NOT CONFORM (1 promise broken): 0 promises held, "
                    + "1 broken, 0 never exercised, in 1 run.",
                "R4-2.3-7: failure violation, It ranged on.",
                "R4-3.6.1-3: skipped , should, not kept: It ranged on.",
            ])
        let strict = Self.complaints([run], isStrict: true)
        #expect(strict.last == "R4-3.6.1-3: failure violation, It ranged on.")
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
            complaints.dropFirst() == [
                "topology: failure violation, never: link.down on lock: It was seen.",
                "topology: error device failed, crash of lock: it",
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
