import Orchestration
import Reports
import Testing

@testable import Simulation

/// All schedules with few afters, each order once.
@Suite struct OrderSearchTests {
    private static func with(_ body: (LocalRunner) throws -> Void) throws {
        var settings = RunSettings(programs: Command.executables, tool: "test")
        settings.hosting = .inline
        try LocalRunner.with(settings, body)
    }

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
        try Self.with { runner in
            let search = try Self.search(Self.handshake, most: 2, runner)
            #expect(search.isComplete)
            #expect(search.played == search.total)
            // Events that race in some other run, in pairs.
            var afters: [After] = []
            for seed in 1...6 as ClosedRange<UInt64> {
                var task = Self.handshake
                task.seed = seed
                let random = try runner.study(task).schedule.afters
                let order = Order.schedule(Schedule(afters: random))
                afters += try runner.survey(task, by: order).order?.reversals ?? []
            }
            var known = 0
            for (one, other) in zip(afters, afters.dropFirst(7)) where one.event != other.event {
                let pair = Order.schedule(Schedule(afters: [one, other]))
                guard let order = try runner.survey(Self.handshake, by: pair).order,
                    order.isAsScheduled
                else { continue }
                known += 1
                #expect(
                    search.orders.contains(OrderSearch.key(of: order.identity, 0)),
                    "\(one.event.text) after \(one.after.text), \(other.event.text) after \(other.after.text)"
                )
            }
            #expect(known > 20)
        }
    }

    @Test func anOrderIsSearchedOnceAndWhatTimeForbidsIsSaid() throws {
        try Self.with { runner in
            let texts = try (0...2).map { try Self.search(Self.handshake, most: $0, runner).text }
            let rest = "0 equal to one of them but for events that do not race"
            #expect(
                texts == [
                    "explored 1 of 1 schedules with at most 0 afters: 1 different order, \(rest), "
                        + "0 that time forbids",
                    "explored 16 of 16 schedules with at most 1 after: 14 different orders, "
                        + "\(rest), 2 that time forbids",
                    "explored 126 of 126 schedules with at most 2 afters: 83 different orders, "
                        + "\(rest), 43 that time forbids",
                ])
        }
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
        try Self.with { runner in
            let run = try runner.study(task, .schedule(Schedule()))
            let identity = try runner.survey(task, by: .schedule(Schedule())).order?.identity
            var (equal, other) = (0, 0)
            for place in run.picks.indices.dropLast() {
                let (one, next) = (run.picks[place], run.picks[place + 1])
                guard run.steps[place].time == run.steps[place + 1].time else { continue }
                let races = (one.rivals + one.others).contains(next.event)
                let after = Order.schedule(
                    Schedule(afters: [After(event: one.event, after: next.event)]))
                let order = try runner.survey(task, by: after).order
                // One may be the effect of the other: then it could not be first.
                guard order?.isAsScheduled == true, order?.identity == identity || races else {
                    continue
                }
                if races { other += 1 } else { equal += 1 }
                #expect((order?.identity == identity) == !races, "\(one.event.text)")
            }
            #expect(equal > 0)
            #expect(other > 0)
        }
    }
}
