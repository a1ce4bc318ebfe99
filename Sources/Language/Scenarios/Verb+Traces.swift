package import DeviceLink

/// What the script and the trace have of a verb.
extension Verb {
    /// Whether it is something we do to a run on purpose so that it goes wrong.
    ///
    /// Places are not: they are what the surroundings are like.
    package var isFault: Bool {
        switch self {
        case .device(_, .move), .device(_, .turn), .device(_, .rotate), .device(_, .light): false
        case .device(_, .command): kind == .faultCommand
        case .device, .pair: true
        }
    }

    /// Whether it is the wish of whoever uses a device, to which the device may do what it wants.
    package var isOfUser: Bool { kind == .userStart || kind == .userStop }

    /// The two devices between which it changes something; nil where it is done to one.
    package var pair: DevicePair? {
        if case .pair(let pair, _) = self { pair } else { nil }
    }

    /// The device it is done to; nil for a pair.
    package var device: String? {
        if case .device(let device, _) = self { device } else { nil }
    }

    package var kind: EventKind {
        switch self {
        case .pair(_, let verb): verb.kind
        case .device(_, let verb): verb.kind
        }
    }

    package var fields: [Field] {
        switch self {
        case .pair(let pair, let verb):
            [Field("between", .text(pair.first)), Field("and", .text(pair.second))] + verb.fields
        case .device(_, .command(let name, let arguments)):
            (isOfUser ? [] : [Field("command", .text(name))])
                + arguments.map { Field($0.name, .text($0.value)) }
        case .device(_, let verb): verb.fields
        }
    }
}

extension PairVerb {
    fileprivate var kind: EventKind {
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
        case .obstruct(on: true): .faultObstruct
        case .obstruct(on: false): .faultClear
        }
    }

    fileprivate var fields: [Field] {
        switch self {
        case .disconnect(let reason): [Field("reason", .number(Int64(reason)))]
        case .loss(let ratio, _), .uwbLoss(let ratio, _):
            [Field("ratio", .text("\(ratio.numerator)/\(ratio.denominator)"))]
        case .delay(let delay, _): [Field("by", .number(Int64(delay)))]
        case .throttle(let count, _): [Field("to", .number(Int64(count)))]
        case .partition(let oneWay, _): [Field("one-way", .flag(oneWay))]
        case .hold, .release, .repair, .obstruct: []
        }
    }
}

extension DeviceVerb {
    fileprivate var kind: EventKind {
        switch self {
        case .move, .turn, .rotate, .light: .faultMove
        case .kill: .faultKill
        case .restart: .faultRestart
        case .freeze: .faultFreeze
        case .thaw: .faultThaw
        case .corrupt: .faultCorrupt
        case .refuseUWB: .faultRefuseUWB
        case .busy: .faultBusy
        case .command("start", _): .userStart
        case .command("stop", _): .userStop
        case .command: .faultCommand
        }
    }

    /// Without those of a command.
    fileprivate var fields: [Field] {
        switch self {
        case .kill(let answers): [Field("after-answers", .number(Int64(answers)))]
        case .corrupt(let message, _, let count):
            [Field("message", .text(message ?? "any")), Field("count", .number(Int64(count)))]
        case .refuseUWB(let count, let status):
            [Field("count", .number(Int64(count)))]
                + (status == 1 ? [] : [Field("status", .number(Int64(status)))])
        case .busy(let delay, _): [Field("by", .number(Int64(delay)))]
        case .move, .turn, .rotate, .light, .restart, .freeze, .thaw, .command: []
        }
    }
}
