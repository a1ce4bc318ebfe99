package import Choices

/// A uniform random walk: at every step each eligible event is equally likely, and happens anywhere
/// in the time it has.
///
/// Each look at an event is a decision of its own (event, how often it was looked at): the strongest
/// wins. So removing a device leaves the order of the others much as it was.
///
/// It has no useful bound: one interleaving may be exponentially unlikely. It is the row that every
/// comparison must have.
package struct RandomWalk: Scheduler {
    package init() {}

    package mutating func pick(
        among heads: inout [Head], eligible: Range<Int>, drawing decisions: inout Decisions
    ) -> Int {
        // Where there is no choice, nothing is decided.
        let best =
            eligible.count == 1
            ? eligible.lowerBound : strongest(of: eligible, in: heads, drawing: &decisions)
        for index in eligible { heads[index].looks += 1 }
        return best
    }
}

/// The place whose strength is the greatest, the first of them where several are.
func strongest(of places: some Sequence<Int>, by strength: (Int) -> UInt64) -> Int {
    var (best, greatest): (Int?, UInt64) = (nil, 0)
    for place in places {
        let own = strength(place)
        if best == nil || own > greatest { (best, greatest) = (place, own) }
    }
    return best ?? 0
}

/// The place of the head whose decision at this look is the greatest.
func strongest(
    of places: some Sequence<Int>, in heads: [Head], drawing decisions: inout Decisions
) -> Int {
    strongest(of: places) { decisions.below(.max, of: heads[$0], .pick) }
}
