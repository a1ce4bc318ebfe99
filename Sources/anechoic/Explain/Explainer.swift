import Foundation
import Orchestration
import Reports
import Simulation
import Topologies

/// Looks for the nearest run that passes, and for what a failing one has and that has not.
///
/// It swaps two events of which either could have reached a device first, takes one ordering back, or moves a step
/// of the script or the start of a device past the events around it, the latest before the others: of those runs
/// that then hold, the first one found is much like the one that fails. Which two events race is said only where it
/// is proven (`Explainer+Proof.swift`).
struct Explainer {
    let task: RunTask
    let runner: LocalRunner
    /// The failing run, played by its own schedule.
    let failing: Study
    /// How often it may play a candidate.
    let mostReplays: Int
    /// How often the scenario is played under random delivery.
    let randomRuns: Int
    let words: EventWords
    /// The defects that are switched on, and whose.
    private let defects: [RunSettings.Defect]
    var explanation: Explanation
    /// The run that passes, and what its events are called.
    private(set) var passing: (sibling: Sibling, words: EventWords)?

    init(
        _ task: RunTask, _ failing: Study, on runner: LocalRunner,
        defects: [RunSettings.Defect],
        mostReplays: Int, randomRuns: Int
    ) {
        self.defects = defects
        (self.task, self.runner, self.failing) = (task, runner, failing)
        (self.mostReplays, self.randomRuns) = (mostReplays, randomRuns)
        explanation = Explanation(fingerprint: failing.report.fingerprint ?? "")
        words = EventWords(failing)
    }

