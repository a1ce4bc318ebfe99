internal import Vocabulary

/// What ends a verb's disturbance, by the table of verbs: for `for:`, for the end of random faults, for
/// `heal`, and for the verb itself where a script has it.
extension Verb {
    /// The verb that ends what this one began; nil where it begins nothing, or where its own duration, or
    /// another one of its sort, does it.
    package var undo: Verb? {
        guard let began, let undo = began.name.form.undo else { return nil }
        return Verb(Deed(undo, at: began.target))
    }

    /// The deed that begins what another verb ends; nil where no other does.
    private var began: Deed? {
        switch self {
        case .hold(let pair): Deed(.hold, at: .pair(pair))
        case .partition(let pair, _, _): Deed(.partition, at: .pair(pair))
        case .obstruct(let pair, on: true): Deed(.obstruct, at: .pair(pair))
        case .kill(let device, _): Deed(.kill, at: .device(device))
        case .freeze(let device): Deed(.freeze, at: .device(device))
        case .command(let device, let name, let arguments):
            VerbForm.telling(VerbForm.Command(name: name, arguments: arguments)).map {
                Deed($0.name, at: .device(device))
            }
        case .disconnect, .loss, .uwbLoss, .delay, .throttle, .release, .repair, .move, .turn,
            .rotate, .light, .obstruct, .restart, .thaw, .busy, .corrupt, .refuseUWB:
            nil
        }
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
