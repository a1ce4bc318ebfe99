import Foundation
import Orchestration
import Reports
import RunSupport
import TestSupport
import Testing

@testable import Campaigns

/// What an exploration plans, and what it makes of results.
struct ExplorationTests {
    private static func plan(
        _ names: String..., search: String = "random", faults: FaultSource? = nil,
        firstSeed: UInt64 = 1
    ) throws -> Exploration.Plan {
        Exploration.Plan(
            tool: "test", search: try #require(Search(rawValue: search)), faults: faults,
            hosting: .inline, defects: [],
            topologies: names.map {
                RunTask(
                    name: $0, file: $0,
                    text: """
                        devices:
                          ben: {model: iPhone 15}
                          lock: {profile: qorvo}
                          tag: {profile: qorvo, count: 4}
                        """, seed: 1)
            }, firstSeed: firstSeed)
    }

    /// A lot whose runs all ended so.
    private static func result(of lot: Lot, _ status: Reports.ExitStatus = .held) -> LotResult {
        lot.variations.reduce(into: LotResult()) { result, variation in
            let task = lot.task.varied(by: variation)
            var report = RunReport.of(task.name, seed: task.seed, status: status)
            if status == .deviceFailed { report.failure = "crash of lock" }
            result.take(report, of: variation)
        }
    }

    private func next(_ exploration: inout Exploration) throws -> Lot {
        let lot = exploration.next()
        return try #require(lot)
    }

    @Test(arguments: ["random", "portfolio", "pct:3", "exhaustive:1", "exhaustive:16"])
    func aSearchIsReadAsItIsWritten(name: String) {
        #expect(Search(rawValue: name)?.rawValue == name)
    }

    @Test(arguments: ["", "exhaustive", "exhaustive:0", "exhaustive:17", "exhaustive:02"])
    func whatIsNoSearchIsNone(name: String) { #expect(Search(rawValue: name) == nil) }

    @Test func topologiesTakeTurnsAndBehindTheGreatestSeedComesTheLeast() throws {
        var exploration = Exploration(try Self.plan("a", "b", firstSeed: .max))
        let lots = (0..<3).compactMap { _ in exploration.next() }
        #expect(lots.map(\.task.name) == ["a", "b", "a"])
        #expect(lots.map { $0.variations[0].seed } == [.max, .max, 15])
        #expect(lots[0].variations[1].seed == 0)
    }

    @Test func inASwarmEveryOtherLotIsSmaller() throws {
        var exploration = Exploration(try Self.plan("a", faults: .random))
        let sizes = (0..<20).compactMap { _ in exploration.next()?.task.text.count }
        let whole = try #require(sizes.first)
        #expect(sizes.indices.filter { sizes[$0] < whole }.allSatisfy { $0 % 2 == 1 })
        #expect(sizes.contains { $0 < whole })
    }

    @Test func whatIsFoundDependsOnNoOrderOfTheResults() throws {
        let plan = try Self.plan("a", "b")
        func played(_ order: [Int]) throws -> Exploration {
            var exploration = Exploration(plan)
            let lots = order.indices.compactMap { _ in exploration.next() }
            for number in order {
                let status: Reports.ExitStatus = [.held, .deviceFailed, .violated][number % 3]
                exploration.take(Self.result(of: lots[number], status), of: lots[number])
            }
            return exploration
        }
        let (one, other) = (try played([0, 1, 2, 3, 4, 5]), try played([5, 2, 4, 1, 3, 0]))
        func ways(_ exploration: Exploration) -> [String] {
            exploration.failures.map {
                "\($0.fingerprint) \($0.runs) \($0.task.name) \($0.task.seed)"
            }.sorted()
        }
        #expect(ways(one).count == 2)
        #expect(ways(one) == ways(other))
        #expect(one.runs == other.runs)
    }

    /// All fail in the same way, for it is the first promise that tells the way.
    @Test func whereRunsAreCountedEachBrokenPromiseHasAnExample() throws {
        var plan = try Self.plan("a")
        plan.counts = true
        var exploration = Exploration(plan)
        let lot = try next(&exploration)
        var result = LotResult()
        for (place, variation) in lot.variations.enumerated() {
            let report = RunReport.of(
                "a", seed: variation.seed,
                [.of("quiet", .violated, "It spoke.")]
                    + (place == 7 || place == 9 ? [.of("fresh", .violated, "Again.")] : []),
                status: .violated)
            result.take(report, of: variation)
        }
        exploration.take(result, of: lot)
        #expect(exploration.failures.map(\.task.seed) == [1])
        #expect(exploration.examples.map(\.task.seed) == [1, 8])
    }

    @Test func itGoesOnWithTheLotsThatAreMissing() throws {
        let place = try Place()
        let plan = try Self.plan("a")
        var exploration = Exploration(plan)
        let lots = (0..<3).compactMap { _ in exploration.next() }
        var cut = Self.result(of: lots[0])
        cut.runs -= 1
        exploration.take(cut, of: lots[0])
        exploration.take(Self.result(of: lots[1]), of: lots[1])
        let file = place.path + "/explore.json"
        try exploration.keep(in: file)
        var again = try #require(try Exploration(resuming: plan, from: file))
        #expect(again.runs == UInt64(lots[1].count))
        #expect((0..<2).compactMap { _ in again.next()?.number } == [0, 2])
        #expect(throws: WrongUse.self) {
            try Exploration(resuming: Self.plan("b"), from: file)
        }
    }

    @Test func aLotOfWhichOneRunIsMissingIsNotDone() throws {
        var exploration = Exploration(try Self.plan("a"))
        let lot = try next(&exploration)
        var pieces = LotPieces(of: lot)
        for single in lot.singles.dropLast() { pieces.add(Self.result(of: single), of: single) }
        #expect(pieces.result == nil)
        let last = try #require(lot.singles.last)
        pieces.add(Self.result(of: last, .violated), of: last)
        #expect(pieces.result?.runs == lot.count)
        #expect(pieces.result?.failures.map(\.report.seed) == [lot.variations[15].seed])
    }

    @Test func whereNothingWasDecidedNothingHolds() throws {
        var exploration = Exploration(try Self.plan("a"))
        let lot = try next(&exploration)
        exploration.take(Self.result(of: lot, .inconclusive), of: lot)
        #expect(exploration.emptiness == .inconclusive)
        let other = try next(&exploration)
        exploration.take(Self.result(of: other), of: other)
        #expect(exploration.emptiness == .held)
    }
}
