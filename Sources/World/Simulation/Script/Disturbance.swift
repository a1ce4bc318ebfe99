import Airs
import Scenarios

/// What goes on from the moment a verb began it until something ends it.
///
/// All that are active at once are in one list, in the order in which they began. What a way between two
/// devices is like, and whether a device stays frozen, dead or told something, follows from that list, so
/// that the end of one leaves the others.
struct Disturbance: Sendable {
    /// Which one it is: the item that began it, and which time that was, from 0.
    struct ID: Equatable, Sendable {
        let item: Int
        let time: Int
    }

    let id: ID
    let verb: Verb
    /// How often it can still strike, where it is armed for something; it ends with the last time.
    var left: Int
    /// Whether it has struck, where it is armed for something.
    var hasStruck = false

    init(_ id: ID, _ verb: Verb) {
        (self.id, self.verb) = (id, verb)
        left =
            switch verb {
            case .device(_, .corrupt(_, _, let count)), .device(_, .refuseUWB(let count, _)): count
            default: 0
            }
    }

    /// Whether a verb that has no end of its own takes its place: another one of its sort, which has none
    /// either, between the same two devices or for the same one.
    func isReplaced(by other: Verb) -> Bool {
        guard verb.duration == nil, other.duration == nil else { return false }
        return switch (verb, other) {
        case (.pair(let mine, .loss), .pair(let theirs, .loss)),
            (.pair(let mine, .uwbLoss), .pair(let theirs, .uwbLoss)),
            (.pair(let mine, .delay), .pair(let theirs, .delay)),
            (.pair(let mine, .throttle), .pair(let theirs, .throttle)):
            mine.isSame(as: theirs)
        case (.device(let mine, .busy), .device(let theirs, .busy)): mine == theirs
        default: false
        }
    }

    /// Whether it is over with the process of a device: a new one is not frozen and was told nothing.
    func dies(with device: String) -> Bool {
        switch verb {
        case .device(device, .freeze), .device(device, .command): true
        default: false
        }
    }
}

// What follows from all that are active.
extension Script {
    /// What holds for what `from` sends to `to`, without one of the disturbances.
    func conditions(
        from: Int, to: Int, without ended: Disturbance.ID? = nil, in surroundings: Surroundings
    ) -> Conditions {
        var conditions = surroundings.undisturbed(from: from, to: to)
        let way = DevicePair(surroundings.name(of: from), surroundings.name(of: to))
        if cleared.contains(where: { $0.isSame(as: way) }) { conditions.isObstructed = false }
        for disturbance in active where disturbance.id != ended {
            guard case .pair(let pair, let verb) = disturbance.verb, pair.isSame(as: way) else {
                continue
            }
            conditions.suffer(verb, isForward: pair.first == way.first)
        }
        return conditions
    }

    /// How much longer a device's queues keep what is posted to them, without one of the disturbances.
    func queueWait(of device: String, without ended: Disturbance.ID? = nil) -> UInt64 {
        active.reduce(0) { wait, disturbance in
            guard disturbance.id != ended, case .device(device, .busy(let by, _)) = disturbance.verb
            else { return wait }
            return max(wait, by)
        }
    }

    /// Lets what holds between two devices follow from the disturbances; hits where it is different now.
    func refreshAir(
        _ places: (first: Int, second: Int), in surroundings: Surroundings
    ) -> (isHit: Bool, effects: [Effect]) {
        let (first, second) = places
        let before = (
            surroundings.conditions(from: first, to: second),
            surroundings.conditions(from: second, to: first)
        )
        let after = (
            conditions(from: first, to: second, in: surroundings),
            conditions(from: second, to: first, in: surroundings)
        )
        return (
            before != after,
            [.change(from: first, to: second, there: after.0, back: after.1)]
        )
    }

    /// The same for a hold, which is none of the air: what a host is told waits.
    func refreshHold(
        _ places: (first: Int, second: Int), in surroundings: Surroundings
    ) -> (isHit: Bool, effects: [Effect]) {
        let (first, second) = places
        let isHeld = conditions(from: first, to: second, in: surroundings).isHeld
        guard surroundings.conditions(from: first, to: second).isHeld != isHeld else {
            return (false, [])
        }
        return (true, [.hold(from: first, to: second, isHeld: isHeld)])
    }

    /// The same for a device's queues.
    func refreshQueues(
        of device: Int, in surroundings: Surroundings
    ) -> (isHit: Bool, effects: [Effect]) {
        let wait = queueWait(of: surroundings.name(of: device))
        return (wait != surroundings.queueWait(of: device), [.keepQueues(of: device, wait)])
    }
}
