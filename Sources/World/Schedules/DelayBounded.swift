package import Choices

/// Delay bounding (Emmi, Qadeer, Rakamarić; POPL 2011): first come, first served, but at no more than
/// `bound` random steps the next but one goes first.
///
/// It is complete for `bound` delays where all are enumerated; drawn as here, each schedule with so many
/// delays is as likely as another. Few deviations make failures that are easy to read.
package struct DelayBounded: Scheduler {
    private var delays: ChangePoints
    private var picks: UInt64 = 0

    init(bound: Int, _ census: Census) {
        delays = ChangePoints(bound, among: census.steps)
    }

    package mutating func pick(
        among heads: inout [Head], eligible: Range<Int>, drawing decisions: inout Decisions
    ) -> Int {
        defer { picks += 1 }
        return delays.contains(picks, drawing: &decisions) && eligible.count > 1
            ? eligible.lowerBound + 1 : eligible.lowerBound
    }

    package mutating func delay(
        of head: Head, room: UInt64, drawing decisions: inout Decisions
    ) -> UInt64 { 0 }
}
