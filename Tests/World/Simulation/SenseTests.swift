import Basics
import DeviceLink
import Scenarios
import Simulation
import Testing
import Traces

/// What a device knows of itself, and of its peers, once its camera is on.
struct SenseTests {
    /// A phone that stands still until 1 s, and what of its events the test is about.
    private static func play(
        _ verbs: [(at: UInt64, verb: Verb)] = [], interval: UInt16 = 500,
        _ change: (inout Topology) -> Void = { _ in }
    ) -> [(at: UInt64, frame: CameraFrame)] {
        var topology = Topology(
            length: .seconds(3),
            devices: [DeviceSpec(name: "ben", program: .appleDevice(model: "iPhone15,4"))])
        topology.air.hostDelay = 1
        topology.steps = verbs.map {
            Step(
                moment: .at($0.at), verb: $0.verb, text: "step",
                source: SourcePosition(line: 1, column: 1))
        }
        change(&topology)
        var frames: [(at: UInt64, frame: CameraFrame)] = []
        var count: UInt64 = 0
        var stage = Stage(
            topology,
            [
                "ben": { event in
                    switch event {
                    case .boot: return [.camera(interval: interval)]
                    case .camera(let frame):
                        count += 1
                        frames.append((count * UInt64(interval), frame))
                        return frame.light == 0 ? [.camera(interval: 0)] : []
                    default: return []
                    }
                }
            ])
        _ = stage.play()
        return frames
    }

    @Test func aFrameSaysWhereTheDeviceIsAndWhereItLooks() {
        let frames = Self.play([
            (
                .seconds(1),
                .device("ben", .move(to: Position(x: 2_000, y: 0, z: 0), over: .seconds(1)))
            ),
            (.seconds(1), .device("ben", .turn(heading: -9_000, pitch: 3_000, over: .seconds(1)))),
            (.milliseconds(1_900), .device("ben", .rotate(isUpright: false))),
        ])
        #expect(frames.map(\.frame.place.x) == [0, 0, 1_000, 2_000, 2_000])
        #expect(frames.map(\.frame.heading) == [0, 0, -4_500, -9_000, -9_000])
        #expect(frames.map(\.frame.pitch) == [0, 0, 1_500, 3_000, 3_000])
        #expect(frames.map(\.frame.isUpright) == [true, true, true, false, false])
    }

    @Test func aTurnGoesTheShorterWayAround() {
        let frames = Self.play([
            (.seconds(1), .device("ben", .turn(heading: -17_000, pitch: 0, over: .seconds(1))))
        ]) { $0.devices[0].heading = 17_000 }
        #expect(frames.map(\.frame.heading) == [17_000, 17_000, 18_000, -17_000, -17_000])
    }

    @Test func thereIsNoFrameOnceTheCameraIsOff() {
        let frames = Self.play([(.seconds(1), .device("ben", .light(lux: 0)))])
        #expect(frames.map(\.frame.light).suffix(2) == [500, 0])
    }

    @Test func whoNeverAsksHearsNothing() { #expect(Self.play(interval: 0).isEmpty) }

    @Test func withTheCameraOnARoundSaysWherethePeerIsThoughItIsOutOfView() {
        func parameters(_ address: UInt16, _ peer: UInt16, isInitiator: Bool) -> UWBParameters {
            UWBParameters(
                sessionID: 9, address: address, peer: peer, channel: 9, preamble: 10,
                stsIV: [1, 2, 3, 4, 5, 6], slotsPerRound: 6, slotDuration: 2_400, interval: 200,
                isInitiator: isInitiator)
        }
        var topology = Topology(
            length: .seconds(1),
            devices: [
                DeviceSpec(
                    name: "ben", program: .appleDevice(model: "iPhone15,4"), heading: 18_000),
                DeviceSpec(
                    name: "lock", program: .accessory(profile: "qorvo"),
                    position: Position(x: 3_000, y: 3_000, z: 0)),
            ])
        topology.air.uwbNoise = 0
        for isOn in [true, false] {
            var seen: [UWBMeasurement] = []
            var stage = Stage(
                topology,
                [
                    "ben": { event in
                        if case .uwb(.round(_, let measured?)) = event { seen.append(measured) }
                        guard event == .boot else { return [] }
                        return (isOn ? [.camera(interval: 1_000)] : [])
                            + [.uwb(.start(session: 1, parameters(1, 2, isInitiator: true)))]
                    },
                    "lock": { event in
                        event == .boot
                            ? [.uwb(.start(session: 1, parameters(2, 1, isInitiator: false)))] : []
                    },
                ])
            _ = stage.play()
            let sight = UWBSight(
                isInView: false, horizontal: -13_500, vertical: 0,
                place: RoomPlace(x: 3_000, y: 3_000, z: 0))
            #expect(!seen.isEmpty)
            #expect(seen.allSatisfy { $0.sight == (isOn ? sight : nil) })
            #expect(seen.allSatisfy { $0.azimuth == (isOn ? -13_500 : nil) })
        }
    }
}
