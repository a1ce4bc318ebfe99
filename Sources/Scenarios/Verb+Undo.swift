internal import Vocabulary

/// What ends a verb's disturbance.
///
/// This is the one place that says so: for `for:`, for the end of random faults, for `heal`, and for the
/// verb itself where a script has it.
extension Verb {
    /// The verb that ends what this one began; nil where it begins nothing, or where its own duration, or
    /// another one of its sort, does it.
    package var undo: Verb? {
        switch self {
        case .hold(let pair): .release(pair)
        case .partition(let pair, _, _): .repair(pair)
        case .obstruct(let pair, on: true): .obstruct(pair, on: false)
        case .kill(let device, _): .restart(device)
        case .freeze(let device): .thaw(device)
        case .command(let device, let name, let arguments):
            Self.undoing(VerbForm.Command(name: name, arguments: arguments)).map {
                .command(device, name: $0.name, arguments: $0.arguments)
            }
        case .disconnect, .loss, .uwbLoss, .delay, .throttle, .release, .repair, .move, .obstruct,
            .restart, .thaw, .busy, .corrupt, .refuseUWB:
            nil
        }
    }

    private static func undoing(_ command: VerbForm.Command) -> VerbForm.Command? {
        VerbForm.all.first { $0.command == command }?.undo.flatMap(VerbForm.named)?.command
    }

    /// Whether `other`, said by the script, ends what this verb began.
    ///
    /// A hold has a direction, and so has its release; the end of a partition or of an obstacle is that of
    /// all between the two devices.
    package func isUndone(by other: Verb) -> Bool {
        guard let undo else { return false }
        switch (undo, other) {
        case (.repair(let mine), .repair(let theirs)),
            (.obstruct(let mine, on: false), .obstruct(let theirs, on: false)):
            return mine.isSame(as: theirs)
        default: return undo == other
        }
    }
}

extension DevicePair {
    /// Whether the same two devices are meant, in any order.
    package func isSame(as other: DevicePair) -> Bool {
        self == other || self == DevicePair(other.second, other.first)
    }
}
