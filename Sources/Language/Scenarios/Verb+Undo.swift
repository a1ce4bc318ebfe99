import Vocabulary

/// What ends a verb's disturbance, by the table of verbs: for `for:`, for the end of random faults, for
/// `heal`, and for the verb itself where a script has it.
extension Verb {
    /// The verb that ends what this one began; nil where it begins nothing, or where its own duration, or
    /// another one of its sort, does it.
    package var undo: Verb? {
        guard let undo = beginning?.form.undo else { return nil }
        return Verb(Deed(undo, at: target))
    }

    private var target: Deed.Target {
        switch self {
        case .pair(let pair, _): .pair(pair)
        case .device(let device, _): .device(device)
        }
    }

    /// What it is called where another verb ends it; nil where none does.
    private var beginning: VerbName? {
        switch self {
        case .pair(_, .hold): .hold
        case .pair(_, .partition): .partition
        case .pair(_, .obstruct(on: true)): .obstruct
        case .device(_, .kill): .kill
        case .device(_, .freeze): .freeze
        case .device(_, .command(let name, let arguments)):
            VerbForm.telling(VerbForm.Command(name: name, arguments: arguments))?.name
        case .pair, .device: nil
        }
    }

    /// Whether `other`, said by the script, ends what this verb began.
    ///
    /// A hold has a direction, and so has its release; the end of a partition or of an obstacle is that of
    /// all between the two devices.
    package func isUndone(by other: Verb) -> Bool {
        guard let undo else { return false }
        switch (undo, other) {
        case (.pair(let mine, .repair), .pair(let theirs, .repair)),
            (.pair(let mine, .obstruct(on: false)), .pair(let theirs, .obstruct(on: false))):
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
