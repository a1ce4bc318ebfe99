import Bluetooth
import DeviceKit
import TestSupport
import Testing

@testable import BluetoothHost

/// Clients that keep what they have discovered (Core Specification Vol 3 Part G 2.5.2 and 7).
@Suite struct CachingTests {
    private static let bond = Bond(key: Array(1...16))
    private static let readByHandle: [UInt8] = [0x0A, 0x10, 0x00]

    /// Client Supported Features are at 11, the Database Hash at 13, a value at 16.
    private static func build(_ server: GATTServer) {
        server.addGenericServices(name: "lock", caching: .robust)
        server.addService(0x1234)
        server.addCharacteristic(0xAAAA, properties: [.read, .write], value: [7])
    }

    /// A client that has asked for robust caching, and does not know of a change.
    private static func surprised() -> Wire {
        let wire = Wire.connected(build: build)
        wire.inject([0x12, 0x0B, 0x00, 0x01])
        let server = wire.peripheral.host.server
        wire.inPeripheral { server.indicateChange(of: .all, to: wire.back) }
        wire.pdus = []
        return wire
    }

    @Test func theHashOfTheSpecificationsExampleIsTheSpecifications() {
        let wire = Wire.connected { server in
            server.addService(.genericAccess)
            server.addCharacteristic(.deviceName, properties: [.read, .write])
            server.addCharacteristic(.appearance, properties: .read)
            server.addService(.genericAttribute)
            server.addCharacteristic(.serviceChanged, properties: .indicate)
            server.addCharacteristic(.clientSupportedFeatures, properties: [.read, .write])
            server.addCharacteristic(.databaseHash, properties: .read)
            server.addService(0x1808)
            let battery: [UInt8] = [0x14, 0x00, 0x16, 0x00, 0x0F, 0x18]
            server.add(Attribute(.declaration, type: .include, value: battery))
            server.addCharacteristic(
                0x2A18, properties: [.read, .indicate, .extendedProperties])
            server.addDescriptor(.extendedProperties, value: [0, 0])
            server.addService(0x180F, isPrimary: false)
            server.addCharacteristic(0x2A19, properties: .read)
        }
        let hash = bytes("F1CA2D48 ECF58BAC 8A8830BB B9FBA990")
        #expect(wire.peripheral.host.server.databaseHash == hash.reversed())
    }

    @Test func aClientThatDoesNotKnowOfAChangeIsRefusedOnce() {
        let wire = Self.surprised()
        wire.inject(Self.readByHandle)
        wire.inject(Self.readByHandle)
        #expect(wire.pdus == ["< 01 0a 10 00 12", "< 0b 07"])
    }

    @Test func itsCommandsArePassedOver() {
        let wire = Self.surprised()
        wire.inject([0x52, 0x10, 0x00, 0x09])
        #expect(wire.peripheral.host.server.value(of: 16) == [7])
    }

    @Test func whoHasReadTheHashIsRefusedNothing() {
        let wire = Self.surprised()
        wire.inject([0x08, 0x01, 0x00, 0xFF, 0xFF, 0x2A, 0x2B])
        wire.inject(Self.readByHandle)
        #expect(wire.pdus.map { $0.prefix(4) } == ["< 09", "< 0b"])
    }

    @Test func whoHasNotAskedForRobustCachingIsRefusedNothing() {
        let wire = Wire.connected(build: Self.build)
        let server = wire.peripheral.host.server
        wire.inPeripheral { server.indicateChange(of: .all, to: wire.back) }
        wire.inject(Self.readByHandle)
        #expect(wire.pdus == ["< 0b 07"])
    }

    @Test func aFeatureIsNotTakenBack() {
        let wire = Self.surprised()
        wire.inject([0x12, 0x0B, 0x00, 0x00])
        wire.inject([0x12, 0x0B, 0x00, 0x00])
        #expect(wire.pdus == ["< 01 12 0b 00 12", "< 01 12 0b 00 13"])
    }

    @Test func aBondedClientIsToldOnTheNextConnectionWhatHasChanged() {
        let next = Self.reconnected { $0.addService(0x180A) }
        #expect(next.pdus == ["< 1d 08 00 01 00 ff ff", "> 1e"])
    }

    @Test func withTheBondItIsForgottenWhatAClientKnew() {
        let wire = Wire.connected(bond: Self.bond, build: Self.build)
        wire.inCentral { _ = wire.link.encrypt() }
        #expect(wire.peripheral.stored.contains { $0.key.hasPrefix("database/") })
        wire.inPeripheral { wire.peripheral.host.forgetBonds() }
        #expect(wire.peripheral.stored.isEmpty)
    }

    @Test func aBondedClientIsToldNothingWhereNothingHasChanged() {
        #expect(Self.reconnected().pdus.isEmpty)
    }

    /// A bonded client that has subscribed to Service Changed, on its next connection, before which the server changes.
    private static func reconnected(
        after change: (GATTServer) -> Void = { _ in }
    ) -> Wire {
        let first = Wire.connected(bond: bond, build: build)
        first.inCentral { _ = first.link.encrypt() }
        first.inject([0x12, 0x09, 0x00, 0x02, 0x00])
        let next = Wire(
            central: .make("phone", stored: first.central.stored),
            peripheral: .make("accessory", stored: first.peripheral.stored))
        build(next.peripheral.host.server)
        change(next.peripheral.host.server)
        next.connect()
        next.inCentral { _ = next.link.encrypt() }
        return next
    }
}
