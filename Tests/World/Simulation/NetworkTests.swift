import Basics
import Choices
import DeviceLink
import Scenarios
import Simulation
import Testing
import Traces

/// The network between apps: what is offered there, found, opened, carried and lost.
@Suite struct NetworkTests {
    private static let offered = NetworkService(type: "_post._tcp", name: "lock")

    private static func topology(
        length: UInt64 = 30, _ change: (inout Topology) -> Void = { _ in }
    ) -> Topology {
        var topology = Topology(
            length: .seconds(length),
            devices: [
                DeviceSpec(name: "ben", program: .appleDevice(model: "iPhone15,4")),
                DeviceSpec(name: "lock", program: .accessory(profile: "qorvo")),
            ])
        change(&topology)
        return topology
    }

    private static func step(_ seconds: UInt64, _ verb: Verb) -> Step {
        Step(
            moment: .at(.seconds(seconds)), verb: verb, text: "\(seconds)",
            source: SourcePosition(line: 1, column: 1))
    }

    private static func said(_ word: String) -> Answer { .observe(kind: "app.\(word)", fields: []) }

    /// A phone that opens a connection to what it finds, sends numbers, and says what it is told.
    private static func phone(
        sending numbers: ClosedRange<UInt8> = 1...3, reliably isReliable: Bool = true,
        then: [Answer] = []
    ) -> Stage.Part {
        var number: UInt32 = 0
        return { event in
            switch event {
            case .boot: return [.network(.browse(type: offered.type))]
            case .network(.found(let service, _, _)):
                number += 1
                return [said("found"), .network(.open(connection: number, service))]
            case .network(.lost): return [said("lost")]
            case .network(.opened(let connection, _, let host)):
                return [said("opened.\(host)")]
                    + numbers.map {
                        .network(.send(connection: connection, isReliable: isReliable, [$0]))
                    } + then
            case .network(.closed(_, let end)): return [said("closed.\(end)")]
            default: return []
            }
        }
    }

    /// An accessory that offers a service and says which numbers it gets.
    private static func server(_ event: DeviceEvent) -> [Answer] {
        switch event {
        case .boot: [.network(.publish(offered, record: []))]
        case .network(.received(_, let bytes)): [said("got.\(bytes[0])")]
        case .network(.closed(_, let end)): [said("closed.\(end)")]
        default: []
        }
    }

    private static func play(
        _ topology: Topology, seed: UInt64 = 1, _ phone: @escaping Stage.Part,
        _ server: @escaping Stage.Part = server
    ) -> Stage {
        var stage = Stage(topology, seed: seed, ["ben": phone, "lock": server])
        _ = stage.play()
        return stage
    }

