import Basics
import Choices
import DeviceLink
import Scenarios
import Simulation
import Testing
import Traces
import Vocabulary
import YAML

@testable import Schedules

/// Advertising, links, supervision, encryption: what the virtual controllers do.
@Suite struct BluetoothAirTests {
    private static let parameters = ConnectionParameters(interval: 24, latency: 0, timeout: 72)

    private static func topology(_ change: (inout Topology) -> Void = { _ in }) -> Topology {
        var topology = Topology(
            length: .seconds(5),
            devices: [
                DeviceSpec(name: "ben", program: .appleDevice(model: "iPhone15,4")),
                DeviceSpec(name: "lock", program: .accessory(profile: "qorvo")),
            ])
        change(&topology)
        return topology
    }

    private static func step(_ milliseconds: UInt64, _ verb: Verb) -> Step {
        Step(
            moment: .at(.milliseconds(milliseconds)), verb: verb, text: "\(milliseconds)",
            source: SourcePosition(line: 1, column: 1))
    }

    /// A phone that scans, connects to the first advertiser and sends three frames.
    private static func phone(_ event: DeviceEvent) -> [Answer] {
        switch event {
        case .boot: [.bluetooth(.scan(active: true, period: 1))]
        case .bluetooth(.advertisingReport(let peer, false, _, _, _)):
            [.bluetooth(.stopScan), .bluetooth(.connect(peer: peer, parameters))]
        case .bluetooth(.connectionComplete(0, let handle, _, _, _)):
            (0..<3).map { .bluetooth(.acl(handle: handle, [1, 0, 4, 0, $0])) }
        case .bluetooth(.acl(_, let frame)):
            [.observe(kind: "app.received", fields: [Field("message", .number(Int64(frame[4])))])]
        default: []
        }
    }

    /// An accessory that advertises and sends every frame back.
    private static func echo(_ event: DeviceEvent) -> [Answer] {
        switch event {
        case .boot: [.bluetooth(.advertise(interval: 32, data: [2, 1, 6], scanResponse: []))]
        case .bluetooth(.acl(let handle, let frame)): [.bluetooth(.acl(handle: handle, frame))]
        case .bluetooth(.longTermKeyRequest(let handle, _, _)):
            [.bluetooth(.longTermKey(handle: handle, Array(repeating: 7, count: 16)))]
        default: []
        }
    }

    private static func play(
        _ topology: Topology, seed: UInt64 = 1, scheduler: (any Scheduler)? = nil
    ) -> [TraceEvent] {
        var stage = Stage(
            topology, seed: seed, scheduler: scheduler ?? FirstInFirstOut(),
            ["ben": phone, "lock": echo])
        return stage.play()
    }

    @Test func framesGoThereAndBackInOrder() {
        for seed in 1...20 as ClosedRange<UInt64> {
            let trace = Self.play(
                Self.topology(), seed: seed, scheduler: RandomWalk())
            #expect(trace.compactMap { $0.number("message") } == [0, 1, 2])
            #expect(Set(trace.filter { $0.kind == .linkUp }.map(\.device)) == ["ben", "lock"])
        }
    }

    @Test func lossDelaysButLosesNothingAndKeepsTheOrder() {
        for seed in 1...20 as ClosedRange<UInt64> {
            let topology = Self.topology { $0.air.loss = Ratio(1, 3) }
            let trace = Self.play(topology, seed: seed)
            #expect(trace.compactMap { $0.number("message") } == [0, 1, 2])
        }
    }

    @Test func aPartitionEndsALinkAfterTheSupervisionTimeout() {
        let topology = Self.topology {
            $0.steps = [
                Self.step(
                    1_000,
                    .pair(DevicePair("ben", "lock"), .partition(oneWay: false, duration: nil)))
            ]
        }
        let downs = Self.play(topology).filter { $0.kind == .linkDown }
        #expect(downs.map { $0.number("reason") } == [8, 8])
        for down in downs {
            #expect((1_690...1_725).contains(down.time.nanoseconds / 1_000_000))
        }
    }

