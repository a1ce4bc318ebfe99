package import Choices

/// Uniform random walk over interleavings (URW; ASPLOS 2025): a channel is picked in proportion to the
/// events that it still has.
///
/// Where channels are independent and the census tells exactly how many events they have, each
/// interleaving is equally likely. A census of another run only estimates that, and windows exclude
/// what could not happen, so that it is a heuristic here.
package struct UniformInterleaving: SpreadingScheduler {
    private let census: Census
    private var picks: UInt64 = 0
    package var spread = Spread()

    init(_ census: Census) { self.census = census }

    package mutating func pick(
        among heads: inout [Head], eligible: Range<Int>, drawing decisions: inout Decisions
    ) -> Int {
        draw(among: eligible, of: heads, &decisions)
    }

    /// One of these places, each in proportion to the events that its channel still has.
    mutating func draw(
        among places: some Sequence<Int>, of heads: [Head], _ decisions: inout Decisions
    ) -> Int {
        // Doubled, so that one that should have none left weighs half an event.
        func weight(_ head: Head) -> UInt64 {
            let count = census.events(of: head.owner)
            return count > head.ordinal ? 2 * (count - head.ordinal) : 1
        }
        var rest = decisions.below(
            places.reduce(0) { $0 + weight(heads[$1]) }, .schedule, picks, .pick)
        picks += 1
        var last = 0
        for place in places {
            last = place
            let own = weight(heads[place])
            if rest < own { break }
            rest -= own
        }
        return last
    }
}
