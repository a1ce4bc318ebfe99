import Choices
import Orchestration
import RunSupport
import Simulation
import Testing

@testable import Campaigns
@testable import Diagnosis

/// A shrinker of a failure that is a question about the scenario, so that no device is needed.
@Suite struct ShrinkerTests {
    private static let pair = """
        devices:
          ben: {model: iPhone 15}
          lock: {profile: qorvo}

        """
    private static let script = pair + "steps:\n"

    private func shrunk(
        _ text: String, _ schedule: Schedule = Schedule(), idle: Schedule = Schedule(),
        where fails: @escaping (Scenario) -> Bool
    ) throws -> Shrinker {
        let task = RunTask(name: "pair", file: "pair.yaml", text: text, seed: 1)
        let shrinker = Shrinker(Scenario(task: task, schedule: schedule), fingerprint: "it fails") {
            scenario in
            guard StepPlaces.steps(of: scenario.task.text) != nil else { return nil }
            return Shrinker.Outcome(fingerprint: fails(scenario) ? "it fails" : nil, idle: idle)
        }
        try shrinker.shrink()
        #expect(try shrinker.certificate()?.contains { $0.failsWithout } == false)
        return shrinker
    }

    @Test func whatHoldsInOtherOrdersGoesOnDoingSo() throws {
        let task = RunTask(
            name: "pair", file: "", text: Self.script + "- {at: 1s, kill: lock, for: 1s}", seed: 1)
        let shrinker = Shrinker(
            Scenario(task: task, schedule: Schedule()), fingerprint: "it fails",
            races: { $0.task.text.contains("for: ") }
        ) { scenario in
            let fails = scenario.task.text.contains("kill: lock")
            return Shrinker.Outcome(fingerprint: fails ? "it fails" : nil, idle: Schedule())
        }
        try shrinker.shrink()
        #expect(shrinker.scenario.task.text.contains("for: "))
        #expect(shrinker.raceless?.task.text.contains("for: ") == false)
        #expect(try shrinker.certificate()?.contains { $0.failsWithout } == false)
    }

    @Test func anAfterWaitsForTheFirstEventThatIsEnough() throws {
        let events = (0..<9).compactMap { EventID("link ben/0-lock/0 1 events #\($0)") }
        let own = try #require(EventID("timer lock/0 tick #0"))
        let task = RunTask(name: "pair", file: "", text: Self.pair, seed: 1)
        let shrinker = Shrinker(
            Scenario(
                task: task, schedule: Schedule(afters: [After(event: own, after: events[8])])),
            fingerprint: "it fails", overtakers: { _, _ in events }
        ) { scenario in
            let place = scenario.schedule.afters.first.flatMap { events.firstIndex(of: $0.after) }
            let fails = place.map { $0 >= 5 } ?? false
            return Shrinker.Outcome(fingerprint: fails ? "it fails" : nil, idle: Schedule())
        }
        try shrinker.shrink()
        #expect(shrinker.scenario.schedule.afters == [After(event: own, after: events[5])])
    }

    @Test func anInterruptedCertificateIsNone() throws {
        var isStopped = false
        var budget = Shrinker.Budget()
        budget.isStopped = { isStopped }
        let task = RunTask(name: "pair", file: "", text: Self.pair, seed: 1)
        let shrinker = Shrinker(
            Scenario(task: task, schedule: Schedule()), fingerprint: "it fails", budget: budget
        ) { scenario in
            let fails = scenario.task.text.contains("lock")
            return Shrinker.Outcome(fingerprint: fails ? "it fails" : nil, idle: Schedule())
        }
        try shrinker.shrink()
        #expect(try shrinker.certificate() != nil)
        isStopped = true
        #expect(try shrinker.certificate() == nil)
    }

    private func delays(_ values: [UInt64]) -> [RecordedDecision] {
        values.enumerated().map {
            RecordedDecision(identity: "queue ben/0 main #\($0.offset) delay", value: $0.element)
        }
    }

    @Test func threeOfAThousandDecisionsAreFoundInFewReplays() throws {
        let all = delays(Array(repeating: 1, count: 1_000))
        let needed = [all[17], all[400], all[401]]
        let shrinker = try shrunk(Self.pair, Schedule(decisions: all)) { scenario in
            needed.allSatisfy(scenario.schedule.decisions.contains)
        }
        #expect(shrinker.scenario.schedule.decisions == needed)
        #expect(shrinker.replays < 70)
    }

