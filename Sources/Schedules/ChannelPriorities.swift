internal import DeviceLink
package import Simulation

/// PCT (Burckhardt, Kothari, Musuvathi, Nagarakatte; ASPLOS 2010): channels have random priorities, the
/// highest one goes on, and at `depth` - 1 random steps it becomes the lowest.
///
/// Of n channels and k steps a failure that needs `depth` orderings is found with a probability of at
/// least 1 / (n · k^(depth - 1)). The bound is about schedules without time: here an event of low
/// priority happens at its latest moment all the same.
package struct ChannelPriorities: Scheduler {
    package let isPlain = false
    private var changes: ChangePoints
    /// The priorities of the channels that were made lowest; looked up only.
    private var lowered: [Keyed: UInt64] = [:]
    private var lowest = drawnPriorities
    private var picks: UInt64 = 0
    private var spread = Spread()

    init(depth: Int, _ census: Census) {
        changes = ChangePoints(depth - 1, among: census.steps)
    }

    package mutating func pick(
        among heads: inout [Head], eligible: Range<Int>, drawing decisions: inout Decisions
    ) -> Int {
        let best = highest(of: eligible, in: heads, drawing: &decisions)
        defer { picks += 1 }
        guard changes.contains(picks, drawing: &decisions) else { return best }
        lowest -= 1
        lowered[heads[best].owner] = lowest
        return highest(of: eligible, in: heads, drawing: &decisions)
    }

    private func highest(
        of eligible: Range<Int>, in heads: [Head], drawing decisions: inout Decisions
    ) -> Int {
        strongest(of: eligible) { place in
            let head = heads[place]
            return lowered[head.owner]
                ?? drawnPriorities + decisions.below(1 << 60, channelOf: head, 0, .priority)
        }
    }

    package mutating func delay(
        of head: Head, room: UInt64, drawing decisions: inout Decisions
    ) -> UInt64 { spread.delay(of: head, room: room, drawing: &decisions) }
}

/// Priorities that are drawn are not below this; those of what was made lowest are.
let drawnPriorities: UInt64 = 1 << 20
