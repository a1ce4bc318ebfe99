package import DeviceLink

/// How long what a verb begins goes on.
extension Verb {
    /// Whether it goes on until something ends it.
    package var isLasting: Bool {
        switch self {
        case .pair(_, let verb): verb.isLasting
        case .device(_, .command): undo != nil
        case .device(_, let verb): verb.isLasting
        }
    }

    /// Whether it is of a kind that can have an end of its own; the trace marks it as one.
    package var mayEndByItself: Bool {
        switch self {
        case .pair(_, .loss), .pair(_, .uwbLoss), .pair(_, .delay), .pair(_, .throttle),
            .pair(_, .partition), .device(_, .busy):
            true
        default: false
        }
    }

    /// How long it goes on by itself, in nanoseconds; nil where something else ends it, or nothing.
    package var duration: Nanoseconds? {
        switch self {
        case .pair(_, .loss(_, let duration)), .pair(_, .uwbLoss(_, let duration)),
            .pair(_, .delay(_, let duration)), .pair(_, .throttle(_, let duration)),
            .pair(_, .partition(_, let duration)), .device(_, .busy(_, let duration)):
            duration
        default: nil
        }
    }
}

extension PairVerb {
    fileprivate var isLasting: Bool {
        switch self {
        case .loss(let ratio, _), .uwbLoss(let ratio, _): ratio.numerator > 0
        case .delay(let delay, _): delay > 0
        case .throttle, .hold, .partition: true
        case .obstruct(let on): on
        case .disconnect, .release, .repair: false
        }
    }
}

extension DeviceVerb {
    /// Without a command: its row says what ends it.
    fileprivate var isLasting: Bool {
        switch self {
        case .busy(let delay, _): delay > 0
        case .kill, .freeze, .corrupt, .refuseUWB: true
        case .restart, .thaw, .move, .turn, .rotate, .light, .command: false
        }
    }
}
