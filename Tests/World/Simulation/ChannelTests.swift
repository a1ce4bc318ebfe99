import Choices
import DeviceLink
import Scenarios
import Simulation
import Testing
import Traces

@testable import Schedules
@testable import Topologies

/// Time, channels and schedulers.
@Suite struct ChannelTests {
    private let alone = Topology(
        length: .seconds(1),
        devices: [DeviceSpec(name: "lock", program: .accessory(profile: "qorvo"))])

    @Test func aTimerFiresAtItsTimeAndOnlyOnce() {
        var stage = Stage(
            alone,
            [
                "lock": { event in
                    switch event {
                    case .boot: [.setTimer(name: "tick", after: .milliseconds(5), slack: 0)]
                    case .timer(let name):
                        [.observe(kind: "app.received", fields: [Field("message", .text(name))])]
                    default: []
                    }
                }
            ])
        #expect(
            stage.play().picture("app", fields: ["message"]) == ["5 lock app.received message=tick"]
        )
    }

    /// Two steps, and a timer that the lock sets in the run.
    @Test func ofWhatIsDueAtOneInstantThePlannedFirstComesFirstOrTheSchedulerPicks() throws {
        let text = """
            length: 1s
            devices: {lock: {profile: qorvo}}
            steps:
              - {at: 5ms, move: lock, to: [1m, 0m]}
              - {at: 5ms, turn: lock, to: 30deg}
            """
        let topology = try Topology(parsing: Array(text.utf8), name: "t", file: "t")
        func order(_ scheduler: any Scheduler, seed: UInt64) -> [String] {
            let ticks: Stage.Part = { event in
                switch event {
                case .boot: [.setTimer(name: "tick", after: .milliseconds(5), slack: 0)]
                case .timer: [.observe(kind: "app.received", fields: [])]
                default: []
                }
            }
            var stage = Stage(topology, seed: seed, scheduler: scheduler, ["lock": ticks])
            return stage.play().picture("app", "script.step", fields: ["step"])
        }
        let (move, turn, tick) = (
            "5 script.step step=move: lock, to: [1m, 0m]",
            "5 script.step step=turn: lock, to: 30deg",
            "5 lock app.received"
        )
        for seed in 1...20 as ClosedRange<UInt64> {
            #expect(order(FirstInFirstOut(), seed: seed) == [move, turn, tick])
        }
        let orders = Set((1...200 as ClosedRange<UInt64>).map { order(RandomWalk(), seed: $0) })
        #expect(orders.count == 6)
    }

    @Test func aTimerSetAgainIsReplacedAndACancelledOneIsGone() {
        var stage = Stage(
            alone,
            [
                "lock": { event in
                    switch event {
                    case .boot:
                        [
                            .setTimer(name: "a", after: .milliseconds(5), slack: 0),
                            .setTimer(name: "a", after: .milliseconds(9), slack: 0),
                            .setTimer(name: "b", after: .milliseconds(1), slack: 0),
                            .cancelTimer(name: "b"),
                        ]
                    case .timer(let name):
                        [.observe(kind: "app.received", fields: [Field("message", .text(name))])]
                    default: []
                    }
                }
            ])
        #expect(
            stage.play().picture("app", fields: ["message"]) == ["9 lock app.received message=a"])
    }

    /// Two timers whose windows overlap may fire in either order; where they do not, never.
    @Test(arguments: [(slack: UInt64(0), orders: 1), (slack: 3, orders: 2)])
    func onlyOverlappingWindowsAreReordered(slack: UInt64, orders: Int) {
        var seen: [[String]] = []
        for seed in 1...20 as ClosedRange<UInt64> {
            var stage = Stage(
                alone, seed: seed, scheduler: RandomWalk(),
                [
                    "lock": { event in
                        switch event {
                        case .boot:
                            [
                                .setTimer(
                                    name: "a", after: .milliseconds(5), slack: .milliseconds(slack)),
                                .setTimer(
                                    name: "b", after: .milliseconds(6), slack: .milliseconds(slack)),
                            ]
                        case .timer(let name):
                            [
                                .observe(
                                    kind: "app.received", fields: [Field("message", .text(name))])
                            ]
                        default: []
                        }
                    }
                ])
            let order = stage.play().filter { $0.kind == .appReceived }.compactMap {
                $0.text("message")
            }
            if !seen.contains(order) { seen.append(order) }
        }
        #expect(seen.count == orders)
    }

    @Test func whatOneQueueWasPostedRunsInOrder() {
        for seed in 1...10 as ClosedRange<UInt64> {
            var stage = Stage(
                alone, seed: seed, scheduler: RandomWalk(),
                [
                    "lock": { event in
                        switch event {
                        case .boot: (0..<5).map { .post(queue: "main", item: $0) }
                        case .queue(_, let item):
                            [
                                .observe(
                                    kind: "app.received",
                                    fields: [Field("message", .number(Int64(item)))])
                            ]
                        default: []
                        }
                    }
                ])
            #expect(stage.play().compactMap { $0.number("message") } == [0, 1, 2, 3, 4])
        }
    }

    @Test func whatADeviceStoredComesBackAtItsNextStart() {
        var topology = alone
        topology.steps = [
            Step(
                moment: .at(.milliseconds(10)), verb: .device("lock", .kill(afterAnswers: 0)),
                text: "kill",
                source: .init(line: 1, column: 1)),
            Step(
                moment: .at(.milliseconds(20)), verb: .device("lock", .restart), text: "restart",
                source: .init(line: 2, column: 1)),
        ]
        var stage = Stage(topology, ["lock": { _ in [.store(key: "bond", value: [1, 2])] }])
        var resets: [Reset] = []
        var events: [World.Event] = [.begin]
        while !events.isEmpty {
            for action in stage.world.handle(events.removeFirst()) {
                switch action {
                case .start(_, let reset): resets.append(reset)
                case .grant:
                    events.append(.answered(device: 0, [.store(key: "bond", value: [1, 2])]))
                case .consult: events.append(.consulted(isOpen: false))
                default: break
                }
            }
        }
        #expect(resets.map(\.incarnation) == [0, 1])
        #expect(resets.map(\.stored) == [[], [StoredPair("bond", [1, 2])]])
        #expect(resets[0].key != resets[1].key)
    }

    @Test func aKillAfterOneAnswerKeepsThatAnswerOnly() {
        var topology = alone
        topology.steps = [
            Step(
                moment: .at(.milliseconds(1)), verb: .device("lock", .kill(afterAnswers: 1)),
                text: "kill",
                source: .init(line: 1, column: 1))
        ]
        var stage = Stage(
            topology,
            [
                "lock": { event in
                    switch event {
                    case .boot: [.setTimer(name: "tick", after: .milliseconds(2), slack: 0)]
                    default:
                        [
                            .observe(kind: "app.found", fields: []),
                            .observe(kind: "app.lost", fields: []),
                        ]
                    }
                }
            ])
        #expect(
            stage.play().picture("app", "device.died") == [
                "2 lock app.found", "2 lock device.died",
            ])
    }

    @Test func aFrozenDeviceGetsItsEventsWhenItThaws() {
        var topology = alone
        topology.steps = [
            Step(
                moment: .at(.milliseconds(1)), verb: .device("lock", .freeze), text: "freeze",
                source: .init(line: 1, column: 1)),
            Step(
                moment: .at(.milliseconds(50)), verb: .device("lock", .thaw), text: "thaw",
                source: .init(line: 2, column: 1)),
        ]
        var stage = Stage(
            topology,
            [
                "lock": { event in
                    switch event {
                    case .boot: [.setTimer(name: "tick", after: .milliseconds(2), slack: 0)]
                    default: [.observe(kind: "app.found", fields: [])]
                    }
                }
            ])
        #expect(stage.play().picture("app") == ["50 lock app.found"])
    }
}
