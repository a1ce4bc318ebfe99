package import DeviceLink
package import Reports

/// Where a run halts, and what for.
package struct Halt {
    /// A place in a run, as a user names it.
    package enum Place: Equatable, Sendable {
        /// Before the first step at this moment or later.
        case moment(VirtualTime)
        /// Before the step to which the event of this number in the trace belongs.
        case event(UInt64)
    }

    /// The device that is held for a debugger.
    package struct Held: Equatable, Sendable {
        package let name: String
        /// Its process; nil where that is not ours, because it dials in.
        package let process: Int32?
    }

    /// The place; nil is before the first turn of `device`.
    package let place: Place?
    /// The device that is held at the place, or before its next turn where it has no process there; the
    /// run goes on when the user says so.
    ///
    /// Nil leaves the run at the place.
    package let device: String?
    /// Shows what the run is like at the place, and who is held.
    package let show: (RunState, Held?) throws -> Void

    package init(
        at place: Place?, holding device: String? = nil,
        show: @escaping (RunState, Held?) throws -> Void
    ) {
        self.place = place
        self.device = device
        self.show = show
    }
}
