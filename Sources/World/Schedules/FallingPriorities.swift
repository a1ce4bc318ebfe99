import Choices

/// Priorities that are drawn, of which some become the lowest at random places of a run.
struct FallingPriorities: Sendable {
    private var changes: ChangePoints
    private var lowest = drawn

    /// Priorities that are drawn are not below this; those of what was made lowest are.
    private static let drawn: UInt64 = 1 << 20

    /// `depth` - 1 change points, among as many steps as the census expects.
    init(depth: Int, _ census: Census) {
        changes = ChangePoints(depth - 1, among: census.steps)
    }

    /// The priority that is below all others from `place` on; nil where nothing changes there.
    mutating func lowered(at place: UInt64, drawing decisions: inout Decisions) -> UInt64? {
        guard changes.contains(place, drawing: &decisions) else { return nil }
        lowest -= 1
        return lowest
    }

    /// The priority that a draw below ``range`` gives.
    static func priority(drawn draw: UInt64) -> UInt64 { drawn + draw }

    /// Priorities are drawn below it.
    static let range: UInt64 = 1 << 60
}
