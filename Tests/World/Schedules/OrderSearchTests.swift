import Orchestration
import Reports
import RunSupport
import Schedules
import Testing

@testable import Choices
@testable import Simulation

/// All schedules with few afters, each order once.
@Suite struct OrderSearchTests {
    private static func search(
        _ task: RunTask, most: Int, _ runner: LocalRunner
    ) throws -> OrderSearch {
        var search = OrderSearch(topologies: 1, most: most)
        while let (_, schedules) = search.next(atMost: 16) {
            let visits = try schedules.map { afters in
                OrderSearch.Visit(
                    afters, try runner.survey(task, by: .schedule(Schedule(afters: afters))).order)
            }
            search.take(visits, of: 0)
        }
        return search
    }

    private static let handshake = RunTask(
        name: "handshake", file: "handshake",
        text: """
            length: 1s
            devices:
              ben: {model: iPhone 15}
              lock: {profile: qorvo, handling-time: 1ms}
            """, seed: 1)

    @Test func anyTwoAftersLeadToAnOrderThatTheSearchKnows() throws {
        try LocalRunner.inline { runner in
            let search = try Self.search(Self.handshake, most: 2, runner)
            #expect(search.isComplete)
            #expect(search.played == search.total)
            // Events that race in some other run, in pairs.
            var afters: [After] = []
            for seed in 1...6 as ClosedRange<UInt64> {
                var task = Self.handshake
                task.seed = seed
                let random = try runner.study(task).schedule.afters
                let picking = Picking.schedule(Schedule(afters: random))
                afters += try runner.survey(task, by: picking).order?.reversals ?? []
            }
            var known = 0
            for (one, other) in zip(afters, afters.dropFirst(7)) where one.event != other.event {
                let pair = Picking.schedule(Schedule(afters: [one, other]))
                guard let order = try runner.survey(Self.handshake, by: pair).order,
                    order.isAsScheduled
                else { continue }
                known += 1
                #expect(
                    search.orders[OrderSearch.key(of: order.identity, 0)] != nil,
                    "\(one.event.text) after \(one.after.text), \(other.event.text) after \(other.after.text)"
                )
            }
            #expect(known > 20)
        }
    }

    @Test func anOrderIsSearchedOnceAndWhatTimeForbidsIsSaid() throws {
        try LocalRunner.inline { runner in
            let searches = try (0...2).map { try Self.search(Self.handshake, most: $0, runner) }
            #expect(
                searches[0].text
                    == "explored 1 of 1 schedules with at most 0 afters: 1 different order, 0 duplicates, "
                    + "0 impossible because of timing")
            for search in searches {
                #expect(search.isComplete && search.played == search.total)
                #expect(search.equal == 0)
                #expect(search.differentOrders + search.impossible == search.played)
            }
            // More afters lead to more orders, and to those of fewer as well.
            for (fewer, more) in zip(searches, searches.dropFirst()) {
                #expect(Set(fewer.orders.keys).isStrictSubset(of: more.orders.keys))
            }
            #expect(searches[2].impossible > 0)
        }
    }

    @Test func whatHasAnOrderThatIsKnownLeadsNoFurther() throws {
        let after = try ["a #0", "b #0", "c #0"].map { name in
            After(
                event: try #require(EventID(name)), after: try #require(EventID("d #0")))
        }
        func visit(_ afters: [After], _ identity: UInt64, _ reversals: [After]) -> OrderSearch.Visit
        {
            OrderSearch.Visit(
                afters,
                OrderSurvey(identity: identity, reversals: reversals, isAsScheduled: true))
        }
        var search = OrderSearch(topologies: 1, most: 2)
        _ = search.next(atMost: 16)
        search.take([visit([], 1, [after[0], after[1]])], of: 0)
        #expect(search.next(atMost: 16)?.afters == [[after[0]], [after[1]]])
        search.take(
            [visit([after[0]], 2, [after[2]]), visit([after[1]], 2, [after[0], after[2]])], of: 0)
        #expect(search.next(atMost: 16)?.afters == [[after[0], after[2]]])
        #expect(search.equal == 1)
        #expect(search.total == 4)
    }

    @Test func neighboursThatDoNotRaceMakeNoOtherOrder() throws {
        let task = RunTask(
            name: "three", file: "three",
            text: """
                length: 1s
                devices:
                  ben: {model: iPhone 15}
                  lock: {profile: qorvo}
                  tag: {profile: qorvo}
                """, seed: 1)
        try LocalRunner.inline { runner in
            let run = try runner.study(task, by: .schedule(Schedule()))
            let identity = try runner.survey(task, by: .schedule(Schedule())).order?.identity
            var (equal, other) = (0, 0)
            for place in run.picks.indices.dropLast() {
                let (one, next) = (run.picks[place], run.picks[place + 1])
                guard run.steps[place].time == run.steps[place + 1].time else { continue }
                let races = (one.rivals + one.others).contains(next.event)
                let after = Picking.schedule(
                    Schedule(afters: [After(event: one.event, after: next.event)]))
                let order = try runner.survey(task, by: after).order
                // One may be the effect of the other, which is no matter of their order.
                guard order?.isAsScheduled == true, order?.identity == identity || races else {
                    continue
                }
                if races { other += 1 } else { equal += 1 }
                #expect((order?.identity == identity) == !races, "\(one.event.text)")
            }
            #expect(equal >= 5, "\(equal)")
            #expect(other > 0)
        }
    }
}
