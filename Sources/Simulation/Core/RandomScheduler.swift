/// A uniform random walk: at every step each eligible event is equally likely, and happens anywhere
/// in the time it has.
///
/// Each look at an event is a decision of its own (event, how often it was looked at): the strongest
/// wins. So removing a device leaves the order of the others much as it was.
package struct RandomScheduler: Scheduler {
    package let name = "random"
    package let isPlain = false

    /// The random scheduler.
    package init() {}

    package mutating func pick(
        among heads: inout [Head], eligible: Range<Int>, drawing decisions: inout Decisions
    ) -> Int {
        var best = eligible.lowerBound
        var strongest: UInt64 = 0
        for index in eligible {
            let strength = decisions.below(.max, heads[index], .pick)
            heads[index].looks += 1
            if strength > strongest {
                best = index
                strongest = strength
            }
        }
        return best
    }

    package mutating func delay(
        of head: Head, room: UInt64, drawing decisions: inout Decisions
    ) -> UInt64 {
        // One more than the room, which may be all there is, counts it in.
        decisions.below(room == .max ? room : room + 1, head, .delay)
    }
}
