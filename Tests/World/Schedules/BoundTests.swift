import Choices
import Testing

@testable import Schedules
@testable import Simulation

/// The bounds that the authors of strategies publish, measured where no clock weakens them.
struct BoundTests {
    private static let seeds = 2_000

    /// How often an order must come at least: by its bound, less four standard deviations.
    private static func least(_ share: Double) -> Int {
        let (n, deviation) = (Double(seeds), (Double(seeds) * share * (1 - share)).squareRoot())
        return Int(n * share - 4 * deviation)
    }

    /// Each order of the duel needs so many orderings of an event of one channel before one of the other:
    /// as many as there are switches of channel.
    private static func depth(of order: String) -> Int {
        zip(order, order.dropFirst()).count { $0 != $1 }
    }

    private static let all = ["aaabbb", "bbbaaa", "abbbaa", "aabbba", "baaabb", "bbaaab"]

    /// Burckhardt and others: 1 / (n · k^(depth - 1)), here of 2 channels and 6 steps.
    @Test(arguments: [1, 2])
    func prioritiesOfChannelsFindWhatNeedsSoManyOrderings(depth: Int) throws {
        let orders = try Duel().orders("pct:\(depth)")
        let share = depth == 1 ? 1.0 / 2 : 1.0 / 12
        for order in Self.all where Self.depth(of: order) == depth {
            #expect(orders[order] ?? 0 >= Self.least(share), "\(order) \(orders)")
        }
    }

    /// Ozkan and others: 1 / (w² · m^(depth - 1)), here of 2 open chains and 6 events.
    @Test(arguments: [1, 2])
    func prioritiesOfChainsFindWhatNeedsSoManyOrderings(depth: Int) throws {
        let orders = try Duel().orders("pctcp:\(depth)")
        let share = depth == 1 ? 1.0 / 4 : 1.0 / 24
        for order in Self.all where Self.depth(of: order) == depth {
            #expect(orders[order] ?? 0 >= Self.least(share), "\(order) \(orders)")
        }
    }

    /// Emmi and others: each schedule of so many delays is as likely as another.
    ///
    /// There are six places for one delay, and some of them change nothing.
    @Test func eachScheduleOfOneDelayIsAsLikelyAsAnother() throws {
        let orders = try Duel().orders("delay:1")
        for order in ["baaabb", "abaabb", "aababb"] {
            #expect(orders[order] ?? 0 >= Self.least(1.0 / 7), "\(order) \(orders)")
        }
    }

    /// Yuan and others: a partial order is exponentially likelier than by a random walk, in the number of
    /// events that race with nothing: here those that lead to the one that races.
    @Test func partialOrdersAreSampledAndNotInterleavings() throws {
        let (sampled, walked) = (try Self.late("pos"), try Self.late("random"))
        #expect(sampled >= Self.least(1.0 / 10), "\(sampled)")
        #expect(walked < Self.seeds / 50, "\(walked)")
    }

    /// How often one event of a device comes after another one to which eight of another device lead.
    private static func late(_ strategy: String) throws -> Int {
        try (1...UInt64(seeds)).count { seed in
            var agenda = Agenda<String>(devices: 2)
            let channels = [("racer", 0), ("chain", 1), ("last", 0)].map {
                agenda.open($0.0, device: $0.1)
            }
            agenda.add("racer", to: channels[0], earliest: 0, latest: 1_000)
            agenda.add("chain", to: channels[1], earliest: 0, latest: 1_000)
            var decisions = Decisions(seed: seed)
            var scheduler = try #require(Strategy(strategy))
                .scheduler(seed: seed, census: Census(steps: 10))
            var (left, story) = (8, [String]())
            while agenda.firstHead != nil {
                let eligible = agenda.eligible().range
                let index = agenda.withHeads {
                    scheduler.pick(among: &$0, eligible: eligible, drawing: &decisions)
                }
                story.append(agenda.take(at: index).what)
                guard story.last == "chain" else { continue }
                left -= 1
                let next = left > 0 ? 1 : 2
                agenda.add(
                    next == 1 ? "chain" : "last", to: channels[next], earliest: 0, latest: 1_000)
            }
            return story.last == "racer"
        }
    }
}
