import Orchestration
import Reports
import RunSupport
import TestSupport
import Testing

@testable import Campaigns

/// Explorations that are played here, with inline devices.
struct LotPlayerTests {
    @Test func runsThatFailInOneWayAreOneFailure() throws {
        let found = try explore(sickPair(.strategy(.random), length: "6s"), lots: 2)
        #expect(found.runs == 32)
        #expect(found.failures.map(\.fingerprint).allSatisfy { $0.contains("fresh-configuration") })
        #expect(found.failures.count == 1 && found.failing > 1)
        #expect(found.coverage.count(.states) > 0)
    }

    @Test func whatWasSeenBeforeIsNoNews() throws {
        var exploration = Exploration(sickPair(.strategy(.fifo), length: "6s"))
        let next = exploration.next()
        let lot = try #require(next)
        try LocalRunner.inline { runner in
            let player = LotPlayer()
            let (first, again) = (
                try player.play(lot, on: runner), try player.play(lot, on: runner)
            )
            #expect(first.coverage.count > 0)
            #expect(again.coverage.count == 0)
            #expect(first.failures.map(\.report.digest) == again.failures.map(\.report.digest))
        }
    }

    @Test func allSchedulesArePlayedOnceInWhicheverOrderTheyComeBack() throws {
        let plan = sickPair(.exhaustive(most: 1), length: "1s")
        let one = try explore(plan)
        let other = try explore(plan) { $0.reversed() }
        let orders = try #require(one.orders)
        #expect(orders.isComplete && orders.played == orders.total && orders.total > 10)
        #expect(one.runs == UInt64(orders.total))
        #expect(orders == other.orders)
        #expect(one.failures == other.failures)
    }
}
