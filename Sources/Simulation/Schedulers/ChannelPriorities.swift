internal import DeviceLink

/// PCT (Burckhardt, Kothari, Musuvathi, Nagarakatte; ASPLOS 2010): channels have random priorities, the
/// highest one goes on, and at `depth` - 1 random steps it becomes the lowest.
///
/// Of n channels and k steps a failure that needs `depth` orderings is found with a probability of at
/// least 1 / (n · k^(depth - 1)). The bound is about schedules without time: here an event of low
/// priority happens at its latest moment all the same.
package struct ChannelPriorities: Scheduler {
    package let isPlain = false
    private var changes: [UInt64]
    private let depth: Int
    private let steps: UInt64
    /// The channels that were made lowest, the lowest last; looked up only.
    private var lowered: [Keyed: Int] = [:]
    private var picks: UInt64 = 0
    private var spread = Spread()

    init(depth: Int, _ census: Census) {
        self.depth = depth
        steps = census.steps
        changes = []
    }

    package mutating func pick(
        among heads: inout [Head], eligible: Range<Int>, drawing decisions: inout Decisions
    ) -> Int {
        if picks == 0 { changes = decisions.changePoints(depth - 1, among: steps) }
        let best = highest(of: eligible, in: heads, drawing: &decisions)
        defer { picks += 1 }
        guard changes.contains(picks) else { return best }
        lowered[heads[best].owner] = lowered.count + 1
        return highest(of: eligible, in: heads, drawing: &decisions)
    }

    private func highest(
        of eligible: Range<Int>, in heads: [Head], drawing decisions: inout Decisions
    ) -> Int {
        var (best, greatest): (Int?, UInt64) = (nil, 0)
        for index in eligible {
            let priority = decisions.priority(heads[index].owner, heads[index], lowered)
            if best == nil || priority > greatest { (best, greatest) = (index, priority) }
        }
        return best ?? eligible.lowerBound
    }

    package mutating func delay(
        of head: Head, room: UInt64, drawing decisions: inout Decisions
    ) -> UInt64 { spread.delay(of: head, room: room, drawing: &decisions) }
}

extension Decisions {
    /// Different places below `bound` where a schedule changes its mind.
    mutating func changePoints(_ count: Int, among bound: UInt64) -> [UInt64] {
        (0..<max(count, 0)).map { below(max(bound, 1), .schedule, UInt64($0), .changePoint) }
    }

    /// The priority of a channel: drawn, and below all that are drawn where it was lowered.
    fileprivate mutating func priority(
        _ owner: Keyed, _ head: Head, _ lowered: [Keyed: Int]
    ) -> UInt64 {
        let lowest: UInt64 = 1 << 20
        if let place = lowered[owner] { return lowest - UInt64(place) }
        return lowest + below(1 << 60, channelOf: head, 0, .priority)
    }
}
