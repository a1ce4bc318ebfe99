package import DeviceLink
internal import Traces

/// What the script and the trace have of a verb.
extension Verb {
    /// Whether it is something we do to a run on purpose so that it goes wrong.
    ///
    /// Places are not: they are what the surroundings are like.
    package var isFault: Bool {
        switch self {
        case .move, .turn, .rotate, .light: false
        case .command: kind == .faultCommand
        default: true
        }
    }

    /// Whether it is the wish of whoever uses a device, to which the device may do what it wants.
    package var isOfUser: Bool { kind == .userStart || kind == .userStop }

    /// The two devices between which it changes something; nil where it is done to one.
    package var pair: DevicePair? {
        switch self {
        case .disconnect(let pair, _), .loss(let pair, _, _), .uwbLoss(let pair, _, _),
            .delay(let pair, _, _), .throttle(let pair, _, _), .hold(let pair), .release(let pair),
            .partition(let pair, _, _), .repair(let pair), .obstruct(let pair, _):
            pair
        default: nil
        }
    }

    /// The device it is done to; nil for a pair.
    package var target: String? {
        switch self {
        case .move(let device, _, _), .turn(let device, _, _, _), .rotate(let device, _),
            .light(let device, _), .kill(let device, _), .restart(let device),
            .freeze(let device),
            .thaw(let device), .busy(let device, _, _), .corrupt(let device, _, _, _),
            .refuseUWB(let device, _, _),
            .command(let device, _, _):
            device
        default: nil
        }
    }

    /// The kind of its event in the trace.
    package var kind: EventKind {
        switch self {
        case .disconnect: .faultDisconnect
        case .loss: .faultLoss
        case .uwbLoss: .faultUWBLoss
        case .delay: .faultDelay
        case .throttle: .faultThrottle
        case .hold: .faultHold
        case .release: .faultRelease
        case .partition: .faultPartition
        case .repair: .faultRepair
        case .move, .turn, .rotate, .light: .faultMove
        case .obstruct(_, on: true): .faultObstruct
        case .obstruct(_, on: false): .faultClear
        case .kill: .faultKill
        case .restart: .faultRestart
        case .freeze: .faultFreeze
        case .thaw: .faultThaw
        case .corrupt: .faultCorrupt
        case .refuseUWB: .faultRefuseUWB
        case .busy: .faultBusy
        case .command(_, "start", _): .userStart
        case .command(_, "stop", _): .userStop
        case .command: .faultCommand
        }
    }

    /// The fields of its event in the trace.
    package var fields: [Field] {
        switch self {
        case .disconnect(let pair, let reason):
            pair.fields + [Field("reason", .number(Int64(reason)))]
        case .loss(let pair, let ratio, _), .uwbLoss(let pair, let ratio, _):
            pair.fields + [Field("ratio", .text("\(ratio.numerator)/\(ratio.denominator)"))]
        case .delay(let pair, let delay, _): pair.fields + [Field("by", .number(Int64(delay)))]
        case .throttle(let pair, let count, _): pair.fields + [Field("to", .number(Int64(count)))]
        case .hold(let pair), .release(let pair), .repair(let pair), .obstruct(let pair, _):
            pair.fields
        case .partition(let pair, let oneWay, _): pair.fields + [Field("one-way", .flag(oneWay))]
        case .kill(_, let answers): [Field("after-answers", .number(Int64(answers)))]
        case .corrupt(_, let message, _, let count):
            [Field("message", .text(message ?? "any")), Field("count", .number(Int64(count)))]
        case .refuseUWB(_, let count, let status):
            [Field("count", .number(Int64(count)))]
                + (status == 1 ? [] : [Field("status", .number(Int64(status)))])
        case .busy(_, let delay, _): [Field("by", .number(Int64(delay)))]
        case .command(_, let name, let arguments):
            (isOfUser ? [] : [Field("command", .text(name))])
                + arguments.map { Field($0.name, .text($0.value)) }
        case .move, .turn, .rotate, .light, .restart, .freeze, .thaw: []
        }
    }
}

extension DevicePair {
    fileprivate var fields: [Field] {
        [Field("between", .text(first)), Field("and", .text(second))]
    }
}
