import Basics
import DeviceLink
import Invariants
import Monitors
import Promises
import Scenarios
import Testing
import Traces
import Vocabulary
import YAML

struct JudgeTests {
    private let reused = """
        1.0 lock msg.accessoryConfigurationData.sent link=1 peer=ben session=1 configuration=x'0A'
        2.0 lock msg.accessoryConfigurationData.sent link=1 peer=ben session=2 configuration=x'0A'
        9.0 - run.ended reason=finished
        """

    private func judged(
        _ text: String, expectations: [Scenarios.Expectation] = [], mustViolate: [String] = []
    ) -> Verdict {
        verdict(
            of: Judge(
                promises: [], properties: [library("fresh-configuration", "one-outcome-per-run")],
                expectations: expectations, mustViolate: mustViolate), text)
    }

    @Test func aRunWithoutViolationsHolds() {
        let verdict = judged("1.0 - run.started\n9.0 - run.ended reason=finished")
        #expect(verdict.outcome == .held)
        #expect(verdict.eventCount == 2)
        #expect(verdict.end.seconds == "9.000 s")
        #expect(verdict.promises.map(\.outcome) == [.vacuous, .vacuous])
    }

    @Test func aViolationNamesItsProof() throws {
        let verdict = judged(reused)
        let violation = try #require(verdict.violations.first)
        #expect(verdict.outcome == .violated)
        #expect(violation.promise == "fresh-configuration")
        #expect(violation.device == "lock")
        #expect(violation.events.map(\.number) == [1])
        #expect(verdict.promises[0].about.clause == "R4 3.4.1, 4.3.2")
        #expect(
            violation.sentence.hasPrefix("The configuration data ")
                && violation.sentence.hasSuffix(" had been used for an earlier session already."))
        #expect(!violation.sentence.contains("{"))
    }

    @Test func aViolationThatWasMeantHolds() {
        let verdict = judged(reused, mustViolate: ["fresh-configuration"])
        #expect(verdict.outcome == .held)
        #expect(verdict.violations.isEmpty)
        #expect(verdict.violationCount == 1)
    }

    @Test func aPromiseThatWasMeantToBreakAndHeldIsNotEnough() {
        let verdict = judged(reused, mustViolate: ["fresh-configuration", "one-outcome-per-run"])
        #expect(verdict.outcome == .violated)
        #expect(
            verdict.unbroken == [
                "The topology expects one-outcome-per-run to be broken, and it was vacuous."
            ])
        #expect(
            judged(reused, mustViolate: ["fresh"]).unbroken == ["There is no promise named fresh."])
    }

    @Test func aRunThatBreaksAnotherPromiseThanMeantIsViolated() {
        #expect(judged(reused, mustViolate: ["one-outcome-per-run"]).outcome == .violated)
    }

    @Test func whatTheEndLeftOpenIsInconclusive() {
        let text = "1.0 ben ni.run ni-session=1 peer=lock\n2.0 - run.ended reason=abandoned"
        #expect(judged(text).outcome == .inconclusive)
    }

    /// Lock goes by the wall clock, and may have done what it did up to 0.1 s before it was noted.
    @Test(arguments: [
        ("3.95", Verdict.Outcome.held), ("4.05", .inconclusive), ("4.15", .violated),
    ])
    func whatIsLateByLessThanADeviceWasBehindIsUndecided(
        answered: String, outcome: Verdict.Outcome
    ) {
        let verdict = verdict(
            of: Judge(
                promises: [RequestAnswered()],
                expectations: [
                    Scenarios.Expectation(
                        body: .eventually(
                            EventPattern(kind: "msg.accessoryConfigurationData.sent"),
                            within: .seconds(4)),
                        text: "…", source: SourcePosition(line: 3, column: 5))
                ]),
            """
            0.0 - run.lag longest=100000000
            \(linked)
            2.0 lock msg.initialize.received link=1 peer=ben session=1
            \(answered) lock msg.accessoryConfigurationData.sent link=1 peer=ben session=1
            60.0 - run.ended reason=finished
            """)
        #expect(verdict.promises.map(\.outcome.rawValue) == [outcome.rawValue])
        #expect(verdict.expectations.map(\.outcome) == [outcome])
        #expect(verdict.violations.isEmpty == (outcome != .violated))
    }

    @Test func anErrorIsNoVerdict() {
        var judge = Judge(promises: [], properties: [library("fresh-configuration")])
        for event in trace(reused) { judge.observe(event) }
        let verdict = judge.verdict(error: "lock crashed")
        #expect(verdict.outcome == .error)
        #expect(verdict.error == "lock crashed")
        #expect(verdict.violations.count == 1)
    }

    @Test func aDeadlineIsAwaitedUntilItHasPassed() {
        var judge = Judge(promises: [], properties: [library("one-outcome-per-run")])
        var answers = [judge.awaitsDeadline()]
        for event in trace("1.0 ben ni.run ni-session=1 peer=lock") { judge.observe(event) }
        for nanoseconds in [0, .seconds(31), .seconds(31) + 1] {
            answers.append(judge.awaitsDeadline(at: VirtualTime(nanoseconds: nanoseconds)))
        }
        #expect(answers == [false, true, true, false])
        let verdict = judge.verdict()
        #expect(verdict.violationCount == 1)
    }

    @Test func manyViolationsAreCountedAndTheFirstAreKept() {
        let lines = (1...100).map {
            "\($0).0 lock msg.accessoryConfigurationData.sent link=1 session=\($0) configuration=x'0A'"
        }
        let record = judged(lines.joined(separator: "\n")).promises[0].record
        #expect(record.violationCount == 99)
        #expect(record.violations.count == Record.kept)
    }
}

