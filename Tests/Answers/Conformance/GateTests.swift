import Artifacts
import Promises
import Reports
import RunSupport
import Testing

@testable import Conformance

/// What conforms, and each reason why something does not.
struct GateTests {
    /// An outcome of a good handshake and these runs.
    private static func outcome(
        _ runs: [RunReport], handshake: RunReport = .of("plain-handshake", seed: 1)
    ) -> ConformanceSuite.Outcome {
        var outcome = ConformanceSuite.Outcome()
        outcome.handshakes = [PlainHandshake(handshake)]
        outcome.reports = outcome.handshakes.map(\.report) + runs
        outcome.planned = outcome.reports.count
        return outcome
    }

    private static func report(
        _ outcome: ConformanceSuite.Outcome, _ demand: ConformanceGate.Demand = .violations,
        isStrict: Bool = false
    ) -> ConformanceReport {
        ConformanceReport(
            outcome, pics: PICS(), only: [], gate: ConformanceGate(demand, isStrict: isStrict))
    }

    private static let good = RunReport.of("one", seed: 1, [.of("own-promise")])

    @Test func whereAllIsKeptItConforms() {
        let report = Self.report(Self.outcome([Self.good]))
        #expect(report.status == .held && report.reasons.map(\.words) == [])
    }

    @Test func whatWasNeverPutToTheTestIsNoYes() {
        let vacuous = RunReport.of("one", seed: 1, [.of("own-promise", .vacuous)])
        let report = Self.report(Self.outcome([vacuous]))
        #expect(report.status == .inconclusive)
        #expect(report.reasons.map(\.words) == ["no promise was put to the test"])
    }

    @Test func underTheGateOnePromiseThatWasNeverExercisedIsEnough() {
        let runs = [Self.good, .of("two", seed: 1, [.of("other", .vacuous)])]
        #expect(Self.report(Self.outcome(runs)).status == .held)
        let gated = Self.report(Self.outcome(runs), .vacuity)
        #expect(gated.status == .inconclusive)
        #expect(gated.reasons.map(\.words).last == "1 promise never exercised")
    }

    @Test func aMustThatNobodyPutToTheTestIsNoYes() {
        let gated = Self.report(Self.outcome([Self.good]), .must)
        #expect(gated.status == .inconclusive)
        let words = gated.reasons.map(\.words).first ?? ""
        #expect(words.contains(" musts never exercised: R4-2.3-1 and "), "\(words)")
    }

    @Test(arguments: [
        ("R4-3.4.1-1", [true, false, true]), ("R4-2.4-1", [false, true, true]),
        ("R4-3.6.1-2", [false, false, false]),
    ])
    func onlyTheMustsOfWhoIsTestedAreDemanded(id: String, demanded: [Bool]) throws {
        let clause = try #require(ClauseTable.r4.first { $0.id == id })
        let gates = [(true, false), (false, true), (false, false)].map {
            ConformanceGate(.must, isStrict: false, accessory: $0, app: $1)
        }
        #expect(gates.map { $0.demands(clause) } == demanded, "\(clause.keeper)")
    }

    @Test func aRecommendationThatIsNotKeptIsAWarning() throws {
        let broken = RunReport.of(
            "two", seed: 1,
            [.of("message-order", .violated, "It spoke too early.", clause: "R4 2.3 and 3.6.1")],
            status: .violated)
        let outcome = Self.outcome([Self.good, broken])
        let report = Self.report(outcome)
        #expect(report.status == .held)
        #expect(report.conclusion.contains(" 0 broken, 1 warning, "))
        #expect(
            report.text().contains(
                "warning (R4-3.6.1-2: should): message-order was not kept in 1 of 1 run"))
        #expect(JUnit.text(of: report.results.suites).contains("failures=\"0\" errors=\"0\""))
        #expect(Self.report(outcome, isStrict: true).status == .violated)
    }

    @Test func whatIsDemandedElsewhereIsNotWeakenedByWhatR4Allows() {
        let broken = RunReport.of(
            "two", seed: 1,
            [.of("session-automaton", .violated, "It ran twice.", clause: "NISession")],
            status: .violated)
        #expect(Self.report(Self.outcome([Self.good, broken])).status == .violated)
    }

    @Test func whatIsDemandedElsewhereAsWellIsNotWeakenedEither() {
        let broken = RunReport.of(
            "two", seed: 1,
            [
                .of(
                    "started-for-a-live-session", .violated, "It started.",
                    clause: "R4 2.3; INV-RADIO")
            ],
            status: .violated)
        let report = Self.report(Self.outcome([Self.good, broken]))
        #expect(report.status == .violated)
        #expect(report.reasons.map(\.words) == ["1 promise broken"])
    }

    @Test func theWorstReasonIsTheStatus() {
        let runs: [RunReport] = [
            .of("two", seed: 1, [.of("own-promise", .violated, "It sent.")], status: .violated),
            .failed("three", seed: 1, "crash of lock: it"),
        ]
        let report = Self.report(Self.outcome([Self.good] + runs))
        #expect(report.status == .deviceFailed)
        #expect(report.reasons.map(\.words) == ["1 run failed", "1 promise broken"])
    }

    @Test func anExpectationThatIsNotMetCounts() {
        let run = RunReport.of(
            "two", seed: 1, expectations: [.of("never: link.down", .violated, "It was seen.")],
            status: .violated)
        let report = Self.report(Self.outcome([Self.good, run]))
        #expect(report.status == .violated)
        #expect(report.reasons.map(\.words) == ["1 run not as expected"])
    }

    @Test(arguments: [
        ("refusal of lock: no parameter", "nothing was played: refusal of lock: no parameter"),
        ("crash of lock: it", "the plain handshake did not come to its end"),
    ])
    func withoutAHandshakeThereIsNoYes(failure: String, words: String) {
        let handshake = RunReport.failed("plain-handshake", seed: 1, failure)
        let report = Self.report(Self.outcome([Self.good], handshake: handshake))
        #expect(report.status == .deviceFailed)
        #expect(report.reasons.first?.words == words)
    }

    @Test func aHandshakeThatNobodySawDecidesNothing() {
        let handshake = RunReport.of(
            "plain-handshake", seed: 1, expectations: [.of("in order", .violated, "It was not.")],
            status: .violated)
        let report = Self.report(Self.outcome([Self.good], handshake: handshake))
        #expect(report.status == .inconclusive)
        #expect(report.reasons.map(\.words) == ["no plain handshake came about"])
    }

    @Test func whatIsKnownIsToldAndFailsNothing() throws {
        let broken = RunReport.of(
            "one", seed: 1, [.of("own-promise", .violated, "It was seen.")], status: .violated)
        let name = try #require(broken.fingerprint)
        func report(knowing failure: String) -> ConformanceReport {
            ConformanceReport(
                Self.outcome([broken, Self.good]), pics: PICS(), only: [],
                gate: ConformanceGate(.violations),
                known: KnownFailures(acknowledged: .none, baseline: [failure], on: "2026-11-28"))
        }
        let known = report(knowing: name)
        #expect(known.status == .held, "\(known.text())")
        #expect(known.text().contains("known: \(name): the baseline has it\n"))
        #expect(known.results.redCases.isEmpty)
        let other = report(knowing: "another")
        #expect(other.status == .violated)
        #expect(other.text().contains("not known: \(name)\n"))
    }
}
