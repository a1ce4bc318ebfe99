/// Who decides which of several possible events happens next.
package protocol Scheduler: Sendable {
    /// Whether it always takes the smallest (earliest, order of creation) without delay, so that
    /// grants of one instant may be sent ahead as a batch.
    var isPlain: Bool { get }
    /// Picks one of the eligible heads (at least one), which are sorted by (earliest, order).
    ///
    /// What it draws are decisions; where all of them are 0, it picks the first.
    mutating func pick(
        among heads: inout [Head], eligible: Range<Int>, drawing decisions: inout Decisions
    ) -> Int
    /// How much later than it could the picked event happens, at most `room` nanoseconds.
    mutating func delay(of head: Head, room: UInt64, drawing decisions: inout Decisions) -> UInt64
}

extension Scheduler {
    package var isPlain: Bool { false }

    /// Any delay that there is room for.
    package mutating func delay(
        of head: Head, room: UInt64, drawing decisions: inout Decisions
    ) -> UInt64 { decisions.moment(of: head, within: room) }
}

extension Decisions {
    /// How much later than it could an event happens, at most `room` nanoseconds.
    package mutating func moment(of head: Head, within room: UInt64) -> UInt64 {
        // One more than the room, which may be all there is, counts it in.
        below(room == .max ? room : room + 1, of: head, .delay)
    }
}
