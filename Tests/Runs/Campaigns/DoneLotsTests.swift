import Testing

@testable import Campaigns

/// Which lots are done, in one place and in parts.
struct DoneLotsTests {
    @Test func theFrontierPassesWhatIsDone() {
        var done = DoneLots(frontier: 2, beyond: [3, 5])
        done.insert(2)
        #expect(done == DoneLots(frontier: 4, beyond: [5]))
        #expect(done.contains(3) && !done.contains(4) && done.contains(5))
    }

    @Test func partsThatHaveNothingInCommonBecomeTheWhole() {
        var (even, odd) = (
            DoneLots(frontier: 1, beyond: [2, 4]), DoneLots(frontier: 0, beyond: [1, 3])
        )
        #expect(even.isDisjoint(with: odd) && odd.isDisjoint(with: even))
        even.formUnion(odd)
        #expect(even == DoneLots(frontier: 5, beyond: []))
        #expect(odd.isSubset(of: even) && !even.isSubset(of: odd))
        odd.insert(9)
        #expect(!odd.isSubset(of: even) && !odd.isDisjoint(with: even))
    }

    @Test func aFrontierOfManyMillionsCostsNothing() {
        let huge = DoneLots(frontier: 1 << 43, beyond: [])
        #expect(DoneLots(frontier: 7, beyond: [9]).isSubset(of: huge))
        #expect(!huge.isDisjoint(with: DoneLots(frontier: 0, beyond: [1])))
    }
}
