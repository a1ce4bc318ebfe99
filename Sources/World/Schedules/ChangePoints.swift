import Choices

/// Random places of a run at which a schedule changes its mind, drawn when the first is asked for.
struct ChangePoints: Sendable {
    private let count: Int
    private let bound: UInt64
    private var places: [UInt64]?

    /// So many places below `bound`; two of them may be the same one.
    init(_ count: Int, among bound: UInt64) {
        (self.count, self.bound) = (count, bound)
    }

    mutating func contains(_ place: UInt64, drawing decisions: inout Decisions) -> Bool {
        let places =
            places
            ?? (0..<count).map {
                decisions.below(bound, .schedule, UInt64($0), .changePoint)
            }
        self.places = places
        return places.contains(place)
    }
}
