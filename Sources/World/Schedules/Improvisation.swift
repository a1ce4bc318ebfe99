package import Choices

/// Follows the picks of a noted run for a while, and is a random walk from there on.
///
/// Many of them tell how likely it is, after so many steps, what came of that run.
package struct Improvisation: Scheduler {
    private let followed: [(event: KeyedEvent, delay: UInt64)]
    private var picks = 0
    /// The delay of the pick that was followed just now; nil where the walk picked.
    private var delay: UInt64?
    private var walk = RandomWalk()

    /// Follows these picks, as far as they are possible.
    package init(following picks: some Sequence<Pick>) {
        followed = picks.map { (KeyedEvent($0.event), $0.delay) }
    }

    package mutating func pick(
        among heads: inout [Head], eligible: Range<Int>, drawing decisions: inout Decisions
    ) -> Int {
        guard picks < followed.count,
            let place = eligible.first(where: { KeyedEvent(heads[$0]) == followed[picks].event })
        else {
            (picks, delay) = (followed.count, nil)
            return walk.pick(among: &heads, eligible: eligible, drawing: &decisions)
        }
        delay = followed[picks].delay
        picks += 1
        return place
    }

    package mutating func delay(
        of head: Head, room: UInt64, drawing decisions: inout Decisions
    ) -> UInt64 {
        delay.map { min($0, room) } ?? walk.delay(of: head, room: room, drawing: &decisions)
    }
}