    @Test func whatMakesNoDifferenceGoesWithTheFirstReplay() throws {
        let all = delays(Array(repeating: 1, count: 1_000))
        let shrinker = try shrunk(
            Self.pair, Schedule(decisions: all),
            idle: Schedule(decisions: Array(all.dropFirst()))
        ) { !$0.schedule.decisions.isEmpty }
        #expect(shrinker.scenario.schedule.decisions == [all[0]])
        #expect(shrinker.replays < 20)
    }

    @Test func delaysHaveAsFewDigitsAsTheFailureAllows() throws {
        let shrinker = try shrunk(
            Self.pair, Schedule(decisions: delays([6_721_821, 1_234_567]))
        ) { scenario in
            let values = scenario.schedule.decisions.map(\.value)
            return values.count == 2 && values[0] > 6_500_000
                && (1_230_000...1_240_000).contains(values[1])
        }
        #expect(
            shrinker.scenario.schedule.decisions.map(\.sentence) == [
                "queue ben/0 main #0 delay = 7ms", "queue ben/0 main #1 delay = 1.23ms",
            ])
    }

    @Test func aFaultIsWeakenedAsFarAsItFails() throws {
        let shrinker = try shrunk(Self.script + "- {at: 3.217s, kill: lock, for: 2s}") { scenario in
            let text = scenario.task.text
            return text.contains("ben") && (text.contains("kill") || text.contains("disconnect"))
        }
        #expect(shrinker.scenario.task.text.hasSuffix("- {at: 1s, disconnect: [ben, lock]}\n"))
    }

    @Test func timesAreRoundedAndCountsHalved() throws {
        let shrinker = try shrunk(
            Self.script + "- {at: 12.345678s, refuse-uwb: lock, count: 9}"
        ) { scenario in
            guard let step = StepPlaces.steps(of: scenario.task.text)?.first,
                case .at(let time) = step.moment,
                case .device(_, .refuseUWB(let count, _)) = step.verb
            else { return false }
            return time > 12_300_000_000 && count > 3
        }
        #expect(shrinker.scenario.task.text.hasSuffix("- {at: 20s, refuse-uwb: lock, count: 4}\n"))
    }

    @Test func aScheduleFollowsItsStepToAnotherPlace() throws {
        let event = try #require(EventID("queue ben/0 main #3"))
        let afters = try [3, 1].map {
            After(event: event, after: try #require(EventID("step \($0) #0")))
        }
        let scenario = Scenario(
            task: RunTask(
                name: "", file: "",
                text: Self.script + "- {at: 1s, kill: lock, for: 1s}\n- {at: 5s, freeze: ben}",
                seed: 1),
            schedule: Schedule(afters: afters))
        let rest = scenario.with(Self.script + "- {at: 5s, freeze: ben}")
        #expect(
            rest.schedule.afters.map(\.sentence) == [
                "\"queue ben/0 main #3\" only after \"step 1 #0\""
            ])
    }

    @Test func aRunIsTheSameWithoutWhatMadeNoDifference() throws {
        let task = RunTask(name: "pair", file: "", text: "length: 3s\n" + Self.pair, seed: 1)
        try LocalRunner.inline { runner in
            var schedule = try runner.study(task).schedule
            let event = try #require(EventID("queue nobody/0 main #7"))
            schedule.afters.append(After(event: event, after: event))
            let stray = RecordedDecision(identity: "\(event.text) delay", value: 5)
            // Half of the delays are gone, so that many afters have nothing to wait for.
            schedule.decisions = [stray] + schedule.decisions.filter { $0.value % 2 == 0 }
            let (first, idle) = try runner.judge(task, by: .schedule(schedule))
            #expect(idle.decisions.contains(stray))
            #expect(idle.afters.contains { $0.event == event })
            schedule.decisions.removeAll(where: idle.decisions.contains)
            schedule.afters.removeAll(where: idle.afters.contains)
            let (second, rest) = try runner.judge(task, by: .schedule(schedule))
            #expect(first.digest == second.digest && rest == Schedule())
        }
    }
}
