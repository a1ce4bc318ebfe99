import Choices
import DeviceLink
import Testing

@testable import Schedules
@testable import Simulation

/// Two devices that have three events each, all of which may happen within the same second.
struct Duel {
    var agenda = Agenda<String>(devices: 2)
    let census: Census

    init() {
        var counts: [Keyed: UInt64] = [:]
        for (device, name) in ["a", "b"].enumerated() {
            let channel = agenda.open(name, device: device)
            for _ in 0..<3 {
                agenda.add(name, to: channel, earliest: 0, latest: 1_000_000_000)
            }
            counts[agenda.channels[channel].owner.key] = 3
        }
        census = Census(steps: 6, counts: counts)
    }

    /// Two devices, of which the second has these events, each in a channel of its own.
    init(waiting events: [(name: String, earliest: UInt64, latest: UInt64, isTimer: Bool)]) {
        for (name, earliest, latest, isTimer) in events {
            let channel = agenda.open(name, device: 1, isTimer: isTimer)
            agenda.add(name, to: channel, earliest: earliest, latest: latest)
        }
        census = .unknown
    }

    /// In which order they happen, and when.
    func play(_ strategy: String, seed: UInt64) throws -> [(name: String, time: UInt64)] {
        play(
            try #require(Strategy(strategy)).scheduler(seed: seed, census: census), seed: seed)
    }

    func play(_ scheduler: any Scheduler, seed: UInt64) -> [(name: String, time: UInt64)] {
        var (agenda, scheduler, now) = (agenda, scheduler, UInt64(0))
        var decisions = Decisions(seed: seed)
        var story: [(String, UInt64)] = []
        while agenda.firstHead != nil {
            let (eligible, frontier) = agenda.eligible()
            let index = agenda.withHeads {
                scheduler.pick(among: &$0, eligible: eligible, drawing: &decisions)
            }
            let begin = max(now, agenda.heads[index].earliest)
            now =
                begin
                + scheduler.delay(
                    of: agenda.heads[index], room: frontier - begin, drawing: &decisions)
            story.append((agenda.take(at: index).what, now))
        }
        return story
    }

    /// How often each order happens.
    func orders(_ strategy: String, seeds: ClosedRange<UInt64> = 1...2_000) throws
        -> [String: Int]
    {
        try seeds.reduce(into: [:]) { orders, seed in
            orders[try play(strategy, seed: seed).map(\.name).joined(), default: 0] += 1
        }
    }
}
