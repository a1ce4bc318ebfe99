/// Which lots are done, by their numbers.
package struct DoneLots: Codable, Equatable, Sendable {
    /// All lots below are done.
    package private(set) var frontier = 0
    package private(set) var beyond: Set<Int> = []

    package init() {}

    package init(frontier: Int, beyond: [Int]) {
        (self.frontier, self.beyond) = (frontier, Set(beyond))
        advance()
    }

    package func contains(_ number: Int) -> Bool { number < frontier || beyond.contains(number) }

    package mutating func insert(_ number: Int) {
        beyond.insert(number)
        advance()
    }

    private mutating func advance() {
        while beyond.remove(frontier) != nil { frontier += 1 }
    }

    // Numbers below the frontier are never listed: there may be more than fit into memory.

    func isSubset(of other: DoneLots) -> Bool {
        // The other one's frontier is not done there.
        frontier <= other.frontier && beyond.allSatisfy(other.contains)
    }

    func isDisjoint(with other: DoneLots) -> Bool {
        min(frontier, other.frontier) == 0 && !beyond.contains(where: other.contains)
            && !other.beyond.contains(where: contains)
    }

    mutating func formUnion(_ other: DoneLots) {
        frontier = max(frontier, other.frontier)
        beyond = beyond.union(other.beyond).filter { $0 >= frontier }
        advance()
    }
}
