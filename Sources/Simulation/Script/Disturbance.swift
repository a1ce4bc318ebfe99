internal import DeviceLink
internal import Scenarios

/// What goes on from the moment a verb began it until something ends it.
///
/// All that are active at once are in one list, in the order in which they began. What a way between two
/// devices is like, and whether a device stays frozen, dead or told something, follows from that list, so
/// that the end of one leaves the others.
struct Disturbance: Sendable {
    /// Which one it is: the item that began it, and which time that was, from 0.
    struct ID: Equatable, Sendable {
        package let item: Int
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
            case .corrupt(_, _, _, let count), .refuseUWB(_, let count): count
            default: 0
            }
    }

    /// Whether a verb that has no end of its own takes its place: another one of its sort, which has none
    /// either, between the same two devices or for the same one.
    func isReplaced(by other: Verb) -> Bool {
        guard verb.duration == nil, other.duration == nil else { return false }
        return switch (verb, other) {
        case (.loss(let mine, _, _), .loss(let theirs, _, _)),
            (.uwbLoss(let mine, _, _), .uwbLoss(let theirs, _, _)),
            (.delay(let mine, _, _), .delay(let theirs, _, _)),
            (.throttle(let mine, _, _), .throttle(let theirs, _, _)):
            mine.isSame(as: theirs)
        case (.busy(let mine, _, _), .busy(let theirs, _, _)): mine == theirs
        default: false
        }
    }

    /// Whether it is over with the process of a device: a new one is not frozen and was told nothing.
    func dies(with device: String) -> Bool {
        switch verb {
        case .freeze(device), .command(device, _, _): true
        default: false
        }
    }
}

extension Verb {
    /// Whether it goes on until something ends it.
    var isLasting: Bool {
        switch self {
        case .loss(_, let ratio, _), .uwbLoss(_, let ratio, _): ratio.numerator > 0
        case .delay(_, let delay, _), .busy(_, let delay, _): delay > 0
        case .throttle, .hold, .partition, .kill, .freeze, .corrupt, .refuseUWB: true
        case .obstruct(_, let on): on
        case .command: undo != nil
        case .disconnect, .release, .repair, .restart, .thaw, .move: false
        }
    }

    /// Whether it is of a kind that can have an end of its own; the trace marks it as one.
    var mayEndByItself: Bool {
        switch self {
        case .loss, .uwbLoss, .delay, .throttle, .partition, .busy: true
        default: false
        }
    }

    /// How long it goes on by itself, in nanoseconds; nil where something else ends it, or nothing.
    var duration: UInt64? {
        switch self {
        case .loss(_, _, let duration), .uwbLoss(_, _, let duration), .delay(_, _, let duration),
            .throttle(_, _, let duration), .partition(_, _, let duration),
            .busy(_, _, let duration):
            duration
        default: nil
        }
    }
}

// What follows from all that are active.
extension World {
    /// What holds for what `from` sends to `to`, without one of the disturbances.
    func conditions(from: Int, to: Int, without ended: Disturbance.ID? = nil) -> Conditions {
        var conditions = ways.undisturbed(from: from, to: to)
        let (sender, receiver) = (devices[from].name, devices[to].name)
        for disturbance in script.active where disturbance.id != ended {
            guard let pair = disturbance.verb.pair,
                pair.isSame(as: DevicePair(sender, receiver))
            else { continue }
            conditions.suffer(disturbance.verb, isForward: pair.first == sender)
        }
        return conditions
    }

    /// How much longer a device's queues keep what is posted to them, without one of the disturbances.
    func queueWait(of device: String, without ended: Disturbance.ID? = nil) -> UInt64 {
        script.active.reduce(0) { wait, disturbance in
            guard disturbance.id != ended, case .busy(device, let by, _) = disturbance.verb else {
                return wait
            }
            return max(wait, by)
        }
    }

    /// Lets what holds between two devices follow from the disturbances; says whether it is different now.
    mutating func refreshAir(_ pair: DevicePair) -> Bool {
        guard let first = index(of: pair.first), let second = index(of: pair.second) else {
            return false
        }
        let before = (
            ways.conditions(from: first, to: second),
            ways.conditions(from: second, to: first)
        )
        let after = (
            conditions(from: first, to: second), conditions(from: second, to: first)
        )
        changeAir { world in
            world.ways.set(after.0, from: first, to: second)
            world.ways.set(after.1, from: second, to: first)
        }
        return before != after
    }

    /// The same for a hold, which is none of the air: what a host is told waits.
    mutating func refreshHold(_ pair: DevicePair) -> Bool {
        guard let first = index(of: pair.first), let second = index(of: pair.second) else {
            return false
        }
        let isHeld = conditions(from: first, to: second).isHeld
        var present = ways.conditions(from: first, to: second)
        guard present.isHeld != isHeld else { return false }
        present.isHeld = isHeld
        ways.set(present, from: first, to: second)
        if isHeld { hold(from: first, to: second) } else { release(from: first, to: second) }
        return true
    }

    /// The same for a device's queues.
    mutating func refreshQueues(of device: String) -> Bool {
        guard let index = index(of: device) else { return false }
        let before = devices[index].queueWait
        devices[index].queueWait = queueWait(of: device)
        return devices[index].queueWait != before
    }
}
