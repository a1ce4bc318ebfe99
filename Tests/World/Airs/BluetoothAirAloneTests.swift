import Choices
import DeviceLink
import Scenarios
import Testing

@testable import Airs

/// The Bluetooth air without a world: what it answers to requests and to what happens by itself.
@Suite struct BluetoothAirAloneTests {
    private typealias Effect = BluetoothAir.Effect

    /// A phone (0) and a lock (1), both on; every decision is the plainest.
    private struct Room {
        private static let topology = Topology(
            length: .seconds(1),
            devices: [
                DeviceSpec(name: "ben", program: .appleDevice(model: "iPhone15,4")),
                DeviceSpec(name: "lock", program: .accessory(profile: "qorvo")),
            ])
        var air = BluetoothAir(Air(), devices: 2)
        var decisions = Decisions(seed: 1, isComplete: true)

        static func surroundings(_ now: UInt64) -> Surroundings {
            let devices = topology.devices.map { spec in
                var device = DeviceState(spec)
                device.start()
                return device
            }
            return Surroundings(at: now, devices: devices, ways: Ways(topology))
        }

        mutating func takeEffects() -> [Effect] {
            var effects: [Effect] = []
            while air.hasEffects { effects.append(air.takeEffect()) }
            return effects
        }

        mutating func perform(_ command: BluetoothCommand, of device: Int) throws -> [Effect] {
            try air.perform(
                command, of: device, cancelled: 0, in: Self.surroundings(0), drawing: &decisions)
            return takeEffects()
        }

        mutating func handle(_ event: BluetoothAir.Event, at now: UInt64) -> [Effect] {
            air.handle(event, in: Self.surroundings(now), drawing: &decisions)
            return takeEffects()
        }

        /// The lock advertises, the phone connects.
        mutating func connect() throws -> [Effect] {
            _ = try perform(.advertise(interval: 32, data: [2, 1, 6], scanResponse: []), of: 1)
            let parameters = ConnectionParameters(interval: 24, latency: 0, timeout: 72)
            let lock = DeviceState.address(of: "lock")
            _ = try perform(.connect(peer: lock, parameters), of: 0)
            return handle(.advertisement(device: 1), at: 0)
        }
    }

    @Test func whereNobodyListensNoAdvertisementIsPlanned() throws {
        var room = Room()
        #expect(
            try room.perform(.advertise(interval: 32, data: [], scanResponse: []), of: 1)
                == [.trace(.airAdvertising, device: 1, [Field("on", true)])])
    }

    @Test func aScanWakesWhoAdvertises() throws {
        var room = Room()
        _ = try room.perform(.advertise(interval: 32, data: [], scanResponse: []), of: 1)
        #expect(
            try room.perform(.scan(active: false, period: 0), of: 0) == [
                .trace(.airScanning, device: 0, [Field("on", true)]),
                .schedule(.advertisement(device: 1), in: .advertising(device: 1), at: 0),
            ])
    }

    @Test func anAdvertisementIsReportedAndTheNextOneComesAnIntervalLater() throws {
        var room = Room()
        _ = try room.perform(.advertise(interval: 32, data: [2, 1, 6], scanResponse: []), of: 1)
        _ = try room.perform(.scan(active: false, period: 0), of: 0)
        let report = BluetoothEvent.advertisingReport(
            peer: DeviceState.address(of: "lock"), isScanResponse: false, isConnectable: true,
            rssi: -40, data: [2, 1, 6])
        #expect(
            room.handle(.advertisement(device: 1), at: 0) == [
                .tell(
                    report, device: 0, in: .reports(device: 0), earliest: 376_000,
                    latest: 2_376_000),
                .schedule(
                    .advertisement(device: 1), in: .advertising(device: 1), at: .milliseconds(20)),
            ])
    }

    @Test func aConnectionOpensALinkAndTellsBothHosts() throws {
        var room = Room()
        let effects = try room.connect()
        #expect(
            effects.contains(
                .open(slot: 0, link: 1, central: 0, peripheral: 1, label: "link ben/0-lock/0 1")))
        let told = effects.compactMap { effect -> Int? in
            guard case .tell(.connectionComplete, let device, _, 352_000, _) = effect else {
                return nil
            }
            return device
        }
        #expect(told == [0, 1])
    }

    @Test func aFrameCrossesAtTheNextConnectionEvent() throws {
        var room = Room()
        _ = try room.connect()
        let frame: [UInt8] = [1, 0, 4, 0, 9]
        let handle = try #require(room.air.handle(0x40, of: 0))
        room.air.send(.data(frame), as: handle, at: 0)
        #expect(
            room.takeEffects() == [
                .schedule(.connectionEvent(link: 0), in: .events(link: 0), at: 1_250_000)
            ])
        #expect(
            room.handle(.connectionEvent(link: 0), at: 1_250_000) == [
                .tell(
                    .acl(handle: 0x40, frame), device: 1, in: .toHost(link: 0, .peripheral),
                    earliest: 1_750_000, latest: 3_750_000)
            ])
    }

    @Test func aLinkThatOneSideHasForgottenDiesAfterTheSupervisionTimeout() throws {
        var room = Room()
        _ = try room.connect()
        room.air.controllerDied(of: 1, in: Room.surroundings(0), drawing: &room.decisions)
        #expect(
            room.takeEffects() == [
                .cancel(.supervision(link: 0)),
                .schedule(
                    .supervision(link: 0), in: .supervision(link: 0), at: .milliseconds(720)),
            ])
        let end = room.handle(.supervision(link: 0), at: .milliseconds(720))
        #expect(end.last == .close(slot: 0, link: 1) && room.air.openLinks.isEmpty)
    }
}