    @Test func whatIsFoundIsOpenedAndCarriesMessagesInSequence() {
        let stage = Self.play(Self.topology(length: 1), Self.phone())
        #expect(
            stage.trace.picture("air", "link", "app", "network") == [
                "0 ben air.scanning", "0 lock air.advertising", "1 ben app.found",
                "1 ben air.connecting", "1 ben air.connected", "2 ben link.up",
                "2 ben app.opened.lock", "2 ben network.sent", "2 ben network.sent",
                "2 ben network.sent", "2 lock link.up", "3 lock network.received",
                "3 lock app.got.1",
                "3 lock network.received", "3 lock app.got.2", "3 lock network.received",
                "3 lock app.got.3",
            ])
    }

    @Test func whatIsSentReliablyArrivesThoughAThirdIsLostAndTheRestDoesNot() {
        for seed in 1...10 as ClosedRange<UInt64> {
            let lossy = Self.topology { $0.air.networkLoss = Ratio(1, 3) }
            let numbers = 1...20 as ClosedRange<UInt8>
            let all = Self.play(lossy, seed: seed, Self.phone(sending: numbers)).trace.picture(
                "app.got")
            #expect(
                all.map { String($0.drop { $0 != "." }.dropFirst(5)) } == numbers.map { "\($0)" })
            let some = Self.play(
                lossy, seed: seed, Self.phone(sending: numbers, reliably: false)
            ).trace.picture("app.got")
            #expect((1..<20).contains(some.count))
        }
    }

    @Test func aPartitionEndsAConnectionForBothAndAServiceIsLost() {
        let topology = Self.topology {
            $0.steps = [
                Self.step(
                    5, .pair(DevicePair("ben", "lock"), .partition(oneWay: false, duration: nil)))
            ]
        }
        #expect(
            Self.play(topology, Self.phone()).trace.picture("app", "link.down", fields: ["reason"])
                .filter { !$0.contains("got") } == [
                    "1 ben app.found", "2 ben app.opened.lock", "12502 ben link.down reason=8",
                    "12502 ben app.closed.timedOut", "12502 lock link.down reason=8",
                    "12502 lock app.closed.timedOut", "14001 ben app.lost",
                ])
    }

    @Test func aPartitionThatIsShorterDelaysWhatIsSentReliably() {
        let topology = Self.topology {
            $0.steps = [
                Self.step(
                    5,
                    .pair(
                        DevicePair("ben", "lock"), .partition(oneWay: false, duration: .seconds(3)))
                )
            ]
        }
        var sent = false
        let stage = Self.play(topology) { event in
            switch event {
            case .network(.opened): return [.setTimer(name: "later", after: .seconds(6), slack: 0)]
            case .timer where !sent:
                sent = true
                return [.network(.send(connection: 1, isReliable: true, [7]))]
            default: return Self.phone(sending: 1...1)(event)
            }
        }
        let times = stage.trace.picture("app.got", "network.sent")
        #expect(times == ["6002 ben network.sent", "9003 lock app.got.7"])
    }

    @Test func aSystemSaysAtOnceThatItsAppIsGone() {
        let topology = Self.topology {
            $0.steps = [Self.step(5, .device("ben", .kill(afterAnswers: 0)))]
        }
        #expect(
            Self.play(topology, Self.phone()).trace.picture("device.died", "app.closed") == [
                "5000 ben device.died", "5001 lock app.closed.reset",
            ])
    }

    @Test func anAccessoryThatIsBackKnowsNothingOfItsConnections() {
        let topology = Self.topology {
            $0.steps = [
                Self.step(5, .device("lock", .kill(afterAnswers: 0))),
                Self.step(7, .device("lock", .restart)),
            ]
        }
        #expect(
            Self.play(topology, Self.phone()).trace.picture(
                "device.died", "device.started", "app.closed"
            ).dropFirst(2) == [
                "5000 lock device.died", "7000 lock device.started", "7502 ben app.closed.reset",
            ])
    }

    @Test func aServiceThatIsOfferedNoMoreIsRefused() {
        var wasFound = false
        let stage = Self.play(
            Self.topology(length: 2),
            { event in
                if case .network(.found) = event, !wasFound {
                    wasFound = true
                    return [.setTimer(name: "later", after: .milliseconds(500), slack: 0)]
                }
                if case .timer = event { return [.network(.open(connection: 9, Self.offered))] }
                return Self.phone()(event)
            },
            { event in
                switch event {
                case .boot:
                    [.setTimer(name: "no more", after: .milliseconds(100), slack: 0)]
                        + Self.server(event)
                case .timer: [.network(.withdraw(Self.offered))]
                default: []
                }
            })
        #expect(
            stage.trace.picture("app", "network", fields: ["reason"]) == [
                "101 ben app.lost", "502 ben network.failed reason=refused",
                "502 ben app.closed.refused",
            ])
    }

    @Test func aServiceThatNobodyEverOfferedIsSoughtInVain() {
        let stage = Self.play(
            Self.topology(),
            { event in
                guard case .boot = event else { return Self.phone()(event) }
                return [.network(.open(connection: 1, Self.offered))]
            }, { _ in [] })
        #expect(
            stage.trace.picture("app", "network", fields: ["reason"]) == [
                "10001 ben network.failed reason=timed out", "10001 ben app.closed.timedOut",
            ])
    }

    @Test func whoeverClosesHearsNothingMoreAndWhatWasSentStillArrives() {
        let stage = Self.play(
            Self.topology(length: 2), Self.phone(then: [.network(.close(connection: 1))]))
        #expect(
            stage.trace.picture("app", "link.down", fields: ["reason"]) == [
                "1 ben app.found", "2 ben app.opened.lock", "2 ben link.down reason=22",
                "3 lock app.got.1", "3 lock app.got.2", "3 lock app.got.3",
                "3 lock link.down reason=19", "3 lock app.closed.closed",
            ])
    }

    @Test func whatIsHeldIsHandedOverInSequenceWhenItIsReleased() {
        let topology = Self.topology {
            $0.steps = [
                Self.step(0, .pair(DevicePair("ben", "lock"), .hold)),
                Self.step(4, .pair(DevicePair("ben", "lock"), .release)),
            ]
        }
        #expect(
            Self.play(topology, Self.phone()).trace.picture("link.up", "app.got") == [
                "2 ben link.up", "4000 lock link.up", "4000 lock app.got.1", "4000 lock app.got.2",
                "4000 lock app.got.3",
            ])
    }

    @Test func moreConnectionsThanADeviceMayHaveAreABreach() {
        let stage = Self.play(Self.topology(length: 1)) { event in
            guard case .boot = event else { return [] }
            return (0...LinkLimits.networkConnections).map {
                .network(.open(connection: UInt32($0 + 1), Self.offered))
            }
        }
        #expect(stage.breaches == ["ben: expected at most 256 connections, found one more"])
    }

    @Test func theNumberOfAConnectionIsGivenOnce() {
        let stage = Self.play(Self.topology(length: 1)) { event in
            guard case .boot = event else { return [] }
            return [1, 1].map { .network(.open(connection: $0, Self.offered)) }
        }
        #expect(
            stage.breaches == [
                "ben: expected a number that no connection of the device has, found 1 again"
            ])
    }
}
