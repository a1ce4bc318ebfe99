import Basics
import Bluetooth
import DeviceLink
import Observer
import Scenarios
import Testing
import Traces
import Vocabulary

@testable import Airs
@testable import Simulation
@testable import Topologies

/// Faults that begin and end: what is there while several go on, and that nothing of them stays.
@Suite struct DisturbanceTests {
    /// An air with losses, and a link with parameters of its own.
    private static let air = """
        length: 20s
        devices:
          ben: {model: iPhone 15, at: [0m, 0m]}
          lock: {profile: qorvo, at: [2m, 0m]}
          tag: {profile: qorvo, at: [4m, 0m]}
        air: {loss: 1/50, uwb-loss: 1/10, event-capacity: 2}
        links:
          - {between: [ben, tag], loss: 1/9, event-capacity: 6, obstructed: true}

        """

    private static func topology(_ script: String) throws -> Topology {
        try Topology(parsing: Array((air + script).utf8), name: "t", file: "t")
    }

    /// What faults change, in a picture that can be compared.
    private struct Picture: Equatable {
        var ways: [Conditions]
        var states: [WorldSnapshot.Device.State]
        var waits: [UInt64]
        var armed: Int

        init(_ world: World) {
            let all = world.state.devices.indices
            ways = all.flatMap { from in
                all.map { world.state.ways.conditions(from: from, to: $0) }
            }
            states = world.snapshot.devices.map(\.state)
            waits = world.state.devices.map(\.queueWait)
            armed = world.state.script.spoilings.count + world.state.script.active.count
        }
    }

    /// The pictures at these seconds of a run in which devices do nothing, and its whole trace.
    private static func pictures(
        _ script: String, at seconds: [Double], seed: UInt64 = 1
    ) throws -> (pictures: [Picture], trace: [TraceEvent]) {
        let places = seconds.map {
            World.Place.moment(VirtualTime(nanoseconds: UInt64($0 * 1_000) * 1_000_000))
        }
        var stage = Stage(try topology(script), seed: seed, pause: places[0])
        _ = stage.play()
        var pictures: [Picture] = []
        for next in places.dropFirst().map(Optional.some) + [nil] {
            pictures.append(Picture(stage.world))
            _ = stage.play(from: .resumed(next: next))
        }
        return (pictures, stage.trace)
    }

    /// A step for every verb of the table that can last for a time, without the time.
    private static let lasting: [String] = VerbForm.all.filter { $0.modifiers.contains("for") }.map
    {
        form in
        let target =
            switch form.target {
            case .pair: "[ben, tag]"
            case .device: "tag"
            case .command(let kinds): kinds.contains(.accessory) ? "tag" : "ben"
            }
        let values = ["ratio": "1/2", "by": "200ms", "to": "1"]
        return
            (["\(form.name.rawValue): \(target)"]
            + form.required.map { "\($0): \(values[$0, default: "?"])" }).joined(separator: ", ")
    }

    /// Whether the core sees the difference by itself; what is told to a device is the device's.
    private static func isCommand(_ said: String) -> Bool {
        VerbForm.named(String(said.prefix { $0 != ":" })).map {
            if case .command = $0.target { true } else { false }
        } ?? false
    }

    @Test(arguments: lasting)
    func afterAFaultEverythingIsAsBefore(said: String) throws {
        let (seen, _) = try Self.pictures(
            "steps: [{at: 2s, \(said), for: 2s}, {at: 8s, \(said), for: 1s}]",
            at: [1, 3, 5, 8.5, 10])
        #expect(seen[0] == seen[2] && seen[2] == seen[4])
        #expect(seen[1] != seen[0] && seen[1] == seen[3])
    }

