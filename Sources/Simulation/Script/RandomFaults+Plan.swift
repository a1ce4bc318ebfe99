internal import DeviceLink
internal import Notation
package import Scenarios

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
            let ratio = faults.isSwarm ? rate.ratio * intensity(of: rate.kind) : rate.ratio
            for target in targets(of: rate) {
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
                        target.verb(length, Int(detail)), from: start, for: length,
                        label: owner.label)
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

    /// Of how many forms a fault may have one: a device is killed after 0 to 3 answers of its turn.
    private static let details: UInt64 = 4

    /// Something that a kind of random fault can hit: the verb of a length and a form.
    private struct Target {
        let name: String
        let verb: (UInt64, Int) -> Verb
    }

    private mutating func plan(_ verb: Verb, from start: UInt64, for length: UInt64, label: String)
    {
        let name = "\(label) at \(start)"
        let channel = agenda.open(name)
        let item = add(verb, label)
        plan(item, in: channel, at: start)
        var fault = TimedFault(verb: verb, start: start, length: verb.duration ?? 0)
        if verb.duration == nil, let undo = verb.undo {
            let end = min(start + length, topology.length)
            fault.length = end - start
            plan(add(undo, "end of \(label)", ends: item), in: channel, at: end)
        }
        script.drawn.append(DrawnFault(fault: fault, channel: name, item: item))
    }

    private func targets(of rate: RandomFaults.Rate) -> [Target] {
        let hit = devices.filter { rate.devices.isEmpty || rate.devices.contains($0.name) }
        switch rate.kind {
        case "disconnect": return pairs(rate) { pair, _ in .disconnect(pair, reason: 0x13) }
        case "partition": return pairs(rate) { .partition($0, oneWay: false, duration: $1) }
        case "loss": return pairs(rate) { .loss($0, Ratio(1, 2), duration: $1) }
        case "hold": return pairs(rate) { pair, _ in .hold(pair) }
        case "delay": return pairs(rate) { .delay($0, by: .milliseconds(200), duration: $1) }
        case "throttle": return pairs(rate) { .throttle($0, to: 1, duration: $1) }
        case "uwb-loss": return pairs(rate) { .uwbLoss($0, Ratio(1, 2), duration: $1) }
        case "refuse-uwb":
            return hit.map { device in
                Target(name: device.name) { _, _ in .refuseUWB(device.name, count: 1) }
            }
        case "busy":
            return hit.map { device in
                Target(name: device.name) { length, _ in
                    .busy(device.name, by: .milliseconds(20), duration: length)
                }
            }
        case "freeze":
            return hit.map { device in Target(name: device.name) { _, _ in .freeze(device.name) } }
        case "kill":
            return hit.map { device in
                Target(name: device.name) { .kill(device.name, afterAnswers: $1) }
            }
        case "corrupt":
            return hit.map { device in
                Target(name: device.name) { _, _ in
                    .corrupt(device.name, message: nil, .flip, count: 1)
                }
            }
        default:
            let arguments = rate.kind == "bluetooth" ? [Pair("power", "off")] : []
            return hit.filter { rate.kind == "bluetooth" || $0.spec.hasSystem }.map { device in
                Target(name: device.name) { _, _ in
                    .command(device.name, name: rate.kind, arguments: arguments)
                }
            }
        }
    }

    /// Every Apple device with every accessory that the rate names (or with all).
    private func pairs(
        _ rate: RandomFaults.Rate, _ verb: @escaping (DevicePair, UInt64) -> Verb
    ) -> [Target] {
        devices.filter(\.spec.hasSystem).flatMap { phone in
            devices.filter { device in
                !device.spec.hasSystem
                    && (rate.devices.isEmpty || rate.devices.contains(device.name)
                        || rate.devices.contains(phone.name))
            }.map { accessory in
                Target(name: "\(phone.name)-\(accessory.name)") { length, _ in
                    verb(DevicePair(phone.name, accessory.name), length)
                }
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
