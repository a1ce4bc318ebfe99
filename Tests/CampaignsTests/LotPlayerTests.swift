import Orchestration
import Reports
import RunSupport
import TestSupport
import Testing

@testable import Campaigns

/// Explorations that are played here, with inline devices.
struct LotPlayerTests {
    private static func plan(_ search: Search, length: String) -> Exploration.Plan {
        Exploration.Plan(
            tool: "test", search: search, faults: nil, hosting: .inline, defects: [],
            topologies: [
                RunTask(
                    name: "pair", file: "pair",
                    text: """
                        length: \(length)
                        devices:
                          ben: {model: iPhone 15, permission: allowed}
                          lock: {profile: qorvo, handling-time: 1ms, defects: [reused-configuration]}
                        steps:
                          - {when: ni.didUpdate on ben, disconnect: [ben, lock]}
                        """, seed: 1)
            ], firstSeed: 1)
    }

    /// Plays the lots that there are, or so many; they come back in rounds, in the order that `shuffle` says.
    private static func explore(
        _ plan: Exploration.Plan, lots most: Int = .max, _ shuffle: ([Lot]) -> [Lot] = { $0 }
    ) throws -> Exploration {
        var exploration = Exploration(plan)
        try LocalRunner.inline { runner in
            let player = LotPlayer()
            var played = 0
            while played < most {
                var round: [Lot] = []
                while round.count < most - played, let lot = exploration.next() {
                    round.append(lot)
                }
                if round.isEmpty { return }
                played += round.count
                for lot in shuffle(round) {
                    exploration.take(try player.play(lot, runner), of: lot)
                }
            }
        }
        return exploration
    }

    @Test func runsThatFailInOneWayAreOneFailure() throws {
        let found = try Self.explore(Self.plan(.strategy(.random), length: "6s"), lots: 2)
        #expect(found.runs == 32)
        #expect(found.failures.map(\.fingerprint).allSatisfy { $0.contains("fresh-configuration") })
        #expect(found.failures.count == 1 && found.failing > 1)
        #expect(found.coverage.count(.states) > 0)
    }

    @Test func whatWasSeenBeforeIsNoNews() throws {
        var exploration = Exploration(Self.plan(.strategy(.fifo), length: "6s"))
        let next = exploration.next()
        let lot = try #require(next)
        try LocalRunner.inline { runner in
            let player = LotPlayer()
            let (first, again) = (try player.play(lot, runner), try player.play(lot, runner))
            #expect(first.coverage.count > 0)
            #expect(again.coverage.count == 0)
            #expect(first.failures.map(\.report.digest) == again.failures.map(\.report.digest))
        }
    }

    @Test func allSchedulesArePlayedOnceInWhicheverOrderTheyComeBack() throws {
        let plan = Self.plan(.exhaustive(most: 1), length: "1s")
        let one = try Self.explore(plan)
        let other = try Self.explore(plan) { $0.reversed() }
        let orders = try #require(one.orders)
        #expect(orders.isComplete && orders.played == orders.total && orders.total > 10)
        #expect(one.runs == UInt64(orders.total))
        #expect(orders == other.orders)
        #expect(one.failures == other.failures)
    }
}
