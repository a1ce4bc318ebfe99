package import DeviceLink

/// How long what a verb begins goes on.
extension Verb {
    /// Whether it goes on until something ends it.
    package var isLasting: Bool {
        switch self {
        case .loss(_, let ratio, _), .uwbLoss(_, let ratio, _): ratio.numerator > 0
        case .delay(_, let delay, _), .busy(_, let delay, _): delay > 0
        case .throttle, .hold, .partition, .kill, .freeze, .corrupt, .refuseUWB: true
        case .obstruct(_, let on): on
        case .command: undo != nil
        case .disconnect, .release, .repair, .restart, .thaw, .move, .turn, .rotate, .light: false
        }
    }

    /// Whether it is of a kind that can have an end of its own; the trace marks it as one.
    package var mayEndByItself: Bool {
        switch self {
        case .loss, .uwbLoss, .delay, .throttle, .partition, .busy: true
        default: false
        }
    }

    /// How long it goes on by itself, in nanoseconds; nil where something else ends it, or nothing.
    package var duration: Nanoseconds? {
        switch self {
        case .loss(_, _, let duration), .uwbLoss(_, _, let duration), .delay(_, _, let duration),
            .throttle(_, _, let duration), .partition(_, _, let duration),
            .busy(_, _, let duration):
            duration
        default: nil
        }
    }
}
