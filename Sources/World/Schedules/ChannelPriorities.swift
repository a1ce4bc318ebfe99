package import Choices
import DeviceLink

/// PCT (Burckhardt, Kothari, Musuvathi, Nagarakatte; ASPLOS 2010): channels have random priorities, the
/// highest one goes on, and at `depth` - 1 random steps it becomes the lowest.
///
/// Of n channels and k steps a failure that needs `depth` orderings is found with a probability of at
/// least 1 / (n · k^(depth - 1)). The bound is about schedules without time: here an event of low
/// priority happens at its latest moment all the same.
package struct ChannelPriorities: SpreadingScheduler {
    private var priorities: FallingPriorities
    /// The priorities of the channels that were made lowest; looked up only.
    private var lowered: [Keyed: UInt64] = [:]
    private var picks: UInt64 = 0
    package var spread = Spread()

    init(depth: Int, _ census: Census) {
        priorities = FallingPriorities(depth: depth, census)
    }

    package mutating func pick(
        among heads: inout [Head], eligible: Range<Int>, drawing decisions: inout Decisions
    ) -> Int {
        let best = highest(of: eligible, in: heads, drawing: &decisions)
        defer { picks += 1 }
        guard let lowest = priorities.lowered(at: picks, drawing: &decisions) else { return best }
        lowered[heads[best].owner] = lowest
        return highest(of: eligible, in: heads, drawing: &decisions)
    }

    private func highest(
        of eligible: Range<Int>, in heads: [Head], drawing decisions: inout Decisions
    ) -> Int {
        strongest(of: eligible) { place in
            let head = heads[place]
            return lowered[head.owner]
                ?? FallingPriorities.priority(
                    drawn: decisions.below(
                        FallingPriorities.range, channelOf: head, 0, .priority))
        }
    }
}
