internal import Simulation

/// For one run either no delay at all, which follows the scheduler's order most strictly, or any delay
/// that there is room for, which finds what hangs on time: a draw of the run says which.
struct Spread: Sendable {
    private var isWide: Bool?

    mutating func delay(
        of head: Head, room: UInt64, drawing decisions: inout Decisions
    ) -> UInt64 {
        let wide = isWide ?? (decisions.below(2, .schedule, 0, .spread) == 1)
        isWide = wide
        return wide ? decisions.moment(of: head, within: room) : 0
    }
}

extension Decisions.Owner {
    /// Who decides what concerns a whole schedule.
    static let schedule = Decisions.Owner("schedule")
}