    /// Three of one sort: the second one lies within the first one, the third one goes on when it ends.
    @Test(arguments: lasting)
    func theEndOfOneFaultLeavesTheOthers(said: String) throws {
        let (seen, trace) = try Self.pictures(
            """
            steps:
              - {at: 2s, \(said), for: 4s}
              - {at: 3s, \(said), for: 1s}
              - {at: 5s, \(said), for: 4s}
            """, at: [1, 2.5, 3.5, 4.5, 5.5, 6.5, 8.5, 9.5])
        if !Self.isCommand(said) {
            var disturbed = seen[1]
            for picture in seen[1...6] {
                disturbed.armed = picture.armed
                #expect(picture == disturbed)
            }
            #expect(seen[0] != seen[1])
        }
        #expect(seen[0] == seen[7])
        let stops = trace.filter { $0.kind == .faultsStopped }.map { $0.time.nanoseconds }
        #expect(stops == [.seconds(9)])
    }

    @Test func ofSeveralDisturbancesTheWorstCounts() throws {
        let (seen, _) = try Self.pictures(
            """
            steps:
              - {at: 1s, loss: [ben, lock], ratio: 1/2, for: 4s}
              - {at: 2s, loss: [lock, ben], ratio: 1/4, for: 5s}
              - {at: 3s, uwb-loss: [ben, lock], ratio: 9/10, for: 1s}
              - {at: 1s, delay: [ben, lock], by: 10ms}
              - {at: 2s, delay: [ben, lock], by: 90ms, for: 4s}
              - {at: 2s, throttle: [ben, lock], to: 9, for: 1s}
              - {at: 3s, throttle: [ben, lock], to: 1, for: 1s}
            """, at: [1.5, 2.5, 3.5, 4.5, 5.5, 8])
        let way = seen.map { $0.ways[1] }
        #expect(way.map(\.loss) == [2, 2, 2, 2, 4, 50].map { Ratio(1, $0) })
        #expect(way[2].uwbLoss == Ratio(9, 10) && way[5].uwbLoss == Ratio(1, 10))
        #expect(way.map(\.extraDelay) == [10, 90, 90, 90, 90, 10].map { $0 * 1_000_000 })
        #expect(way.map(\.capacity) == [2, 2, 1, 2, 2, 2])
    }

    @Test func aFaultWithoutAnEndGivesWayToTheNextOfItsSort() throws {
        let (seen, _) = try Self.pictures(
            """
            steps:
              - {at: 1s, loss: [ben, tag], ratio: 1/2}
              - {at: 2s, loss: [tag, ben], ratio: 1/4}
              - {at: 3s, loss: [ben, tag], ratio: 0/1}
              - {at: 1s, busy: lock, by: 30ms}
              - {at: 2s, busy: lock, by: 10ms}
            """, at: [1.5, 2.5, 3.5])
        #expect(seen.map { $0.ways[2].loss } == [Ratio(1, 2), Ratio(1, 4), Ratio(1, 9)])
        #expect(seen.map { $0.waits[1] } == [30_000_000, 10_000_000, 10_000_000])
    }

    @Test func theVerbThatUndoesEndsAllOfItsSort() throws {
        let (seen, _) = try Self.pictures(
            """
            steps:
              - {at: 1s, partition: [ben, lock], one-way: true, for: 9s}
              - {at: 2s, partition: [ben, lock]}
              - {at: 3s, repair: [lock, ben]}
              - {at: 1s, hold: [ben, lock], for: 9s}
              - {at: 1s, hold: [lock, ben]}
              - {at: 3s, release: [ben, lock]}
              - {at: 1s, freeze: tag, for: 9s}
              - {at: 2s, freeze: tag, for: 2s}
              - {at: 3s, thaw: tag}
              - {at: 6s, clear: [ben, tag]}
            """, at: [1.5, 2.5, 3.5, 7])
        let (there, back) = (seen.map { $0.ways[1] }, seen.map { $0.ways[3] })
        #expect(there.map(\.isPartitioned) == [true, true, false, false])
        #expect(back.map(\.isPartitioned) == [false, true, false, false])
        #expect(there.map(\.isHeld) == [true, true, false, false])
        #expect(back.map(\.isHeld) == [true, true, true, true])
        #expect(seen.map { $0.states[2] } == [.frozen, .frozen, .alive, .alive])
        // What the topology had put between the two is gone for good.
        #expect(seen.map { $0.ways[2].isObstructed } == [true, true, true, false])
    }