    @Test func aShortPartitionIsSurvived() {
        let topology = Self.topology {
            $0.steps = [
                Self.step(
                    1_000,
                    .pair(
                        DevicePair("ben", "lock"),
                        .partition(oneWay: false, duration: .milliseconds(500))))
            ]
        }
        #expect(Self.play(topology).allSatisfy { $0.kind != .linkDown })
    }

    @Test func aKilledAccessoryIsNoticedByTheSupervisionTimeoutOnly() {
        let topology = Self.topology {
            $0.steps = [Self.step(1_000, .device("lock", .kill(afterAnswers: 0)))]
        }
        let trace = Self.play(topology).filter { $0.kind == .linkDown }
        #expect(trace.map(\.device) == ["ben"])
        #expect(trace.map { $0.number("reason") } == [8])
        #expect(trace.allSatisfy { $0.time >= VirtualTime(nanoseconds: .milliseconds(1_690)) })
    }

    @Test func theSystemEndsTheLinksOfAKilledApp() {
        let topology = Self.topology {
            $0.steps = [Self.step(1_000, .device("ben", .kill(afterAnswers: 0)))]
        }
        let trace = Self.play(topology).filter { $0.kind == .linkDown }
        #expect(trace.map(\.device) == ["lock"])
        #expect(trace.map { $0.number("reason") } == [0x13])
        #expect(trace.allSatisfy { $0.time < VirtualTime(nanoseconds: .milliseconds(1_100)) })
    }

    @Test func walkingOutOfRangeEndsALink() {
        let topology = Self.topology {
            $0.steps = [
                Self.step(
                    1_000,
                    .device("ben", .move(to: Position(x: 100_000, y: 0, z: 0), over: .seconds(2))))
            ]
        }
        let downs = Self.play(topology).filter { $0.kind == .linkDown }
        #expect(downs.map { $0.number("reason") } == [8, 8])
        #expect(downs.allSatisfy { (2_690...2_725).contains($0.time.nanoseconds / 1_000_000) })
    }

