import Foundation
import Orchestration
import Reports
import Simulation

/// Looks for the nearest run that passes, and for what a failing one has and that has not.
///
/// It takes one ordering back, or swaps two events that could have happened the other way round, the latest
/// first: of those runs that then hold, the first one found shares most with the one that fails.
struct Explainer {
    let task: RunTask
    let runner: LocalRunner
    /// The failing run, played by its own schedule.
    let failing: Study
    /// How often it may play a candidate.
    let mostReplays: Int
    /// How often the scenario is played under random delivery.
    let randomRuns: Int
    private(set) var explanation: Explanation
    /// The run that passes.
    private(set) var passing: Schedule?
    private let words: EventWords

    init(
        _ task: RunTask, _ failing: Study, on runner: LocalRunner, mostReplays: Int,
        randomRuns: Int
    ) {
        (self.task, self.runner, self.failing) = (task, runner, failing)
        (self.mostReplays, self.randomRuns) = (mostReplays, randomRuns)
        explanation = Explanation(fingerprint: failing.report.fingerprint ?? "")
        words = EventWords(failing)
    }

    mutating func explain() throws {
        try findSwap()
        if passing == nil { try findDifference() }
        if let passing { explanation.parting = try parting(from: passing) }
        explanation.underRandomDelivery = try likelihood(after: 0, runs: randomRuns)
        try findTurns()
    }

    // MARK: The sibling

    /// The one swap that makes it pass, if there is one.
    private mutating func findSwap() throws {
        for swap in swaps {
            guard explanation.replays < mostReplays, !runner.isInterrupted else { return }
            guard try passes(swap.schedule) else { continue }
            explanation.race = Explanation.Race(
                first: moment(swap.first), second: moment(swap.second))
            passing = swap.schedule
            return
        }
    }

    /// Two events, and the schedule that swaps them.
    private struct Swap {
        let first: EventID
        let second: EventID
        let schedule: Schedule
    }

    /// What can be swapped: orderings of the schedule by taking them back, and events that could have
    /// happened instead of those that did until it failed, the latest first.
    private var swaps: [Swap] {
        let ordered = failing.schedule.afters.map { after in
            var schedule = failing.schedule
            schedule.afters.removeAll { $0 == after }
            return Swap(first: after.after, second: after.event, schedule: schedule)
        }
        let others = failing.picks[...lastStep].reversed().flatMap { pick in
            pick.rivals.filter { words.step(of: $0) != nil }.map { rival in
                var schedule = failing.schedule
                schedule.afters.removeAll { $0.event == pick.event }
                schedule.afters.append(After(event: pick.event, after: rival))
                return Swap(first: pick.event, second: rival, schedule: schedule)
            }
        }
        return ordered + others
    }

    /// The first step at which it is sure that it fails: a deadline has passed only when time goes on.
    private var lastStep: Int {
        let times = failing.report.promises.filter { !$0.isMeantToBreak }.flatMap(\.violations)
            .map(\.time)
        let end = times.min() ?? .max
        return failing.steps.firstIndex { $0.time.nanoseconds > end } ?? failing.steps.count - 1
    }

    private mutating func passes(_ schedule: Schedule) throws -> Bool {
        explanation.replays += 1
        let mostSteps = Study.mostSteps(of: failing)
        return try runner.judge(task, by: schedule, mostSteps: mostSteps).report.status == .held
    }

    /// The one decision without which it passes, where no swap does.
    private mutating func findDifference() throws {
        for decision in failing.schedule.decisions {
            guard explanation.replays < mostReplays, !runner.isInterrupted else { return }
            var schedule = failing.schedule
            schedule.decisions.removeAll { $0 == decision }
            guard try passes(schedule) else { continue }
            explanation.difference = "\"\(decision.identity)\" to be \(decision.value) and not 0"
            passing = schedule
            return
        }
    }

    private func moment(_ event: EventID) -> Explanation.Moment {
        Explanation.Moment(
            event: event, words: words.words(event) ?? event.text,
            time: words.step(of: event).map { failing.steps[$0].time.nanoseconds })
    }

    private func parting(from passing: Schedule) throws -> Explanation.Parting? {
        let sibling = try runner.study(task, .schedule(passing))
        let common = zip(failing.steps, sibling.steps).prefix { $0.event == $1.event }.count
        guard common < max(failing.steps.count, sibling.steps.count) else { return nil }
        return Explanation.Parting(
            step: common, failing: words.picture(common),
            passing: EventWords(sibling).picture(common))
    }

    // MARK: Likelihood

    /// How often it fails in this way where the first steps are as they were and the order of the rest is
    /// drawn.
    private func likelihood(after steps: Int, runs: Int) throws -> Likelihood {
        var hits = 0
        for seed in 1...UInt64(runs) {
            let report = try runner.improvise(task, on: failing, following: steps, seed: seed)
            if report.fingerprint == explanation.fingerprint { hits += 1 }
        }
        return Likelihood(hits: hits, runs: runs)
    }

    /// How many runs tell how likely it is after a step.
    private static let samples = 60

    private mutating func findTurns() throws {
        let begin = explanation.underRandomDelivery ?? Likelihood(hits: 0, runs: 0)
        explanation.likely = try turn(from: begin) { 2 * $0.hits > $0.runs }
        explanation.inevitable = try turn(from: begin) { $0.hits == $0.runs }
    }

    /// The first step that makes it so likely; it is sought by halving, as if the likelihood never fell.
    private func turn(
        from begin: Likelihood, isEnough: (Likelihood) -> Bool
    ) throws -> Explanation.Turn? {
        var (open, closed) = (0, lastStep + 1)
        var (before, after) = (begin, try likelihood(after: closed, runs: Self.samples))
        guard !isEnough(before), isEnough(after) else { return nil }
        while closed - open > 1, !runner.isInterrupted {
            let middle = (open + closed) / 2
            let found = try likelihood(after: middle, runs: Self.samples)
            if isEnough(found) {
                (closed, after) = (middle, found)
            } else {
                (open, before) = (middle, found)
            }
        }
        return Explanation.Turn(
            step: closed - 1, words: words.picture(closed - 1), before: before, after: after)
    }
}
