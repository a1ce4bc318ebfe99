import DeviceLink
import Scenarios
import Simulation
import Testing
import Traces

/// What a device may have of what costs something; one more is a breach of the contract.
@Suite struct LimitTests {
    private static let device = DeviceSpec(name: "lock", program: .accessory(profile: "qorvo"))

    /// The breaches of a device that answers its first turns with these lists.
    private func breaches(_ turns: [Answer]...) -> [String] {
        var left = turns[...]
        let topology = Topology(length: .seconds(1), devices: [Self.device])
        var stage = Stage(topology, ["lock": { _ in left.popFirst() ?? [] }])
        let trace = stage.play()
        #expect(trace.last?.kind == .runEnded)
        return stage.breaches
    }

    private let next = Answer.setTimer(name: "next", after: 0, slack: 0)

    @Test func soManyItemsMayWaitAndNoMore() {
        let full = (1..<UInt32(LinkLimits.waiting)).map { Answer.post(queue: "q\($0)", item: $0) }
        #expect(breaches([next] + full) == [])
        #expect(
            breaches([next] + full + [.post(queue: "q", item: 0)]) == [
                "lock: expected at most 8192 timers that are set and items that wait, found one more"
            ])
    }

    @Test func aTimerThatIsSetAgainOrCancelledWaitsOnce() {
        let again = Array(repeating: next, count: LinkLimits.waiting + 1)
        #expect(breaches(again) == [])
        let cancelled = (0...LinkLimits.waiting).flatMap { _ -> [Answer] in
            [next, .cancelTimer(name: "next")]
        }
        #expect(breaches(cancelled) == [])
    }

    @Test func whatIsOverMakesRoom() {
        let half = (0..<UInt32(LinkLimits.waiting / 2)).map { Answer.post(queue: "q", item: $0) }
        #expect(breaches(half, half, []) == [])
    }

    @Test func aResetWithAllThatIsStoredFitsIntoAFrame() throws {
        let block = [UInt8](repeating: 0xFF, count: 0xFFFF)
        let most = (0..<7).map { Answer.store(key: "\($0)", value: block) }
        #expect(breaches(most) == [])
        let rest = Array(block.prefix(LinkLimits.storedBytes - 7 * (block.count + 1) - 1))
        #expect(breaches(most + [.store(key: "7", value: rest)]) == [])
        #expect(
            breaches(most + [.store(key: "7", value: rest + [0])]) == [
                "lock: expected at most 524288 bytes of stored keys and values, found 524289"
            ])
        // To store a key again, or to forget it, makes room.
        #expect(
            breaches(
                most + [.store(key: "0", value: nil), .store(key: "1", value: [])] + most.prefix(2))
                == [])
        var frame: [UInt8] = []
        let pairs = (0..<LinkLimits.storedPairs).map {
            StoredPair("\($0)", [UInt8](block.prefix(124)))
        }
        try OrchestratorFrame.reset(Reset(name: "lock", model: "qorvo", stored: pairs))
            .encode(into: &frame)
    }

    @Test func soManyPairsAreStoredAndNoMore() {
        let full = (0..<LinkLimits.storedPairs).map { Answer.store(key: "\($0)", value: []) }
        #expect(breaches(full + [.store(key: "0", value: [1])]) == [])
        #expect(
            breaches(full + [.store(key: "one", value: [])])
                == ["lock: expected at most 4096 stored pairs, found one more"])
    }

    @Test func soManySessionsRunAndNoMore() {
        func start(_ session: UInt32) -> Answer {
            .uwb(
                .start(
                    session: session,
                    UWBParameters(
                        sessionID: 9, address: 1, peer: 2, channel: 9, preamble: 10,
                        stsIV: [1, 2, 3, 4, 5, 6], slotsPerRound: 6, slotDuration: 2_400,
                        interval: 200, isInitiator: true)))
        }
        let full = (0..<UInt32(LinkLimits.uwbSessions)).map(start)
        #expect(breaches(full + [start(0), .uwb(.stop(session: 1)), start(999)]) == [])
        #expect(
            breaches(full + [start(999)])
                == ["lock: expected at most 256 UWB sessions at a time, found one more"])
    }

    /// What a host sends on its first link, and what is said of it.
    private func breaches(sending frames: [Answer]) -> [String] {
        let topology = Topology(
            length: .seconds(2),
            devices: [
                DeviceSpec(name: "ben", program: .appleDevice(model: "iPhone15,4")), Self.device,
            ])
        let timing = ConnectionParameters(interval: 24, latency: 0, timeout: 72)
        var stage = Stage(
            topology,
            [
                "ben": { event in
                    switch event {
                    case .boot: [.bluetooth(.scan(active: false, period: 0))]
                    case .bluetooth(.advertisingReport(let peer, _, _, _, _)):
                        [.bluetooth(.stopScan), .bluetooth(.connect(peer: peer, timing))]
                    case .bluetooth(.connectionComplete(0, _, _, _, _)): frames
                    default: []
                    }
                },
                "lock": { event in
                    event == .boot
                        ? [.bluetooth(.advertise(interval: 32, data: [], scanResponse: []))] : []
                },
            ])
        _ = stage.play()
        return stage.breaches
    }

    @Test func aControllerHasSixteenBuffersForAConnection() {
        let frame = Answer.bluetooth(.acl(handle: 0x40, [0, 0, 4, 0]))
        let key = Answer.bluetooth(.encrypt(handle: 0x40, key: [UInt8](repeating: 1, count: 16)))
        let full = Array(repeating: frame, count: aclBufferCount)
        #expect(breaches(sending: full + Array(repeating: key, count: 16)) == [])
        #expect(
            breaches(sending: full + [frame]) == [
                "ben: expected at most 16 frames outstanding on a connection, found one more on "
                    + "handle 64"
            ])
        #expect(
            breaches(sending: Array(repeating: key, count: 17)) == [
                "ben: expected at most 16 requests under way on a connection, found one more on "
                    + "handle 64"
            ])
    }

    @Test func nothingBehindABreachTakesEffect() {
        let full = (0..<UInt32(LinkLimits.waiting + 1)).map { Answer.post(queue: "q", item: $0) }
        let topology = Topology(length: .seconds(1), devices: [Self.device])
        var stage = Stage(
            topology,
            ["lock": { $0 == .boot ? full + [.observe(kind: "mine", fields: [])] : [] }])
        let trace = stage.play()
        #expect(
            trace.picture("mine", "device.died", "run.ended", fields: ["cause", "reason"]) == [
                "0 lock device.died cause=protocol error", "0 run.ended reason=abandoned",
            ])
    }
}
