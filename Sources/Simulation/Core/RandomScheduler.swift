internal import DeviceLink

/// A uniform random walk: at every step each eligible event is equally likely, and happens anywhere
/// in the time it has.
///
/// Each look at an event draws anew from (seed, event, how often it was looked at), so that removing
/// a device leaves the order of the others much as it was.
package struct RandomScheduler: Scheduler {
    package let name = "random"
    package let isPlain = false
    private let key: Keyed

    /// The random scheduler of a seed.
    package init(seed: UInt64) { key = Keyed(seed).with("scheduler") }

    package mutating func pick(among heads: inout [Head], eligible: Range<Int>) -> Int {
        var best = eligible.lowerBound
        var bestDraw: UInt64 = 0
        for index in eligible {
            let draw = key.with(heads[index].key).with(heads[index].considered).value
            heads[index].considered += 1
            if draw >= bestDraw {
                best = index
                bestDraw = draw
            }
        }
        return best
    }

    package mutating func delay(of head: Head, room: UInt64) -> UInt64 {
        room == 0 ? 0 : key.with(head.key).with("delay").below(room + 1)
    }
}