struct HandwrittenPromisesTests {
    @Test func theFewWrittenByHandHaveTheirNames() {
        #expect(
            HandwrittenPromises.monitors().map { type(of: $0).about.id } == [
                "message-order", "request-answered", "quiet", "routed-right", "bounded-retries",
                "alive-again",
            ])
    }

    @Test func everyBoundSaysWhereItComesFrom() {
        for promise in HandwrittenPromises.monitors() {
            for bound in promise.bounds {
                #expect(bound.origin.count > 20)
                #expect(bound.value <= .seconds(35), "a run goes on for 35 s only")
            }
        }
    }
}

struct ExpectationTests {
    private let text = """
        1.0 ben link.up link=1 peer=lock role=central
        2.0 ben ni.didUpdate ni-session=1 peer=lock distance=3000
        3.0 ben ni.didUpdate ni-session=1 peer=lock distance=2000
        9.0 - run.ended reason=finished
        """

    private func outcome(
        _ body: Scenarios.Expectation.Body, _ text: String? = nil
    ) -> (Verdict.Outcome, String) {
        let expectation = Scenarios.Expectation(
            body: body, text: "…", source: SourcePosition(line: 3, column: 5))
        var judge = Judge(promises: [], expectations: [expectation])
        for event in trace(text ?? self.text) { judge.observe(event) }
        let verdict = judge.verdict()
        #expect(verdict.outcome == verdict.expectations[0].outcome)
        return (verdict.outcome, verdict.expectations[0].sentence)
    }

    private let update = EventPattern(kind: "ni.didUpdate", device: "ben")
    private let near = EventPattern(
        kind: "ni.didUpdate",
        conditions: [.init(field: "distance", comparison: .less, value: 1_000)])

    @Test func eventuallyIsDecidedByTheFirstOrTheBound() {
        #expect(outcome(.eventually(update, within: nil)) == (.held, "It was seen at 2.000 s."))
        #expect(outcome(.eventually(update, within: .seconds(2))).0 == .held)
        #expect(
            outcome(.eventually(update, within: .seconds(1)))
                == (.violated, "It was not seen by 1.000 s."))
        #expect(
            outcome(.eventually(near, within: nil))
                == (.violated, "It was not seen by the end of the run."))
    }

    @Test func eventuallyIsOpenWhereTheRunWasGivenUp() {
        let text = "1.0 - run.ended reason=abandoned"
        #expect(outcome(.eventually(update, within: .seconds(5)), text).0 == .inconclusive)
    }

    @Test func neverIsDecidedByTheFirst() {
        #expect(outcome(.never(near)) == (.held, "It was not seen."))
        #expect(outcome(.never(update)) == (.violated, "It was seen at 2.000 s."))
    }

    @Test func countsAreDecidedAtTheEndOrWhenTheyAreTooMany() {
        #expect(outcome(.count(update, 2...2)) == (.held, "It was seen 2 times."))
        #expect(outcome(.count(update, 3...9)) == (.violated, "It was seen 2 times."))
        #expect(
            outcome(.count(update, 1...1))
                == (.violated, "It was seen for the 2nd time at 3.000 s."))
    }

    @Test func anOrderHasGaps() {
        let up = EventPattern(kind: "link")
        #expect(outcome(.inOrder([up, update, update], within: nil)).0 == .held)
        #expect(outcome(.inOrder([up, update], within: .seconds(2))).0 == .held)
        #expect(
            outcome(.inOrder([up, update, update], within: .seconds(2)))
                == (.violated, "Only the first 2 of 3 were seen by 2.000 s."))
        #expect(
            outcome(.inOrder([update, up], within: nil))
                == (.violated, "Only the first of 2 was seen by the end of the run."))
        #expect(
            outcome(.inOrder([near, up], within: nil))
                == (.violated, "None of 2 was seen by the end of the run."))
    }
}

/// What a run still waits for, as somebody reads it who looks into it.
struct OpenObligationTests {
    @Test func whatIsAwaitedIsToldByDeadline() {
        var judge = Judge(
            promises: [RequestAnswered()],
            properties: [
                CompiledProperties(
                    PropertySet(properties: [
                        Property(
                            "connects-again", keys: [.device],
                            body: .response(
                                when: [EventPattern(kind: "link.down")],
                                then: [EventPattern(kind: "link.up")]))
                    ]))
            ])
        let text =
            linked + """
                2.0 ben msg.initialize.sent link=1 peer=lock session=1
                2.1 lock msg.initialize.received link=1 peer=ben session=1
                3.0 amy link.down link=2 peer=tag

                """
        for event in trace(text) { judge.observe(event) }
        let seconds = { (nanoseconds: UInt64?) in nanoseconds.map { "\($0 / 1_000_000) ms" } ?? "-"
        }
        #expect(
            judge.openObligations(at: .zero).map {
                "\($0.promise) (\($0.about)): \($0.awaited), \(seconds($0.deadline))"
            } == [
                "request-answered (lock – ben, link 1): lock answers initialize, 4100 ms",
                "request-answered (ben – lock, link 1): ben gets configuration data, or gives up, "
                    + "37000 ms",
                "connects-again (device amy): link.up, -",
            ])
        let later = VirtualTime(nanoseconds: 5_000_000_000)
        #expect(judge.openObligations(at: later).count == 2)
        #expect(judge.openObligations(at: .zero).count == 3)
    }
}
