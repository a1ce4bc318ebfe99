package import Choices

/// Each timer of a device fires as late as its slack allows, and behind all else of that moment; everything else happens
/// at once.
///
/// So a device waits for as long as it ever may, and a fault that strikes when a timer is due finds it waiting yet: first
/// come, first served, the timer would be over, or the news of the fault a little too late. A sweep meets each window
/// that a timer opens in this way, however short. It draws nothing, so that it is one order, and has no bound.
package struct LateTimers: Scheduler {
    package init() {}

    package mutating func pick(
        among heads: inout [Head], eligible: Range<Int>, drawing decisions: inout Decisions
    ) -> Int {
        // No timer may pass another one's latest moment, nor anything else its own earliest one.
        eligible.first { !heads[$0].isTimer }
            ?? eligible.min { heads[$0].latest < heads[$1].latest } ?? eligible.lowerBound
    }

    package mutating func delay(
        of head: Head, room: UInt64, drawing decisions: inout Decisions
    ) -> UInt64 { head.isTimer ? room : 0 }
}
