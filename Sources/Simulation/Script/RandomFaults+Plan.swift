internal import DeviceLink
internal import Notation
package import Scenarios
internal import Vocabulary

/// A random fault as a run drew it.
package struct DrawnFault: Equatable, Sendable {
    /// What happened, and when.
    package let fault: TimedFault
    /// The name of its channel.
    package let channel: String
    /// The place of its verb among all that the script does.
    package let item: Int
}

extension World {
    /// The random faults of this run, in the order in which they were drawn.
    package var drawnFaults: [DrawnFault] { script.drawn }

    /// Draws the random faults: for every second of the time, every kind and every target, whether it
    /// happens, when within that second, and how long.
    mutating func plan(_ faults: RandomFaults) {
        for rate in faults.rates {
            guard let form = RandomFaultForm.named(rate.kind) else { continue }
            let ratio = faults.isSwarm ? rate.ratio * intensity(of: rate.kind) : rate.ratio
            for target in targets(of: rate, form) {
                let owner = Decisions.Owner("random \(rate.kind) \(target.name)")
                let first = faults.between.lowerBound
                let seconds = (faults.between.upperBound - first) / 1_000_000_000
                for second in 0..<max(seconds, 1) {
                    guard
                        decisions.happens(
                            ratio.numerator, outOf: ratio.denominator, owner, second * 4, .fault)
                    else { continue }
                    let offset = decisions.below(1_000_000_000, owner, second * 4 + 1, .fault)
                    var length =
                        rate.duration.lowerBound
                        + decisions.below(
                            rate.duration.upperBound - rate.duration.lowerBound + 1, owner,
                            second * 4 + 2, .fault)
                    let start = min(
                        first + second * 1_000_000_000 + offset, faults.between.upperBound)
                    if faults.heals { length = min(length, faults.between.upperBound - start) }
                    let detail = decisions.below(Self.details, owner, second * 4 + 3, .fault)
                    plan(
                        Self.deed(form, on: target, for: length, drawing: detail), from: start,
                        for: length, label: owner.label)
                }
            }
        }
    }

    /// How many times as often as its rate says a kind happens in a run of a swarm: in half of the runs
    /// never, in the others from a quarter to twice.
    private mutating func intensity(of kind: String) -> Ratio {
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

    private mutating func plan(_ deed: Deed, from start: UInt64, for length: UInt64, label: String)
    {
        let name = "\(label) at \(start)"
        let channel = agenda.open(name)
        let verb = Verb(deed)
        let item = add(verb, label)
        plan(item, in: channel, at: start)
        var fault = TimedFault(deed, start: start, length: verb.duration ?? 0)
        if verb.duration == nil, let undo = verb.undo {
            let end = min(start + length, topology.length)
            fault.length = end - start
            plan(add(undo, "end of \(label)", ends: item), in: channel, at: end)
        }
        script.drawn.append(DrawnFault(fault: fault, channel: name, item: item))
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
        return devices.filter { rate.devices.isEmpty || rate.devices.contains($0.name) }
            .filter { isForAll || $0.spec.hasSystem }
            .map { Target(name: $0.name, deed: .device($0.name)) }
    }

    /// Every Apple device with every accessory that the rate names (or with all).
    private func pairs(_ rate: RandomFaults.Rate) -> [Target] {
        devices.filter(\.spec.hasSystem).flatMap { phone in
            devices.filter { device in
                !device.spec.hasSystem
                    && (rate.devices.isEmpty || rate.devices.contains(device.name)
                        || rate.devices.contains(phone.name))
            }.map { accessory in
                Target(
                    name: "\(phone.name)-\(accessory.name)",
                    deed: .pair(DevicePair(phone.name, accessory.name)))
            }
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
