import Airs
import Basics
import Choices
import DeviceLink
package import Scenarios
import Vocabulary

/// A random fault as a run drew it.
package struct DrawnFault: Equatable, Sendable {
    package let fault: TimedFault
    package let channel: String
    /// The place of its verb among all that the script does.
    package let item: Int
}

extension Topology {
    /// The faults at random that strike a run of a seed, in the order in which they are drawn; none where the topology
    /// has no `faults`.
    package func drawnFaults(seed: UInt64) -> [TimedFault] {
        var script = Script(self)
        var decisions = Decisions(seed: seed)
        _ = script.begin(drawing: &decisions)
        return script.drawn.map(\.fault)
    }
}

extension Script {
    /// Draws the random faults: for every second of the time, every kind and every target, whether it
    /// happens, when within that second, and how long.
    mutating func plan(_ faults: RandomFaults, drawing decisions: inout Decisions) -> [Effect] {
        var effects: [Effect] = []
        let time = topology.timeOfRandomFaults
        let seconds = (time.upperBound - time.lowerBound) / .seconds(1)
        for rate in faults.rates {
            guard let form = RandomFaultForm.named(rate.kind) else { continue }
            let ratio =
                faults.isSwarm
                ? rate.ratio * Self.intensity(of: rate.kind, drawing: &decisions) : rate.ratio
            for target in targets(of: rate, form) {
                let owner = Decisions.Owner("random \(rate.kind) \(target.name)")
                for second in 0..<max(seconds, 1)
                where decisions.happens(
                    ratio.numerator, outOf: ratio.denominator, owner, second * 4, .fault)
                {
                    effects += plan(
                        form, on: target, in: second, of: time, owner,
                        lasting: rate.duration, heals: faults.heals, drawing: &decisions)
                }
            }
        }
        return effects
    }

    /// A fault happens in a second: when, how long, and in which form.
    private mutating func plan(
        _ form: RandomFaultForm, on target: Target, in second: UInt64,
        of time: ClosedRange<Nanoseconds>, _ owner: Decisions.Owner,
        lasting durations: ClosedRange<Nanoseconds>, heals: Bool,
        drawing decisions: inout Decisions
    ) -> [Effect] {
        let offset = decisions.below(.seconds(1), owner, second * 4 + 1, .fault)
        var length =
            durations.lowerBound
            + decisions.below(
                durations.upperBound - durations.lowerBound + 1, owner, second * 4 + 2, .fault)
        let start = min(time.lowerBound + second * .seconds(1) + offset, time.upperBound)
        if heals { length = min(length, time.upperBound - start) }
        let detail = decisions.below(Self.details, owner, second * 4 + 3, .fault)
        return plan(
            Self.deed(form, on: target, for: length, drawing: detail), from: start, for: length,
            label: owner.label)
    }

    /// How many times as often as its rate says a kind happens in a run of a swarm: in half of the runs
    /// never, in the others from a quarter to twice.
    private static func intensity(of kind: String, drawing decisions: inout Decisions) -> Ratio {
        let drawn = decisions.below(8, Decisions.Owner("swarm \(kind)"), 0, .fault)
        return drawn < 4 ? .zero : Ratio(1 << (drawn - 4), 4)
    }

    /// Of how many forms a fault draws one: each kind takes of it what it needs.
    private static let details: UInt64 = 4

    /// Somebody whom a kind of random fault can hit.
    private struct Target {
        let name: String
        let deed: Deed.Target
    }

    /// What a fault of a length does, of the kind that its row says.
    private static func deed(
        _ form: RandomFaultForm, on target: Target, for length: UInt64, drawing drawn: UInt64
    ) -> Deed {
        var deed = Deed(form.verb.name, at: target.deed, with: form.settings)
        if let draws = form.draws {
            deed.settings[draws.name] = .integer(Int64(drawn) % draws.below)
        }
        if form.verb.lasts, form.verb.following == nil {
            deed.settings[.lasting] = .duration(length)
        }
        return deed
    }

    private func targets(of rate: RandomFaults.Rate, _ form: RandomFaultForm) -> [Target] {
        if form.verb.target == .pair { return pairs(rate) }
        let isForAll = form.verb.hits.contains(.accessory)
        return topology.devices
            .filter { rate.devices.isEmpty || rate.devices.contains($0.name) }
            .filter { isForAll || $0.hasSystem }
            .map { Target(name: $0.name, deed: .device($0.name)) }
    }

    /// Every Apple device with every accessory, or with each other where all are Apple devices; of these pairs
    /// those that the rate names (or all).
    private func pairs(_ rate: RandomFaults.Rate) -> [Target] {
        let phones = topology.devices.filter(\.hasSystem)
        let accessories = topology.devices.filter { !$0.hasSystem }
        let pairs =
            topology.phonePairs ?? phones.flatMap { phone in accessories.map { (phone, $0) } }
        return pairs.filter { one, other in
            rate.devices.isEmpty || rate.devices.contains(one.name)
                || rate.devices.contains(other.name)
        }.map { one, other in
            Target(
                name: "\(one.name)-\(other.name)",
                deed: .pair(DevicePair(one.name, other.name)))
        }
    }
}

extension Ratio {
    /// The product of a ratio and a small one.
    fileprivate static func * (ratio: Ratio, small: Ratio) -> Ratio {
        var ratio = ratio
        while ratio.denominator > 1 << 56 {
            ratio = Ratio(ratio.numerator >> 1, ratio.denominator >> 1)
        }
        return Ratio(
            min(ratio.numerator, ratio.denominator) * small.numerator,
            ratio.denominator * small.denominator)
    }
}
