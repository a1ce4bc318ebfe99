package import Choices

/// Every event draws when it happens, and the first is picked: what a network does.
///
/// It follows the clock best of all, and finds what hangs on timeouts; an inversion that needs two
/// unlikely latencies is as unlikely as both. It has no bound.
package struct LatencySampling: Scheduler {
    /// How latencies are drawn from the time that an event has.
    package enum Shape: Sendable {
        /// Any is as likely as any other.
        case uniform
        /// Most are short, few are long, and now and then a channel is clogged: for eight events in a
        /// row each takes all the time that it has.
        case heavyTailed
    }

    private let shape: Shape
    /// The moment that none of the eligible events may pass.
    private var frontier = UInt64.max

    init(_ shape: Shape) { self.shape = shape }

    package mutating func pick(
        among heads: inout [Head], eligible: Range<Int>, drawing decisions: inout Decisions
    ) -> Int {
        var (best, first) = (eligible.lowerBound, UInt64.max)
        frontier = .max
        for index in eligible {
            let moment = moment(of: heads[index], drawing: &decisions)
            if moment < first { (best, first) = (index, moment) }
            frontier = min(frontier, heads[index].latest)
        }
        return best
    }

    package mutating func delay(
        of head: Head, room: UInt64, drawing decisions: inout Decisions
    ) -> UInt64 {
        let begin = frontier - room
        let moment = moment(of: head, drawing: &decisions)
        return moment > begin ? min(moment - begin, room) : 0
    }

    private func moment(of head: Head, drawing decisions: inout Decisions) -> UInt64 {
        let width = head.latest == .max ? 0 : head.latest - head.earliest
        guard width > 0 else { return head.earliest }
        switch shape {
        case .uniform: return head.earliest + decisions.below(width + 1, of: head, .delay)
        case .heavyTailed:
            if decisions.below(16, channelOf: head, head.ordinal / 8, .clog) == 15 {
                return head.latest
            }
            // Halved between no and sixteen times: as likely between 1 and 2 ms as between 2 and 4.
            let halvings = 16 - decisions.below(17, of: head, .pick)
            return head.earliest + decisions.below((width >> halvings) + 1, of: head, .delay)
        }
    }
}
