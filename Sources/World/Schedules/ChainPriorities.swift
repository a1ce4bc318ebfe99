package import Choices

/// PCTCP (Ozkan, Majumdar, Niksic, Tabaei Befrouei, Weissenbacher; OOPSLA 2018): PCT for messages.
///
/// Events form chains of cause and effect, chains have random priorities, and at `depth` - 1 random events the
/// chain becomes the lowest.
///
/// Of m events in chains of which at most w are open at a time, a failure that needs `depth` orderings is
/// found with a probability of at least 1 / (w² · m^(depth - 1)); neither has to be known, but m is
/// estimated by the census. The bound is about schedules without time: here an event of low priority
/// happens at its latest moment all the same.
package struct ChainPriorities: SpreadingScheduler {
    private var falling: FallingPriorities
    /// For each event that may become a cause, its chain; looked up only.
    private var chains: [UInt64: Int] = [:]
    /// The last event of each chain.
    private var tails: [UInt64] = []
    private var priorities: [UInt64] = []
    private var seen: UInt64 = 0
    package var spread = Spread()

    init(depth: Int, _ census: Census) {
        falling = FallingPriorities(depth: depth, census)
    }

    package mutating func pick(
        among heads: inout [Head], eligible: Range<Int>, drawing decisions: inout Decisions
    ) -> Int {
        strongest(of: eligible) { place in
            let head = heads[place]
            return priorities[chains[head.order] ?? join(head, drawing: &decisions)]
        }
    }

    /// An event is seen for the first time: it goes on its cause's chain, or opens another.
    private mutating func join(_ head: Head, drawing decisions: inout Decisions) -> Int {
        var chain = tails.count
        if let cause = chains[head.cause], tails[cause] == head.cause {
            chain = cause
            tails[chain] = head.order
        } else {
            tails.append(head.order)
            priorities.append(
                FallingPriorities.priority(
                    drawn: decisions.below(FallingPriorities.range, of: head, .priority)))
        }
        chains[head.order] = chain
        if let lowest = falling.lowered(at: seen, drawing: &decisions) {
            priorities[chain] = lowest
        }
        seen += 1
        return chain
    }
}
