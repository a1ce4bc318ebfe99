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
        _ text: String, expectations: [Scenarios.Expectation] = [], mustViolate: [String] = [],
        mayViolate: [String] = []
    ) -> Verdict {
        verdict(
            of: Judge(
                promises: [], properties: [library("fresh-configuration", "one-outcome-per-run")],
                expectations: expectations, mustViolate: mustViolate, mayViolate: mayViolate), text)
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

    @Test(arguments: [("fresh-configuration", Outcome.held), ("one-outcome-per-run", .violated)])
    func whatAKnownDefectMayBreakIsNoFailure(promise: String, outcome: Outcome) {
        #expect(judged(reused, mayViolate: [promise]).outcome == outcome)
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
        ("3.95", Outcome.held), ("4.05", .inconclusive), ("4.15", .violated),
    ])
    func whatIsLateByLessThanADeviceWasBehindIsUndecided(
        answered: String, outcome: Outcome
    ) {
        let verdict = verdict(
            of: Judge(
                promises: [RequestAnswered.ofFirmware],
                expectations: [
                    Scenarios.Expectation(
                        Property(
                            "in time",
                            body: .existence(
                                [[EventPattern(kind: "msg.accessoryConfigurationData.sent")]],
                                within: Property.TimeBound(.seconds(4)))),
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
        #expect(verdict.outcome == nil)
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

    private func result(
        of body: Property.Body, in text: String? = nil
    ) -> Verdict.ExpectationResult {
        let expectation = Scenarios.Expectation(
            Property("expected in line 3", body: body), text: "…",
            source: SourcePosition(line: 3, column: 5))
        var judge = Judge(promises: [], expectations: [expectation])
        for event in trace(text ?? self.text) { judge.observe(event) }
        let verdict = judge.verdict()
        #expect(verdict.outcome == verdict.expectations[0].outcome)
        return verdict.expectations[0]
    }

    /// What became of it, and where it was not held what was seen instead.
    private func outcome(
        _ body: Property.Body, _ text: String? = nil
    ) -> (Outcome, String?) {
        let result = result(of: body, in: text)
        return (result.outcome, result.sentence)
    }

    private let up = EventPattern(kind: "link")
    private let update = EventPattern(kind: "ni.didUpdate", device: "ben")
    private let near = EventPattern(
        kind: "ni.didUpdate",
        conditions: [.init(field: "distance", comparison: .less, value: 1_000)])

    private func seconds(_ seconds: UInt64) -> Property.TimeBound {
        Property.TimeBound(.seconds(seconds))
    }

    @Test func eventuallyIsDecidedByTheFirstOrTheBound() {
        #expect(outcome(.existence([[update]])) == (.held, nil))
        #expect(outcome(.existence([[update]], within: seconds(2))).0 == .held)
        #expect(
            outcome(.existence([[update]], within: seconds(1))) == (
                .violated, "From the beginning there was no ni.didUpdate on ben by 1.000 s."
            ))
        #expect(
            outcome(.existence([[near]])) == (
                .violated, "From the beginning there was no ni.didUpdate with distance < 1m."
            ))
    }

    @Test(arguments: [("abandoned", true), ("quiescent", false), ("cut", false)])
    func eventuallyIsOpenWhereTheRunWasGivenUp(reason: String, isOpen: Bool) {
        let text = "1.0 - run.ended reason=\(reason)"
        let outcome = outcome(.existence([[update]], within: seconds(5)), text)
        #expect(outcome.0 == (isOpen ? .inconclusive : .violated))
        #expect((outcome.1 == "The run did not come to its end.") == isOpen)
    }

    @Test func neverIsDecidedByTheFirst() {
        #expect(outcome(.never([near])) == (.held, nil))
        #expect(
            outcome(.never([update])) == (
                .violated, "There was ni.didUpdate on ben at 2.000 s."
            ))
    }

    @Test func countsAreDecidedAtTheEndOrWhenTheyAreTooMany() {
        #expect(outcome(.count([update], range: 2...2, over: nil)) == (.held, nil))
        #expect(outcome(.count([near], range: 0...1, over: nil)) == (.held, nil))
        #expect(
            outcome(.count([update], range: 3...9, over: nil)) == (
                .violated,
                "There were fewer than 3 of ni.didUpdate on ben by the end: it was seen 2 times."
            ))
        #expect(
            outcome(.count([update], range: 1...1, over: nil)) == (
                .violated,
                "There was ni.didUpdate on ben at 3.000 s, "
                    + "and at most 1 of ni.didUpdate on ben may be."
            ))
    }

    @Test func anOrderHasGaps() {
        #expect(outcome(.existence([[up], [update], [update]])).0 == .held)
        #expect(outcome(.existence([[up], [update]], within: seconds(2))).0 == .held)
        #expect(
            outcome(.existence([[up], [update], [update]], within: seconds(2))) == (
                .violated,
                "After ni.didUpdate on ben at 2.000 s there was no ni.didUpdate on ben by 2.000 s."
            ))
        #expect(
            outcome(.existence([[update], [up]])) == (
                .violated, "After ni.didUpdate on ben at 2.000 s there was no link."
            ))
        #expect(
            outcome(.existence([[near], [up]])) == (
                .violated, "From the beginning there was no ni.didUpdate with distance < 1m."
            ))
    }

    @Test func howMuchWasSeenTellsOneWayToFailFromAnother() {
        let bodies: [Property.Body] = [
            .existence([[near]]), .existence([[update], [up]]), .never([update]),
            .count([update], range: 3...3, over: nil), .count([update], range: 1...1, over: nil),
        ]
        let results = bodies.map { result(of: $0) }
        #expect(
            results.map(\.progress) == [
                "not seen", "seen 1 of 2", "seen", "seen 2 times", "seen more than once",
            ])
        #expect(results.map { $0.events.map(\.number) } == [[], [1], [1], [1, 2], [1, 2]])
    }

    @Test func whatIsExpectedIsAwaited() {
        let expectation = Scenarios.Expectation(
            Property("expected in line 3", body: .existence([[update], [up]], within: seconds(5))),
            text: "…",
            source: SourcePosition(line: 3, column: 5))
        var judge = Judge(promises: [], expectations: [expectation])
        let events = trace(text)
        var awaited = judge.openObligations(at: .zero)
        for event in events.prefix(2) { judge.observe(event) }
        awaited += judge.openObligations(at: .zero)
        #expect(
            awaited == [
                OpenObligation(
                    promise: "expected in line 3", about: "ben", awaited: "ni.didUpdate on ben",
                    deadline: .zero + .seconds(5)),
                OpenObligation(
                    promise: "expected in line 3", about: "ben", awaited: "link",
                    since: Citation(events[1]), deadline: .zero + .seconds(5)),
            ])
        let awaitsDeadline = judge.awaitsDeadline()
        #expect(awaitsDeadline)
    }
}

/// What a run still waits for, as somebody reads it who looks into it.
struct OpenObligationTests {
    @Test func whatIsAwaitedIsToldByDeadline() {
        var judge = Judge(
            promises: [RequestAnswered.ofFirmware],
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