    @Test func aHeldDirectionHandsOverNothingUntilItIsReleased() {
        let topology = Self.topology {
            $0.steps = [
                Self.step(0, .pair(DevicePair("lock", "ben"), .hold)),
                Self.step(2_000, .pair(DevicePair("lock", "ben"), .release)),
            ]
        }
        let trace = Self.play(topology)
        #expect(
            trace.filter { $0.kind == .linkUp && $0.device == "ben" }
                .allSatisfy { $0.time >= VirtualTime(nanoseconds: .seconds(2)) })
        #expect(trace.compactMap { $0.number("message") } == [0, 1, 2])
    }

    @Test(arguments: [(key: UInt8(7), status: Int64(0), ends: false), (8, 0x3D, true)])
    func aLinkIsEncryptedWhereBothHaveTheSameKey(key: UInt8, status: Int64, ends: Bool) {
        var stage = Stage(
            Self.topology(),
            [
                "lock": Self.echo,
                "ben": { event in
                    guard case .bluetooth(.connectionComplete(0, let handle, _, _, _)) = event
                    else {
                        return Self.phone(event)
                    }
                    return [
                        .bluetooth(.encrypt(handle: handle, key: Array(repeating: key, count: 16)))
                    ]
                },
            ])
        let trace = stage.play()
        #expect(
            trace.filter { $0.kind == .linkEncrypted }.map { $0.number("status") }
                == (ends ? [] : [0, 0]))
        #expect(
            trace.filter { $0.kind == .linkDown }.map { $0.number("reason") }
                == (ends ? [status, status] : []))
    }

    @Test func theSameSeedGivesTheSameTraceAndAnotherOneAnother() {
        let topology = Self.topology { $0.air.loss = Ratio(1, 5) }
        let traces = [1, 1, 2].map {
            Self.play(topology, seed: $0, scheduler: RandomWalk())
        }
        #expect(traces[0] == traces[1])
        #expect(traces[0] != traces[2])
    }

    @Test(arguments: Strategy.arms + [.fifo])
    func aRecordingGivesTheSameTraceUnderAnotherSeed(_ strategy: Strategy) {
        let scheduler = strategy.scheduler(seed: 7)
        let topology = Self.topology { $0.air.loss = Ratio(1, 5) }
        var first = Stage(
            topology, seed: 7, scheduler: scheduler, records: true,
            ["ben": Self.phone, "lock": Self.echo])
        let original = first.play()
        let recorded = first.world.decisions.recorded
        #expect(recorded.contains { $0.identity.hasSuffix(" loss") })
        if [.random, .fifo].contains(strategy) {
            #expect(
                recorded.contains { $0.identity.hasSuffix(" delay") } == (strategy == .random))
        }
        var second = Stage(
            topology, seed: 8, scheduler: scheduler, replaying: recorded, isComplete: true,
            ["ben": Self.phone, "lock": Self.echo])
        #expect(second.play() == original)
        #expect(second.world.decisions.unusedIdentities == [])
    }

    /// Decision 0 is always the plainest.
    @Test(arguments: Strategy.arms + [.fifo, .delay(bound: 3)])
    func aScheduleGivesTheSameTraceWhoeverPicked(_ strategy: Strategy) throws {
        let topology = Self.topology { $0.air.loss = Ratio(1, 5) }
        var first = Stage(
            topology, seed: 7, scheduler: strategy.scheduler(seed: 7), records: true,
            notesSchedule: true, ["ben": Self.phone, "lock": Self.echo])
        let original = first.play()
        let schedule = try #require(first.world.schedule)
        #expect(strategy != .fifo || schedule.afters.isEmpty)
        #expect(strategy != .random || !schedule.afters.isEmpty)
        var second = Stage(
            topology, seed: 8, scheduler: ScheduledOrder(schedule.afters),
            replaying: schedule.decisions, isComplete: true,
            ["ben": Self.phone, "lock": Self.echo])
        #expect(second.play() == original)
        #expect(second.world.decisions.unusedIdentities == [])
    }

    @Test func whereNothingIsDecidedTheRandomWalkIsThePlainOne() {
        let traces = [RandomWalk(), FirstInFirstOut()].map { (scheduler: any Scheduler) in
            var stage = Stage(
                Self.topology(), seed: 7, scheduler: scheduler, isComplete: true,
                ["ben": Self.phone, "lock": Self.echo])
            return stage.play()
        }
        #expect(traces[0] == traces[1])
    }

    @Test func aDecisionThatNeverComesUpIsTold() {
        let strange = RecordedDecision(identity: "link nobody/0 #1 loss", value: 1)
        var stage = Stage(Self.topology(), replaying: [strange], ["ben": Self.phone])
        _ = stage.play()
        #expect(stage.world.decisions.unusedIdentities == ["link nobody/0 #1 loss"])
    }

    /// Removing a device does not change what is drawn for the others.
    @Test func aBystanderDoesNotChangeTheDrawsOfOthers() {
        let alone = Self.topology { $0.air.loss = Ratio(1, 5) }
        var crowded = alone
        crowded.devices.append(DeviceSpec(name: "zoe", program: .accessory(profile: "qorvo")))
        let pictures = [alone, crowded].map { topology in
            Self.play(topology).picture("link", "app", fields: ["message"])
        }
        #expect(pictures[0] == pictures[1])
    }

    /// How many frames the phone is told of that have left, each time.
    private static func completions(of program: DeviceSpec.Program) -> [UInt16] {
        var counts: [UInt16] = []
        var stage = Stage(
            topology { $0.devices[0].program = program },
            [
                "ben": { event in
                    if case .bluetooth(.completedPackets(_, let count)) = event {
                        counts.append(count)
                    }
                    return phone(event)
                }, "lock": echo,
            ])
        _ = stage.play()
        return counts
    }

    /// It may wait until all of its frames have left: Bumble does, at the end of a pairing.
    @Test func aHostBehindHCIHearsOfEachFrameThatHasLeft() {
        #expect(Self.completions(of: .host(HostProgram(path: "host"), model: "phone")) == [3])
        #expect(Self.completions(of: .appleDevice(model: "iPhone15,4")).isEmpty)
    }
}