    @Test func aDeviceIsToldOfTheEndWhenTheLastOneEnds() throws {
        var heard: [String] = []
        var stage = Stage(
            try Self.topology(
                """
                steps:
                  - {at: 1s, suspend: ben, for: 4s}
                  - {at: 2s, suspend: ben, for: 1s}
                  - {at: 4s, suspend: ben, for: 3s}
                """),
            [
                "ben": { event in
                    guard case .command(let name, _) = event else { return [] }
                    return [.observe(kind: "app.\(name)", fields: [])]
                }
            ])
        heard = stage.play().picture("app")
        #expect(
            heard == [
                "1000 ben app.suspend", "2000 ben app.suspend", "4000 ben app.suspend",
                "7000 ben app.resume",
            ])
    }

    @Test func aNewLifeIsNotFrozenByAnOldFault() throws {
        let (seen, _) = try Self.pictures(
            """
            steps:
              - {at: 1s, freeze: tag, for: 9s}
              - {at: 2s, kill: tag, for: 1s}
              - {at: 4s, freeze: tag, for: 1s}
            """, at: [1.5, 2.5, 3.5, 4.5, 5.5])
        #expect(seen.map { $0.states[2] } == [.frozen, .dead, .alive, .frozen, .alive])
    }

    @Test func refusalsAreUsedUpOneByOne() throws {
        var stage = Stage(
            try Self.topology("steps: [{at: 1ms, refuse-uwb: tag, count: 2}]"),
            [
                "tag": { event in
                    switch event {
                    case .boot: [.setTimer(name: "go", after: 5_000_000, slack: 0)]
                    case .timer, .uwb(.started(_, 1)):
                        [
                            .uwb(
                                .start(
                                    session: 1,
                                    UWBParameters(
                                        sessionID: 9, address: 1, peer: 2, channel: 9, preamble: 10,
                                        stsIV: [1, 2, 3, 4, 5, 6], slotsPerRound: 6,
                                        slotDuration: 2_400, interval: 200, isInitiator: true)))
                        ]
                    default: []
                    }
                }
            ])
        let trace = stage.play().filter { [.uwbRefused, .faultsStopped].contains($0.kind) }
        #expect(trace.map(\.kind) == [.uwbRefused, .faultsStopped, .uwbRefused])
    }

    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func afterRandomFaultsThatHealEverythingIsAsBefore(seed: UInt64) throws {
        let kinds = RandomFaultForm.all.map { form in
            "\(form.name): {ratio: 1/3\(form.verb.lasts ? ", for: 200ms..9s" : "")}"
        }
        for heals in [true, false] {
            let (seen, _) = try Self.pictures(
                """
                steps: [{at: 3s, partition: [ben, tag], one-way: true}, {at: 4s, freeze: lock}]
                faults: {between: 1s..8s, heal: \(heals), \(kinds.joined(separator: ", "))}
                """, at: [0.5, 7.9, heals ? 8.5 : 19.9], seed: seed)
            #expect(seen[1] != seen[0])
            if heals { #expect(seen[2] == seen[0]) }
            guard !heals else { continue }
            // What has no end of its own stays; kills, and what is armed, too.
            #expect(seen[2].ways[2].isPartitioned && !seen[2].ways[6].isPartitioned)
            #expect(seen[2].ways[1] == seen[0].ways[1] && seen[2].waits == seen[0].waits)
        }
    }

    /// A fault that something else has ended does not end once more.
    @Test(arguments: [
        "{at: 1s, partition: [ben, lock], for: 4s}, {at: 2s, repair: [ben, lock]}",
        "{at: 1s, busy: lock, by: 1s, for: 4s}, {at: 1s, loss: [ben, tag], ratio: 1/2, for: 2s}",
    ])
    func faultsStopOnce(steps: String) throws {
        let heals =
            steps.contains("busy")
            ? "faults: {between: 500ms..2s, heal: true, disconnect: {ratio: 0/1}}" : ""
        var stage = Stage(try Self.topology("steps: [\(steps)]\n\(heals)"))
        let trace = stage.play()
        #expect(trace.picture("faults.stopped") == ["2000 faults.stopped"])
        #expect(trace.picture("fault").filter { $0 > "2000" && !$0.hasPrefix("2000") } == [])
        let ends = trace.filter {
            $0.time.nanoseconds == .seconds(2) && $0.name.hasPrefix("fault.")
        }
        if !heals.isEmpty {
            #expect(ends.map { $0["ended"] } == [.flag(true), .flag(true)])
        }
    }

    // MARK: Spoilt messages

    /// A link on which the phone knows the accessory's service, at 2 s.
    private static func linked(_ steps: String) throws -> World {
        var stage = Stage(
            try topology("steps: [\(steps)]"),
            pause: .moment(VirtualTime(nanoseconds: .seconds(2))))
        _ = stage.play()
        var world = stage.world
        world.state.observer.linkUp(
            link: 1, central: "ben", peripheral: "lock", peripheralIncarnation: 0, isBonded: false)
        let receive: BluetoothUUID = "2E93998A-6A61-11ED-A1EB-0242AC120002"
        let pdus: [(String, ATTPDU)] = [
            ("ben", .readByTypeRequest(HandleRange(1, 9), type: .characteristic)),
            (
                "lock",
                .readByTypeResponse([.init(handle: 2, value: [0x0C, 0x03, 0x00] + receive.bytes)])
            ),
        ]
        for (sender, pdu) in pdus {
            for phase in [AirObserver.Phase.sent, .received] {
                let device = (phase == .sent) == (sender == "ben") ? "ben" : "lock"
                var events: [AirObserver.ObservedEvent] = []
                world.state.observer.frame(
                    frame(pdu), link: 1, at: device, phase: phase, isSpoilt: false, into: &events)
            }
        }
        return world
    }

    private static func frame(_ pdu: ATTPDU) -> [UInt8] {
        L2CAPFrame(channel: L2CAPChannel.attribute, payload: pdu.bytes).bytes
    }

    private static let handle = Controller.Handle(
        value: 0x40, link: 1, slot: 0, side: .central, peer: 1)

    @Test func anExtendedMessageFitsIntoItsFrame() throws {
        var world = try Self.linked("{at: 1s, extend: ben, by: 512, count: 9}")
        for (length, extended) in [(10, 522), (65_500, 65_528), (65_528, 65_528)] {
            let message = [0x0A] + [UInt8](repeating: 0, count: length - 1)
            let frame = Self.frame(.writeCommand(3, message))
            let spoilt = world.state.spoil(frame, of: 0, on: Self.handle)
            #expect(spoilt.bytes.count == 7 + extended && spoilt.isSpoilt)
            #expect(Int(spoilt.bytes[0]) + Int(spoilt.bytes[1]) << 8 == spoilt.bytes.count - 4)
        }
    }

    @Test func aMessageIsSpoiltThoughAnEarlierFaultWaitsForAnother() throws {
        var world = try Self.linked(
            "{at: 1s, garble: ben, message: stop}, {at: 1s, truncate: ben, to: 0, message: initialize}"
        )
        let spoilt = world.state.spoil(Self.frame(.writeCommand(3, [0x0A])), of: 0, on: Self.handle)
        #expect(spoilt.isSpoilt && spoilt.bytes == Self.frame(.writeCommand(3, [])))
    }
}
