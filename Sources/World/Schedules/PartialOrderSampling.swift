package import Choices

/// Partial-order sampling (Yuan, Yang, Gu; CAV 2018): every event has a random strength, the strongest
/// eligible one happens, and those that race with it draw anew.
///
/// Events that do not race keep their strengths, so that partial orders and not their many
/// linearizations are sampled: a given one is exponentially likelier, in the number of events that race
/// with nothing, than by a random walk. Windows weaken this: an event that reaches its latest moment
/// happens whatever its strength.
package struct PartialOrderSampling: SpreadingScheduler {
    package var spread = Spread()

    package mutating func pick(
        among heads: inout [Head], eligible: Range<Int>, drawing decisions: inout Decisions
    ) -> Int {
        let best = strongest(of: eligible, in: heads, drawing: &decisions)
        for index in eligible where heads[index].races(with: heads[best]) {
            heads[index].looks += 1
        }
        return best
    }
}
