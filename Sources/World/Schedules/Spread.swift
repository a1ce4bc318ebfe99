package import Choices

/// For one run either no delay at all, which follows the scheduler's order most strictly, or any delay
/// that there is room for, which finds what hangs on time: a draw of the run says which.
package struct Spread: Sendable {
    private var isWide: Bool?

    /// How many nanoseconds of its `room` an event waits.
    fileprivate mutating func delay(
        of head: Head, room: UInt64, drawing decisions: inout Decisions
    ) -> UInt64 {
        let wide = isWide ?? (decisions.below(2, .schedule, 0, .spread) == 1)
        isWide = wide
        return wide ? decisions.moment(of: head, within: room) : 0
    }
}

/// A scheduler whose order alone is its own: how long events wait is drawn as ``Spread`` says.
package protocol SpreadingScheduler: Scheduler {
    /// What has been drawn of the waits.
    var spread: Spread { get set }
}

extension SpreadingScheduler {
    package mutating func delay(
        of head: Head, room: UInt64, drawing decisions: inout Decisions
    ) -> UInt64 { spread.delay(of: head, room: room, drawing: &decisions) }
}

extension Decisions.Owner {
    /// Who decides what concerns a whole schedule.
    static let schedule = Decisions.Owner("schedule")
}
