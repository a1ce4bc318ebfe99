import Artifacts
package import Campaigns
import Choices
import Foundation
package import Orchestration
import Reports
import Simulation

/// Looks for the nearest run that passes, and for what distinguishes it from the failing one.
///
/// It swaps two events that could have reached a device in either sequence, takes one after back, or moves a
/// step of the script or the start of a device past the events around it, the latest first. The first run
/// that then holds is much like the one that fails. Which two events race is said only where it is proven
/// (`Explainer+Proof.swift`). What fails in every order is no race, and nothing is moved to make it one; and a run that
/// holds because a fault did not strike, or struck a device that was dead, or because nobody asked for what was left
/// unanswered, is no sibling.
package struct Explainer {
    package let task: RunTask
    let runner: LocalRunner
    /// The failing run, played by its own schedule.
    let failing: Study
    /// How often it may play a candidate.
    let mostReplays: Int
    /// How often the scenario is played under random delivery.
    let randomRuns: Int
    package let words: EventWords
    /// The defects that are switched on, and whose.
    private let defects: [RunSettings.Defect]
    /// Nil where nothing was left unanswered.
    let request: UnansweredRequest?
    package var explanation: Explanation
    let display = ProgressDisplay()
    /// Who shares runs; nil for us alone.
    let crew: Crew?
    /// The run that breaks like the failing one and is nearest to the one that passes.
    package private(set) var breaking: Played
    package private(set) var passing: Played?
    /// The step of the latest swap that is proven.
    private var latest = -1

    package init(
        _ task: RunTask, failing: Study, on runner: LocalRunner,
        defects: [RunSettings.Defect],
        mostReplays: Int, randomRuns: Int, crew: Crew? = nil
    ) {
        self.crew = crew
        self.defects = defects
        (self.task, self.runner, self.failing) = (task, runner, failing)
        (self.mostReplays, self.randomRuns) = (mostReplays, randomRuns)
        explanation = Explanation(fingerprint: failing.report.fingerprint ?? "")
        words = EventWords(failing)
        request = UnansweredRequest(of: failing)
        breaking = Played(sibling: Sibling(task: task, schedule: failing.schedule), words: words)
    }

    package mutating func explain() throws {
        try findLikelihood()
        guard !isInevitable else {
            explanation.needs = StepPlaces.lines(of: task.text)
            return
        }
        try findPair()
        try findTurns()
    }

    /// Looks for the two events that race, or else for what it takes to pass.
    mutating func findPair() throws {
        runner.observer = request
        defer { runner.observer = nil }
        try findSwap()
        if passing == nil { try findDecision() }
        if passing == nil { try findSet() }
        if isExhausted { explanation.isExhausted = true }
        if let passing { explanation.parting = breaking.words.parting(from: passing.words) }
    }

    /// Whether it fails in every order, as far as so many runs tell: of 30 that fail no more than one in ten holds, with
    /// a probability of 95 % (the rule of three).
    private var isInevitable: Bool {
        explanation.underRandomDelivery.map { $0.runs >= 30 && $0.isCertain } ?? false
    }

    /// The place of the pick with which it is sure that it fails: a deadline has passed only when time goes on.
    var lastPick: Int {
        guard let end = failing.report.firstViolation?.violation.time,
            let step = failing.steps.firstIndex(where: { $0.time.nanoseconds > end })
        else { return failing.steps.count - 1 }
        return step
    }

    /// How many swaps that pass are looked into, until one is proven to be the race.
    private static let mostProofs = 20

    /// The one swap that makes it pass, if there is one: of those that are proven the latest, which is nearest to where
    /// the failure shows, or the first of those that pass.
    ///
    /// Where two events race anyhow, none is moved. Each sort of swap may take half of the plays that are left, so that
    /// others have their turn.
    private mutating func findSwap() throws {
        var proofs = 0
        try findLater(takenBack, counting: &proofs)
        try findLater(picked(\.rivals), counting: &proofs)
        if explanation.race == nil { try findLater(movedNear, counting: &proofs) }
        try findLater(picked(\.others), counting: &proofs)
        if explanation.race == nil { try findLater(movedFar, counting: &proofs) }
        if explanation.race == nil { try findLater(startedElsewhere, counting: &proofs) }
    }

    /// The first proof among swaps that are later than what is proven.
    private mutating func findLater(_ swaps: [Swap], counting proofs: inout Int) throws {
        let left = mostReplays - explanation.candidates
        let end = explanation.candidates + left - left / 2
        let known = latest
        for swap in swaps where proofs < Self.mostProofs && step(of: swap) > known {
            guard explanation.candidates < end else {
                explanation.isExhausted = true
                return
            }
            guard let played = try played(swap) else { continue }
            proofs += 1
            if try takeProof(of: swap, playedAs: played) {
                latest = step(of: swap)
                return
            }
            guard passing == nil else { continue }
            take(played, difference: [swap.sentence])
        }
    }

    /// When the first one of a swap happens in the failing run.
    private func step(of swap: Swap) -> Int { words.step(of: swap.first) ?? 0 }

    /// The sibling of a swap; nil where it does not pass, or the two events are not the other way round.
    private mutating func played(_ swap: Swap) throws -> Played? {
        var sibling = itself
        swap.change(&sibling)
        guard try passes(&sibling) else { return nil }
        let played = try played(sibling)
        guard played.words.strikes == words.strikes else { return nil }
        return isSwapped(swap.first, with: swap.second, in: played.words) ? played : nil
    }

    /// Names a race if a swap that passes proves one.
    private mutating func takeProof(of swap: Swap, playedAs played: Played) throws -> Bool {
        try prove(swap, passingIn: played.words.study).map { take($0) } ?? false
    }

    private mutating func take(_ proven: Proven) -> Bool {
        guard isSwapped(proven.first, with: proven.second, in: proven.passing.words) else {
            return false
        }
        (breaking, passing) = (proven.breaking, proven.passing)
        let effect = breaking.words.effect(notIn: proven.passing.words)
        explanation.race = proven.race(of: defects, showing: effect, upTo: lastPick)
        let isTheRace =
            effect?.first.step == breaking.words.step(of: proven.first)
            && effect?.second.step == breaking.words.step(of: proven.second)
        explanation.effect = isTheRace ? nil : effect?.moments
        explanation.difference = []
        return true
    }

    /// Notes what it takes to pass; this proves no race.
    private mutating func take(_ played: Played, difference: [String]) {
        passing = played
        explanation.difference = difference
        explanation.effect = words.effect(notIn: played.words)?.moments
    }

    /// Whether the two events happen the other way round in a sibling: nothing comes before what leads to it.
    private func isSwapped(_ first: EventID, with second: EventID, in others: EventWords) -> Bool {
        guard let place = others.step(of: second) else { return false }
        return others.step(of: first).map { place < $0 } ?? true
    }

    /// The one decision without which it passes.
    private mutating func findDecision() throws {
        for decision in failing.schedule.decisions {
            var sibling = itself
            sibling.schedule.decisions.removeAll { $0 == decision }
            guard try passes(&sibling) else { continue }
            let played = try played(sibling)
            guard played.words.strikes == words.strikes else { continue }
            take(played, difference: ["without \(decision.sentence)"])
            if let proven = try prove(decision), take(proven) { return }
            // What it turns round where it matters may be the race.
            guard let effect = words.effect(notIn: played.words) else { return }
            _ = try takeProof(
                of: putOff(effect.first.id, behind: effect.second.id), playedAs: played)
            return
        }
    }

    /// The fewest orderings and delays over the plain schedule with which it passes, from a run under random
    /// delivery that did.
    private mutating func findSet() throws {
        guard let random = try passingRun() else { return }
        var sibling = Sibling(task: task, schedule: random.schedule)
        guard try passes(&sibling) else { return }
        let needed = sibling.schedule.decisions.filter { !$0.isOfTheOrder }
        let delays = sibling.schedule.decisions.filter(\.isOfTheOrder)
        try minimize(delays, in: &sibling) { $0.schedule.decisions = needed + $1 }
        try minimize(sibling.schedule.afters, in: &sibling) { $0.schedule.afters = $1 }
        let played = try played(sibling)
        let (afters, rest) = (
            sibling.schedule.afters, sibling.schedule.decisions.filter(\.isOfTheOrder)
        )
        // Where the plain schedule passes, it takes all that differs from it to fail.
        let isPlain = afters.isEmpty && rest.isEmpty
        let (orderings, draws) =
            isPlain ? (failing.schedule.afters, failing.schedule.decisions) : (afters, rest)
        let with = isPlain ? "without" : "with"
        take(
            played,
            difference: orderings.map { "\(with) \($0.sentence)" }
                + draws.map { "\(with) \($0.sentence)" })
        // The failing run has the two the other way round, or the one has kept the other from happening.
        if let after = afters.first, afters.count == 1, rest.isEmpty,
            let one = words.step(of: after.event),
            words.step(of: after.after).map({ one < $0 }) ?? true
        {
            _ = try takeProof(of: putOff(after.event, behind: after.after), playedAs: played)
        }
    }

    /// Removes from a list what its sibling does not need to pass.
    private mutating func minimize<Element>(
        _ whole: [Element], in sibling: inout Sibling, put: (inout Sibling, [Element]) -> Void
    ) throws {
        var list = whole
        try deltaDebug({ list.count }, until: { isExhausted }) { places in
            var (fewer, candidate) = (list, sibling)
            fewer.removeSubrange(places)
            put(&candidate, fewer)
            guard try passes(&candidate) else { return false }
            (list, sibling) = (fewer, candidate)
            return true
        }
    }
}
