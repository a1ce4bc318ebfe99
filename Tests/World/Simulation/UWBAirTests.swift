import Basics
import DeviceLink
import Scenarios
import Simulation
import Testing
import Traces
import YAML

/// What the UWB radios measure.
@Suite struct UWBAirTests {
    private static func parameters(_ address: UInt16, _ peer: UInt16, initiator: Bool)
        -> UWBParameters
    {
        UWBParameters(
            sessionID: 9, address: address, peer: peer, channel: 9, preamble: 10,
            stsIV: [1, 2, 3, 4, 5, 6], slotsPerRound: 6, slotDuration: 2_400, interval: 200,
            isInitiator: initiator)
    }

    private static func play(_ change: (inout Topology) -> Void = { _ in }) -> [TraceEvent] {
        var topology = Topology(
            length: .seconds(1),
            devices: [
                DeviceSpec(name: "ben", program: .appleDevice(model: "iPhone15,4")),
                DeviceSpec(
                    name: "lock", program: .accessory(profile: "qorvo"),
                    position: Position(x: 3_000, y: 4_000, z: 0)),
            ])
        topology.air.uwbNoise = 0
        change(&topology)
        func part(_ address: UInt16, _ peer: UInt16, _ initiator: Bool) -> Stage.Part {
            { event in
                switch event {
                case .boot:
                    [.uwb(.start(session: 1, parameters(address, peer, initiator: initiator)))]
                case .uwb(.round(_, let measured?)):
                    [
                        .observe(
                            kind: "ni.didUpdate",
                            fields: [
                                Field(
                                    "azimuth", measured.azimuth.map { .number(Int64($0)) } ?? .none)
                            ])
                    ]
                default: []
                }
            }
        }
        var stage = Stage(topology, ["ben": part(1, 2, false), "lock": part(2, 1, true)])
        return stage.play()
    }

    @Test func twoMatchingRadiosMeasureTheirDistanceFiveTimesASecond() {
        let rounds = Self.play().filter { $0.kind == .uwbRound && $0.device == "ben" }
        #expect(rounds.allSatisfy { $0.number("distance") == 5_000 })
        #expect((4...5).contains(rounds.count))
    }

    @Test func directionIsMeasuredWithinTheFieldOfViewOnly() {
        // 3 m to the right and 4 m ahead are 36.87° to the right.
        let seen = Self.play().first { $0.device == "ben" && $0.kind == .niDidUpdate }
        #expect(seen?.number("azimuth") == 3_687)
        let behind = Self.play { $0.devices[0].heading = 18_000 }
            .first { $0.device == "ben" && $0.kind == .niDidUpdate }
        #expect(behind?["azimuth"] == Field.Value.none)
    }

    @Test func outOfReachEveryRoundIsAMiss() {
        let rounds = Self.play { $0.air.uwbRange = 4_999 }.filter { $0.kind == .uwbRound }
        #expect(!rounds.isEmpty)
        #expect(rounds.allSatisfy { $0.text("outcome") == "missed" })
    }

    @Test func nothingOfASessionComesBehindItsEnd() {
        var topology = Topology(
            length: .seconds(1),
            devices: [DeviceSpec(name: "lock", program: .accessory(profile: "qorvo"))])
        topology.air.hostDelay = .milliseconds(5)
        func events(_ refuses: Bool, stoppingAfter time: UInt64) -> [DeviceEvent] {
            topology.steps = []
            if refuses {
                topology.steps = [
                    Step(
                        moment: .at(0), verb: .device("lock", .refuseUWB(count: 1, status: 1)),
                        text: "refuse",
                        source: SourcePosition(line: 1, column: 1))
                ]
            }
            topology.devices[0].start = .milliseconds(10)
            var seen: [DeviceEvent] = []
            var hasStopped = false
            var stage = Stage(
                topology,
                [
                    "lock": { event in
                        if hasStopped { seen.append(event) }
                        switch event {
                        case .boot:
                            return [
                                .uwb(.start(session: 1, Self.parameters(1, 2, initiator: true))),
                                .setTimer(name: "stop", after: time, slack: 0),
                            ]
                        case .timer:
                            hasStopped = true
                            return [.uwb(.stop(session: 1))]
                        default: return []
                        }
                    }
                ])
            _ = stage.play()
            return seen
        }
        for time: UInt64 in [0, .milliseconds(1), .milliseconds(2), .milliseconds(300)] {
            #expect(events(false, stoppingAfter: time) == [])
        }
        // A refusal is always reported.
        #expect(
            events(true, stoppingAfter: .milliseconds(1))
                == [.uwb(.started(session: 1, status: 1))])
    }

    @Test func aRadioThatRefusesMeasuresNothing() {
        let trace = Self.play {
            $0.devices[1].start = .milliseconds(10)
            $0.steps = [
                Step(
                    moment: .at(0), verb: .device("lock", .refuseUWB(count: 1, status: 1)),
                    text: "refuse",
                    source: SourcePosition(line: 1, column: 1))
            ]
        }
        #expect(trace.contains { $0.kind == .uwbRefused && $0.device == "lock" })
        #expect(
            trace.filter { $0.kind == .uwbRound }.allSatisfy { $0.text("outcome") == "missed" })
    }
}
