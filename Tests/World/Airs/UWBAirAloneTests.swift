import Basics
import Choices
import DeviceLink
import Scenarios
import Testing

@testable import Airs

/// The UWB air without a world: what it answers to a request and to a round.
@Suite struct UWBAirAloneTests {
    private typealias Effect = UWBAir.Effect

    /// A phone (0) and a lock (1) 5 m apart, in a room without noise.
    private struct Room {
        var topology = Topology(
            length: .seconds(1),
            devices: [
                DeviceSpec(name: "ben", program: .appleDevice(model: "iPhone15,4")),
                DeviceSpec(
                    name: "lock", program: .accessory(profile: "qorvo"),
                    position: Position(x: 3_000, y: 4_000, z: 0)),
            ])
        var decisions = Decisions(seed: 1, isComplete: true)
        var air: UWBAir

        init(
            range: Int64 = 40_000, endHeard: Ratio? = nil, strideAfter: Nanoseconds? = nil
        ) {
            topology.air.uwbEndHeard = endHeard
            topology.air.uwbStrideAfter = strideAfter
            topology.air.uwbRange = range
            topology.air.uwbNoise = 0
            air = UWBAir(topology.air)
        }

        private func surroundings(_ now: UInt64) -> Surroundings {
            Surroundings(
                at: now, devices: topology.devices.map(DeviceState.init), ways: Ways(topology))
        }

        mutating func start(
            _ device: Int, at now: UInt64 = 0, refusal: UInt8? = nil, isExtended: Bool = false
        ) throws -> [Effect] {
            let (address, peer): (UInt16, UInt16) = device == 0 ? (1, 2) : (2, 1)
            let parameters = UWBParameters(
                sessionID: 9, address: address, peer: peer, channel: 9, preamble: 10,
                stsIV: [1, 2, 3, 4, 5, 6], slotsPerRound: 6, slotDuration: 2_400, interval: 200,
                isInitiator: device == 1, isExtended: isExtended)
            try air.perform(
                .start(session: 7, parameters), of: device, refusal: refusal,
                in: surroundings(now), drawing: &decisions)
            return takeEffects()
        }

        mutating func stop(
            _ device: Int, at now: UInt64, by command: UWBCommand = .stop(session: 7)
        ) throws -> [Effect] {
            try air.perform(
                command, of: device, refusal: nil, in: surroundings(now),
                drawing: &decisions)
            return takeEffects()
        }

        mutating func takeEffects() -> [Effect] {
            var effects: [Effect] = []
            while air.hasEffects { effects.append(air.takeEffect()) }
            return effects
        }

        mutating func range(_ slot: Int, at now: UInt64, round: UInt64 = 1) -> [Effect] {
            air.range(
                slot, round: round, in: surroundings(now), drawing: &decisions)
            return takeEffects()
        }
    }

