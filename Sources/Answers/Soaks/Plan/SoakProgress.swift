package import Campaigns
package import Orchestration
package import Reports

/// How far a campaign is, and what it has shown.
package struct SoakProgress {
    package struct Arm: Equatable, Sendable {
        package var runs = 0
        package var failing = 0
        package var undecided = 0
        /// Virtual time, in nanoseconds.
        package var simulated: UInt64 = 0
    }

    /// Failures with the same fingerprint.
    package struct Group {
        /// The first of them, in the order of lots.
        package var first: WayToFail
        package var arm: SoakArm
        package var runs: Int
        /// The first in each strand, of which mutations are made.
        package var strands: [Int: WayToFail] = [:]
    }

    package var arms: [SoakArm: Arm] = [:]
    package private(set) var groups: [Group] = []
    package var occasions = Occasions()
    package var coverage = Coverage()
    /// How many runs were over when something new was covered last.
    package var latestNews = 0
    var done = DoneLots()

    // MARK: Counts

    /// Runs of the campaign proper: the canary is a test of the soak.
    package var runs: Int { sum(\.runs) }
    package var failing: Int { sum(\.failing) }
    package var undecided: Int { sum(\.undecided) }
    package var simulated: UInt64 {
        arms.reduce(0) { $1.key == .canary ? $0 : $0 + $1.value.simulated }
    }
    package var canary: Arm { arms[.canary] ?? Arm() }
    /// All runs that were played.
    package var played: Int { runs + canary.runs }

    private func sum(_ count: KeyPath<Arm, Int>) -> Int {
        arms.reduce(0) { $1.key == .canary ? $0 : $0 + $1.value[keyPath: count] }
    }

    // MARK: Failures

    mutating func take(_ failure: WayToFail, of arm: SoakArm, in strand: Int, runs: Int = 1) {
        let known = groups.firstIndex { $0.first.fingerprint == failure.fingerprint }
        let place = known ?? groups.count
        if known == nil {
            groups.append(Group(first: failure, arm: arm, runs: runs))
        } else {
            groups[place].runs += runs
            if failure.place < groups[place].first.place {
                (groups[place].first, groups[place].arm) = (failure, arm)
            }
        }
        let other = groups[place].strands[strand]
        if other.map({ failure.place < $0.place }) ?? true {
            groups[place].strands[strand] = failure
        }
    }

    /// What may be mutated in a lot: failures of its strand that are known whatever came first, oldest first.
    func failures(in strand: Int, before lot: Int) -> [WayToFail] {
        groups.compactMap { $0.strands[strand] }.filter { $0.place.lot < lot }
            .sorted { $0.place < $1.place }
    }
}
