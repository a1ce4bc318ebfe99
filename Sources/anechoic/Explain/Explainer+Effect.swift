import Orchestration
import Simulation
import Traces

/// What a swap puts the other way round where it matters.
extension Explainer {
    /// Two things that happened to one device, of which one happens with what proves the failure.
    struct Effect {
        let first: EventWords.Happening
        let second: EventWords.Happening
    }

    /// Of what happens with a proof of the failure, the last thing that has something before it which is behind
    /// it in the run that passes, and the nearest such thing of its device; where there is none, a message behind
    /// it that is before it there.
    ///
    /// Nil where there is none either, or the two are those of the swap.
    func effect(of one: EventID?, _ other: EventID?, in passing: EventWords) -> Effect? {
        let order = TwoOrders(words.happenings, passing.happenings)
        let numbers = failing.report.firstViolation?.violation.events ?? []
        let steps = failing.events.filter { numbers.contains($0.number) }.map { Int($0.step) - 1 }
        let proofs = order.things.indices.reversed().filter {
            steps.contains(order.things[$0].step)
        }
        let before = proofs.lazy.compactMap { proof in
            order.neighbours(of: proof).last { order.isTurnedRound($0, proof) }.map { ($0, proof) }
        }
        let behind = proofs.lazy.compactMap { [lastPick] proof in
            order.neighbours(of: proof).first {
                order.isTurnedRound(proof, $0) && order.things[$0].step <= lastPick
                    && order.things[$0].event.kind.hasPrefix("msg.")
            }.map { (proof, $0) }
        }
        guard let (first, second) = before.first ?? behind.first else { return nil }
        let effect = Effect(first: order.things[first], second: order.things[second])
        let isTheSwap =
            one.flatMap(words.step) == effect.first.step
            && other.flatMap(words.step) == effect.second.step
        return isTheSwap ? nil : effect
    }
}

extension Explainer.Effect {
    /// The two as an explanation has them.
    var moments: Explanation.Effect {
        Explanation.Effect(first: Self.moment(first), second: Self.moment(second))
    }

    private static func moment(_ thing: EventWords.Happening) -> Explanation.Moment {
        Explanation.Moment(event: thing.id, words: thing.words, time: thing.event.time.nanoseconds)
    }
}

/// In which order things happened in a run, and in another one.
///
/// They are the same in both by what the trace calls them: the places of events in their channels are others
/// where something comes before, or is left out.
private struct TwoOrders {
    let things: [EventWords.Happening]
    /// The places of things of the other run; looked up only.
    private let others: [String: Int]

    init(_ things: [EventWords.Happening], _ others: [EventWords.Happening]) {
        self.things = things
        self.others = Dictionary(
            others.enumerated().map { ($0.element.name, $0.offset) },
            uniquingKeysWith: { first, _ in first })
    }

    /// What else happened to the same device, in other steps.
    func neighbours(of place: Int) -> [Int] {
        things.indices.filter {
            things[$0].event.device == things[place].event.device
                && things[$0].step != things[place].step
        }
    }

    /// Whether one is before another, and behind it in the other run.
    func isTurnedRound(_ one: Int, _ other: Int) -> Bool {
        guard one < other, let first = others[things[one].name],
            let second = others[things[other].name]
        else { return false }
        return first > second
    }
}
