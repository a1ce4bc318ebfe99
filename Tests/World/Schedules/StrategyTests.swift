import Choices
import DeviceLink
import Testing

@testable import Schedules
@testable import Simulation

@Suite struct StrategyTests {
    @Test(arguments: Strategy.names)
    func aStrategyIsReadAsItIsWritten(name: String) {
        let name = name.replacing("N", with: "3")
        #expect(Strategy(name)?.name == name)
    }

    @Test(arguments: [
        "", "pct", "pct:", "pct:0", "pct:17", "pct:03", "pct:3:3", "random:1", "Random",
    ])
    func whatIsNoStrategyIsNone(name: String) { #expect(Strategy(name) == nil) }

    @Test func aSweepHasThePlainTimingForOneSeedAndThePortfolioForTheOthers() {
        let sweep = Strategy.sweep(plain: 7)
        #expect(Strategy(sweep.name) == sweep)
        #expect(sweep.arm(of: 7) == .fifo)
        for seed in 8...30 as ClosedRange<UInt64> {
            #expect(sweep.arm(of: seed) == Strategy.portfolio.arm(of: seed))
        }
    }

    @Test func eachSeedOfThePortfolioMeansAnotherArm() {
        let arms = (0..<UInt64(Strategy.arms.count)).map { Strategy.portfolio.arm(of: $0) }
        #expect(arms == Strategy.arms)
        #expect(!arms.contains(.portfolio))
    }

    @Test(arguments: Strategy.arms.map(\.name) + ["fifo", "surw", "delay:2", "late"])
    func everyEventHappensInItsTimeAndAgainTheSame(name: String) throws {
        for seed in 1...200 as ClosedRange<UInt64> {
            let story = try Duel().play(name, seed: seed)
            let times = story.map(\.time)
            #expect(times == times.sorted())
            #expect(times.allSatisfy { $0 <= 1_000_000_000 })
            let again = try Duel().play(name, seed: seed)
            #expect(again.map(\.time) == times && again.map(\.name) == story.map(\.name))
        }
    }

    @Test func firstComeFirstServedKnowsOneOrder() throws {
        #expect(try Duel().orders("fifo") == ["aaabbb": 2_000])
    }

    @Test func aRandomWalkPrefersOrdersThatEndInOneChannel() throws {
        // Each of the first three picks is a coin, and nothing else is left to choose: 1 of 8.
        let orders = try Duel().orders("random")
        #expect(orders.count == 20)
        #expect((200...300).contains(orders["aaabbb"] ?? 0))
    }

    @Test func uniformInterleavingKnowsNoFavourite() throws {
        let orders = try Duel().orders("urw")
        #expect(orders.count == 20)
        #expect(orders.values.allSatisfy { (60...145).contains($0) })
    }

    @Test func selectiveInterleavingIsUniformWhereAllAreSelectedAndAWalkWhereNoneIs() throws {
        let orders = try Duel().orders("surw")
        #expect(orders.count == 20)
        // Of 2,000: 100 each where all are selected, and from 63 to 250 in a walk.
        #expect(orders.values.allSatisfy { (50...240).contains($0) }, "\(orders)")
    }

    @Test func prioritiesOfDepthOneNeverSwitchAndOfDepthTwoSwitchOnce() throws {
        #expect(Set(try Duel().orders("pct:1").keys) == ["aaabbb", "bbbaaa"])
        let orders = try Duel().orders("pct:2")
        #expect(Set(orders.keys) == ["aaabbb", "bbbaaa", "abbbaa", "aabbba", "baaabb", "bbaaab"])
    }

    @Test func delayBoundedOrdersLeaveTheLineSoOften() throws {
        let orders = try Duel().orders("delay:1")
        #expect(Set(orders.keys) == ["aaabbb", "baaabb", "abaabb", "aababb"])
    }

    @Test func heavyTailedLatenciesAreMostlyShortAndSometimesAll() throws {
        let times = try (1...2_000).map { try Duel().play("heavy-latency", seed: $0)[0].time }
        #expect(times.sorted()[1_000] < 100_000_000)
        #expect(times.contains { $0 > 900_000_000 })
    }

    @Test func aStarvedDeviceGetsItsEventsLast() throws {
        let orders = try Duel().orders("starvation")
        // One of two is starved, and not the other, in 6 of 16 runs.
        let starving = (orders["aaabbb"] ?? 0) + (orders["bbbaaa"] ?? 0)
        #expect(starving > 2_000 * 6 / 16)
    }

    @Test func aTimerIsAsLateAsItMayBeAndBehindAllElseOfThatMoment() {
        let duel = Duel(waiting: [
            ("timer", 4, 24, isTimer: true), ("message", 3, 90, isTimer: false),
            ("fault", 24, 24, isTimer: false), ("news", 24, 26, isTimer: false),
            ("short timer", 7, 8, isTimer: true), ("fixed timer", 24, 24, isTimer: true),
        ])
        let story = duel.play(LateTimers(), seed: 1)
        #expect(
            story.map { "\($0.name) \($0.time)" } == [
                "message 3", "short timer 8", "fault 24", "news 24", "timer 24", "fixed timer 24",
            ])
    }

    @Test func whatAnEventLeadsToStaysInItsChain() throws {
        // Of a chain a → c and a lone b, the order a, b, c needs a change of mind.
        func orders(_ strategy: String) throws -> Set<String> {
            try Set(
                (1...200 as ClosedRange<UInt64>).map { seed in
                    var agenda = Agenda<String>(devices: 3)
                    let channels = ["a", "b", "c"].enumerated().map {
                        agenda.open($0.element, device: $0.offset)
                    }
                    for name in ["a", "b"] {
                        agenda.add(
                            name, to: channels[name == "a" ? 0 : 1], earliest: 0, latest: 1_000)
                    }
                    var decisions = Decisions(seed: seed)
                    var scheduler = try #require(Strategy(strategy))
                        .scheduler(seed: seed, census: Census(steps: 3))
                    var order = ""
                    while agenda.firstHead != nil {
                        let eligible = agenda.eligible().range
                        let index = agenda.withHeads {
                            scheduler.pick(among: &$0, eligible: eligible, drawing: &decisions)
                        }
                        let event = agenda.take(at: index)
                        order += event.what
                        agenda.present = event.moment.order
                        if event.what == "a" {
                            agenda.add("c", to: channels[2], earliest: 0, latest: 1_000)
                        }
                    }
                    return order
                })
        }
        #expect(try orders("pctcp:1") == ["acb", "bac"])
        #expect(try orders("pctcp:2") == ["acb", "bac", "abc"])
    }
}