    @Test func aRadioStartsWithinTwoMillisecondsAndPlansItsFirstRound() throws {
        var room = Room()
        let effects = try room.start(0)
        #expect(
            Array(effects.dropFirst()) == [
                .open(slot: 0, device: 0, label: "uwb ben/0 1"),
                .tell(
                    slot: 0, device: 0, .started(session: 7, status: 0),
                    earliest: .milliseconds(2), latest: .milliseconds(4)),
                .schedule(slot: 0, at: .milliseconds(2)),
            ])
    }

    @Test func aRefusedStartIsForgottenWithThePowerOfItsDevice() throws {
        var room = Room()
        for _ in 0...LinkLimits.uwbSessions {
            _ = try room.start(0, refusal: 5)
            room.air.switchOff(0)
        }
    }

    @Test func theInitiatorsRoundTellsBothHosts() throws {
        var room = Room()
        _ = try (room.start(0), room.start(1))
        let told = room.range(1, at: .seconds(1)).compactMap { effect -> String? in
            guard case .tell(_, let device, .round(_, let measured), _, _) = effect else {
                return nil
            }
            return "\(device): \(measured?.distance ?? 0)"
        }
        #expect(told == ["1: 5000", "0: 5000"])
    }

    @Test func theRespondersRoundIsTheInitiatorsMatter() throws {
        var room = Room()
        _ = try (room.start(0), room.start(1))
        #expect(room.range(0, at: .seconds(1)) == [.schedule(slot: 0, at: .milliseconds(1_200))])
    }

    @Test func aSessionThatStridesIsRangedInEverySecondBlock() throws {
        var room = Room(strideAfter: .seconds(4))
        _ = try room.start(1, at: .seconds(1))
        #expect(
            room.range(0, at: .milliseconds(4_999)).last
                == .schedule(slot: 0, at: .milliseconds(5_199)))
        #expect(room.range(0, at: .seconds(5)).last == .schedule(slot: 0, at: .milliseconds(5_400)))
    }

    @Test func aRadioAloneAndOneOutOfReachHearNothing() throws {
        var (alone, far) = (Room(), Room(range: 4_999))
        _ = try (alone.start(1), far.start(1), far.start(0))
        for effects in [alone.range(0, at: 0), far.range(0, at: 0)] {
            #expect(
                effects.first
                    == .tell(
                        slot: 0, device: 1, .round(session: 7, nil), earliest: .milliseconds(12),
                        latest: .milliseconds(14)))
        }
    }

    @Test func aRadioMayHearInARoundThatItsPeerEndsTheSession() throws {
        var (silent, heard) = (Room(), Room(endHeard: Ratio(1, 1)))
        _ = try (silent.start(0), silent.start(1), heard.start(0), heard.start(1))
        #expect(try silent.stop(1, at: 0).first == .close(slot: 1))
        #expect(
            try heard.stop(1, at: 0).first
                == .end(
                    slot: 0, device: 0, handle: 7, earliest: .milliseconds(12),
                    latest: .milliseconds(202)))
    }

    @Test func anEndIsHeardWhereTheTopologyDoesNotSayOtherwise() throws {
        for (ratio, isHeard) in [(nil, true), (.zero, false)] as [(Ratio?, Bool)] {
            var room = Room(endHeard: ratio)
            _ = try (room.start(0), room.start(1))
            let effects = try room.stop(1, at: 0, by: .end(session: 7))
            let ends = effects.contains { if case .end = $0 { true } else { false } }
            #expect(ends == isHeard)
        }
    }

    @Test func theScriptsEndIsHeardByBoth() throws {
        var room = Room()
        _ = try (room.start(0), room.start(1))
        room.air.endSessions(of: 0, with: nil, at: 0)
        let told = room.takeEffects().compactMap { effect -> Int? in
            if case .end(_, let device, _, _, _) = effect { device } else { nil }
        }
        #expect(told == [0, 1])
    }

    @Test func aStrideMakesRoundsMoreSeldomForBoth() throws {
        var room = Room()
        _ = try (room.start(0), room.start(1))
        _ = try room.stop(0, at: 0, by: .stride(session: 7, intervals: 5))
        for slot in [0, 1] {
            #expect(
                room.range(slot, at: .seconds(1)).last == .schedule(slot: slot, at: .seconds(2)))
        }
    }

    @Test func extendedDistanceReachesFartherWhereBothWantIt() throws {
        for (first, second, distance) in [(true, true, 5_000), (true, false, 0), (false, true, 0)] {
            var room = Room(range: 4_000)
            room.topology.air.uwbExtendedLoss = .zero
            room.air = UWBAir(room.topology.air)
            _ = try (room.start(0, isExtended: first), room.start(1, isExtended: second))
            let told = room.range(1, at: .seconds(1)).compactMap { effect -> UInt32? in
                guard case .tell(_, 0, .round(_, let measured), _, _) = effect else { return nil }
                return measured?.distance ?? 0
            }
            #expect(told == [UInt32(distance)])
        }
    }

    @Test func whatIsFarIsMissedMoreOften() throws {
        func missed(reaching range: Int64) throws -> Int {
            var room = Room(range: 1_000)
            room.topology.air.uwbExtendedRange = range
            room.topology.air.uwbExtendedLoss = Ratio(1, 1)
            room.decisions = Decisions(seed: 1)
            room.air = UWBAir(room.topology.air)
            _ = try (room.start(0, isExtended: true), room.start(1, isExtended: true))
            return (0..<200).reduce(0) { count, round in
                let misses = room.range(1, at: .seconds(1), round: UInt64(round)).filter {
                    if case .tell(_, 0, .round(_, nil), _, _) = $0 { true } else { false }
                }
                return count + misses.count
            }
        }
        // 4 m of 4 m beyond the ordinary reach, and 4 m of 16 m.
        #expect(try missed(reaching: 5_000) == 200)
        let missed = try missed(reaching: 17_000)
        #expect(missed > 30 && missed < 70)
    }

    @Test func aRefusedStartTakesNoSlot() throws {
        var room = Room()
        #expect(
            try room.start(0, refusal: 5).last
                == .refuse(
                    device: 0, label: "uwb ben/0 1", .started(session: 7, status: 5),
                    earliest: .milliseconds(2), latest: .milliseconds(4)))
        #expect(room.air.sessions.isEmpty)
    }

    @Test func aRadioThatIsSwitchedOffClosesItsSessions() throws {
        var room = Room()
        _ = try room.start(0)
        room.air.switchOff(0)
        #expect(room.takeEffects().first == .close(slot: 0) && room.air.sessions.isEmpty)
    }
}
