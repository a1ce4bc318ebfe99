package import Choices
import DeviceLink

/// Selectively uniform random walk (SURW; ASPLOS 2025): uniform over the interleavings of some events only,
/// here of those that reach a random half of the devices; the others are a random walk between them.
///
/// Fewer events have fewer interleavings, so that each is likelier, where the failure hangs on the devices
/// that were drawn. As with URW the census and windows make it a heuristic here.
package struct SelectiveInterleaving: SpreadingScheduler {
    private var interleaving: UniformInterleaving
    /// The channel whose event is to be the next of the selected ones.
    private var intended: Keyed?
    package var spread = Spread()

    init(_ census: Census) { interleaving = UniformInterleaving(census) }

    package mutating func pick(
        among heads: inout [Head], eligible: Range<Int>, drawing decisions: inout Decisions
    ) -> Int {
        let selected = eligible.filter { place in
            heads[place].device >= 0
                && decisions.below(2, deviceOf: heads[place], 0, .selection) == 1
        }
        if !selected.contains(where: { heads[$0].owner == intended }) {
            intended =
                selected.isEmpty
                ? nil : heads[interleaving.draw(among: selected, of: heads, &decisions)].owner
        }
        let possible = eligible.filter {
            !selected.contains($0) || heads[$0].owner == intended
        }
        let best = strongest(of: possible, in: heads, drawing: &decisions)
        for index in possible { heads[index].looks += 1 }
        if heads[best].owner == intended { intended = nil }
        return best
    }
}
