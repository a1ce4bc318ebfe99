import Foundation
import Orchestration
import Reports
import Simulation
import Topologies

/// Looks for the nearest run that passes, and for what a failing one has and that has not.
///
/// It takes one ordering back, moves a step of the script past the next event and the one before, or swaps two
/// events that could have happened the other way round, the latest first: of those runs that then hold, the
/// first one found shares most with the one that fails.
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
    private(set) var passing: Sibling?
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
        if passing == nil { try findSet() }
        if let passing { explanation.parting = try parting(from: passing) }
        explanation.underRandomDelivery = try likelihood(after: 0, runs: randomRuns)
        try findTurns()
    }

    // MARK: The sibling

    /// A run that is like the failing one but for one thing.
    struct Sibling {
        var task: RunTask
        var schedule: Schedule
    }

    /// A sibling where two events are the other way round.
    private struct Swap {
        let first: EventID
        let second: EventID
        let sibling: Sibling
    }

    /// The one swap that makes it pass, if there is one.
    private mutating func findSwap() throws {
        for swaps in [takenBack, moved, picked(\.rivals), picked(\.others)] {
            for swap in swaps {
                guard explanation.replays < mostReplays, !runner.isInterrupted else { return }
                var sibling = swap.sibling
                guard try passes(&sibling) else { continue }
                explanation.race = Explanation.Race(
                    first: moment(swap.first), second: moment(swap.second))
                passing = sibling
                return
            }
        }
    }

    private var itself: Sibling { Sibling(task: task, schedule: failing.schedule) }

    /// One ordering of the schedule taken back.
    private var takenBack: [Swap] {
        failing.schedule.afters.map { after in
            var sibling = itself
            sibling.schedule.afters.removeAll { $0 == after }
            return Swap(first: after.after, second: after.event, sibling: sibling)
        }
    }

    /// How many events a step of the script is moved past, in each direction.
    private static let reach = 40

    /// A step of the script moved past the events around it, the nearest first.
    private var moved: [Swap] {
        guard let parts = TopologyParts(task.text) else { return [] }
        return parts.moments.flatMap { step in
            crossings(of: step.place, at: step.time).map { crossing in
                var sibling = itself
                sibling.task.text = parts.text(movingStep: step.place, to: crossing.time)
                return Swap(first: crossing.first, second: crossing.second, sibling: sibling)
            }
        }
    }

    /// Which events a step would cross, and where it would be then.
    private func crossings(
        of step: Int, at moment: UInt64
    ) -> [(first: EventID, second: EventID, time: UInt64)] {
        guard let own = EventID("step \(step + 1) #0") else { return [] }
        let others = failing.steps.filter { $0.event != own.text }
        let later = others.filter { $0.time.nanoseconds >= moment }.prefix(Self.reach)
        let earlier = others.reversed().filter { $0.time.nanoseconds <= moment }
            .prefix(Self.reach)
        let behind = later.compactMap { other in
            EventID(other.event).map { (own, $0, other.time.nanoseconds + 1) }
        }
        let before = earlier.compactMap { other in
            EventID(other.event).map { ($0, own, max(other.time.nanoseconds, 1) - 1) }
        }
        let count = max(behind.count, before.count)
        return (0..<count).flatMap { place in
            [behind, before].compactMap { $0.indices.contains(place) ? $0[place] : nil }
        }
    }

    /// Two events the other way round, of which either could have been first.
    private func picked(_ rivals: KeyPath<Pick, [EventID]>) -> [Swap] {
        failing.picks[...lastStep].reversed().flatMap { pick in
            pick[keyPath: rivals].filter { words.step(of: $0) != nil }.map { rival in
                var sibling = itself
                sibling.schedule.afters.removeAll { $0.event == pick.event }
                sibling.schedule.afters.append(After(event: pick.event, after: rival))
                return Swap(first: pick.event, second: rival, sibling: sibling)
            }
        }
    }

    /// The first step at which it is sure that it fails: a deadline has passed only when time goes on.
    private var lastStep: Int {
        let times = failing.report.promises.filter { !$0.isMeantToBreak }.flatMap(\.violations)
            .map(\.time)
        let end = times.min() ?? .max
        return failing.steps.firstIndex { $0.time.nanoseconds > end } ?? failing.steps.count - 1
    }

    /// Whether a sibling passes, which then keeps of its schedule only what makes a difference.
    private mutating func passes(_ sibling: inout Sibling) throws -> Bool {
        explanation.replays += 1
        let mostSteps = Study.mostSteps(of: failing)
        do {
            let (report, idle) = try runner.judge(
                sibling.task, by: sibling.schedule, mostSteps: mostSteps)
            guard report.status == .held else { return false }
            sibling.schedule.subtract(idle)
            return true
        } catch is TopologyError {
            // A step may come to lie behind the end.
            return false
        }
    }

    /// The fewest orderings and delays over the plain schedule with which it passes, from a run under random
    /// delivery that did.
    private mutating func findSet() throws {
        guard let random = try passingRun() else { return }
        var sibling = Sibling(task: task, schedule: random.schedule)
        guard try passes(&sibling) else { return }
        let needed = sibling.schedule.decisions.filter { !$0.isOfTheOrder }
        var delays = sibling.schedule.decisions.filter(\.isOfTheOrder)
        try minimize(&delays, in: &sibling) { $0.schedule.decisions = needed + $1 }
        var afters = sibling.schedule.afters
        try minimize(&afters, in: &sibling) { $0.schedule.afters = $1 }
        // Once more, without what has become idle.
        guard try passes(&sibling) else { return }
        afters = sibling.schedule.afters
        delays = sibling.schedule.decisions.filter(\.isOfTheOrder)
        passing = sibling
        if let after = afters.first, afters.count == 1, delays.isEmpty {
            explanation.race = Explanation.Race(
                first: moment(after.event), second: moment(after.after))
        } else {
            explanation.difference = afters.map(\.sentence) + delays.map(\.sentence)
        }
    }

    /// A run under random delivery that passes.
    private func passingRun() throws -> Study? {
        for seed in 1...UInt64(randomRuns) where !runner.isInterrupted {
            let report = try runner.improvise(task, on: failing, following: 0, seed: seed)
            guard report.status == .held else { continue }
            return try runner.study(task, .improvised(on: failing, following: 0), seed: seed)
        }
        return nil
    }

    /// Leaves out of a list what the sibling that it belongs to does not need to pass: halves, quarters, at
    /// last one by one.
    private mutating func minimize<Element>(
        _ list: inout [Element], in sibling: inout Sibling,
        _ put: (inout Sibling, [Element]) -> Void
    ) throws {
        var size = list.count
        while size > 0 {
            var start = 0
            while start < list.count, explanation.replays < mostReplays {
                var fewer = list
                fewer.removeSubrange(start..<min(start + size, list.count))
                var candidate = sibling
                put(&candidate, fewer)
                if try passes(&candidate) { list = fewer } else { start += size }
            }
            size /= 2
        }
        put(&sibling, list)
    }

    private func moment(_ event: EventID) -> Explanation.Moment {
        Explanation.Moment(
            event: event, words: words.words(event) ?? event.text,
            time: words.step(of: event).map { failing.steps[$0].time.nanoseconds })
    }

    private func parting(from passing: Sibling) throws -> Explanation.Parting? {
        let sibling = try runner.study(passing.task, .schedule(passing.schedule))
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