    mutating func explain() throws {
        try findSwap()
        if passing == nil { try findDecision() }
        if passing == nil { try findSet() }
        if isExhausted { explanation.isExhausted = true }
        if let passing { explanation.parting = parting(from: passing.words) }
        try findLikelihoods()
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

    /// The one swap that makes it pass, if there is one: the first that is proven, or the first of those that pass.
    ///
    /// Each sort of swap may take half of the plays that are left, so that others have their turn.
    private mutating func findSwap() throws {
        let sorts: [(Explainer) -> [Swap]] = [
            \.takenBack, { $0.picked(\.rivals) }, \.movedNear, { $0.picked(\.others) }, \.movedFar,
        ]
        var proofs = 0
        for sort in sorts {
            let end = explanation.candidates + (mostReplays - explanation.candidates + 1) / 2
            for swap in sort(self) where proofs < Self.mostProofs {
                guard explanation.candidates < end else {
                    explanation.isExhausted = true
                    break
                }
                guard let (sibling, words) = try played(swap) else { continue }
                proofs += 1
                if try takeProof(of: swap, words) { return }
                guard passing == nil else { continue }
                explanation.difference = [swap.sentence]
                explanation.race = race(swap.first, swap.second, in: words, nil)
                passing = (sibling, words)
            }
        }
    }

    /// The sibling of a swap, and what its events are called; nil where it does not pass, or the two events are not
    /// the other way round.
    private mutating func played(_ swap: Swap) throws -> (Sibling, EventWords)? {
        var sibling = itself
        swap.change(&sibling)
        guard try passes(&sibling) else { return nil }
        let words = try words(of: sibling)
        return isSwapped(swap.first, swap.second, in: words) ? (sibling, words) : nil
    }

    /// Says that two events race, where a swap that passes proves it.
    private mutating func takeProof(of swap: Swap, _ words: EventWords) throws -> Bool {
        guard let proven = try prove(swap, passingIn: words.study),
            isSwapped(proven.first, proven.second, in: proven.words)
        else { return false }
        explanation.race = race(proven.first, proven.second, in: proven.words, proven.proof)
        explanation.difference = []
        passing = (proven.sibling, proven.words)
        return true
    }

    func words(of sibling: Sibling) throws -> EventWords {
        EventWords(try runner.study(sibling.task, .schedule(sibling.schedule)))
    }

    /// Whether the two events happen the other way round in a sibling: nothing comes before what leads to it.
    private func isSwapped(_ first: EventID, _ second: EventID, in others: EventWords) -> Bool {
        guard let place = others.step(of: second) else { return false }
        return others.step(of: first).map { place < $0 } ?? true
    }

    /// The one decision without which it passes.
    private mutating func findDecision() throws {
        for decision in failing.schedule.decisions {
            var sibling = itself
            sibling.schedule.decisions.removeAll { $0 == decision }
            guard try passes(&sibling) else { continue }
            let others = try words(of: sibling)
            explanation.difference = ["without \(decision.sentence)"]
            passing = (sibling, others)
            // What it turns round where it matters may be the race.
            guard let effect = effect(of: nil, nil, in: others) else { return }
            let (first, second) = (effect.first.id, effect.second.id)
            if try takeProof(of: putOff(first, behind: second), others) { return }
            explanation.race = race(first, second, in: others, nil)
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
        let others = try words(of: sibling)
        passing = (sibling, others)
        let (afters, rest) = (
            sibling.schedule.afters, sibling.schedule.decisions.filter(\.isOfTheOrder)
        )
        if let after = afters.first, afters.count == 1, rest.isEmpty, isFirst(after.event, after),
            try takeProof(of: putOff(after.event, behind: after.after), others)
        {
            return
        }
        if afters.isEmpty && rest.isEmpty {
            // The plain schedule passes: it takes all that differs from it to fail.
            explanation.difference =
                failing.schedule.afters.map { "without \($0.sentence)" }
                + failing.schedule.decisions.map { "without \($0.sentence)" }
        } else {
            explanation.difference =
                afters.map { "with \($0.sentence)" } + rest.map { "with \($0.sentence)" }
        }
    }

    /// Whether the failing run has it the other way round than an after says.
    private func isFirst(_ event: EventID, _ after: After) -> Bool {
        guard let one = words.step(of: event), let other = words.step(of: after.after) else {
            return false
        }
        return one < other
    }

    /// Leaves out of a list what the sibling that it belongs to does not need to pass.
    private mutating func minimize<Element>(
        _ whole: [Element], in sibling: inout Sibling, _ put: (inout Sibling, [Element]) -> Void
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

    private func race(
        _ first: EventID, _ second: EventID, in others: EventWords, _ proof: Explanation.Proof?
    ) -> Explanation.Race {
        let effect = effect(of: first, second, in: others)
        return Explanation.Race(
            first: moment(first, andIn: others), second: moment(second, andIn: others),
            effect: effect?.moments,
            declared: defects.compactMap { defect in
                Catalogue.race(of: defect.name).map {
                    declaration($0, of: defect, (first, second), effect)
                }
            }, proof: proof)
    }

    /// What a defect declares, held against the two events and their effect, as far as they concern its device.
    private func declaration(
        _ race: Catalogue.Race, of defect: RunSettings.Defect, _ pair: (EventID, EventID),
        _ effect: Effect?
    ) -> Explanation.Declaration {
        func kinds(_ event: EventID) -> [String] {
            words.kinds(of: event, concerning: defect.device)
        }
        let ofEffect = [effect?.first.event, effect?.second.event].compactMap(\.self)
            .filter { words.concerns($0, defect.device) }.map(\.kind)
        return Explanation.Declaration(
            defect: defect.name, device: defect.device, one: race.one, other: race.other,
            isThis: race.isBetween(kinds(pair.0), kinds(pair.1)),
            isEffect: ofEffect.count == 2 && race.isBetween([ofEffect[0]], [ofEffect[1]]),
            chance: words.chance(of: race, concerning: defect.device, upTo: lastPick))
    }

    func moment(_ event: EventID, andIn other: EventWords? = nil) -> Explanation.Moment {
        Explanation.Moment(
            event: event,
            words: other.map { words.words(event, andIn: $0) } ?? words.words(event),
            time: words.step(of: event).map { failing.steps[$0].time.nanoseconds })
    }

    private func parting(from others: EventWords) -> Explanation.Parting? {
        let passing = others.study
        let common = zip(failing.steps, passing.steps).prefix {
            $0.event == $1.event && $0.time == $1.time
        }.count
        guard common < max(failing.steps.count, passing.steps.count) else { return nil }
        return Explanation.Parting(
            step: common + 1, failing: words.picture(common), passing: others.picture(common))
    }
}
