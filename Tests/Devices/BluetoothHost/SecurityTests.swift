import Bluetooth
import DeviceKit
import Testing

@testable import BluetoothHost

private let bond = Bond(key: Array(1...16))

/// Handle 3 can be read when encrypted, 5 notifies (configured at 6).
private func build(_ server: GATTServer) {
    server.addService(0x1234)
    server.addCharacteristic(0xAAAA, properties: .read, read: .encrypted, value: [1])
    server.addCharacteristic(0xBBBB, properties: .notify)
}

@Suite struct SecurityTests {
    @Test func aBondedLinkIsEncryptedWithTheStoredKey() {
        let wire = Wire.connected(bond: bond, build: build)
        #expect(wire.link.isBonded && wire.link.security == .open)
        var began = false
        wire.inCentral { began = wire.link.encrypt() }
        #expect(began)
        let key = bond.key
        #expect(
            wire.commands == [
                "phone: encrypt(handle: 1, key: \(key), random: 0, diversifier: 0)",
                "accessory: longTermKey(handle: 1, Optional(\(key)))",
            ])
        #expect(wire.link.security == .encrypted(keySize: 16, isAuthenticated: false))
        #expect(wire.back.security == .encrypted(keySize: 16, isAuthenticated: false))
        #expect(wire.central.notes == ["connected", "encryption 0"])
        #expect(wire.peripheral.notes == ["connected", "encryption 0"])
        let read = Box<[UInt8]>()
        wire.inCentral { wire.client.read(3, completion: read.take) }
        #expect(read.value == [1])
    }

    @Test func withoutABondNothingIsEncrypted() {
        let wire = Wire.connected(build: build)
        var began = true
        wire.inCentral { began = wire.link.encrypt() }
        #expect(!began)
        #expect(wire.commands.isEmpty)
    }

    @Test func aPeripheralThatHasLostItsKeySaysSo() {
        let wire = Wire.connected(bond: bond, build: build)
        wire.inPeripheral { wire.peripheral.host.forgetBond(with: Wire.centralAddress) }
        wire.inCentral { _ = wire.link.encrypt() }
        #expect(wire.commands.last == "accessory: longTermKey(handle: 1, nil)")
        #expect(wire.central.notes.last == "encryption 6")
        #expect(wire.link.security == .open)
        #expect(wire.peripheral.stored.isEmpty)
    }

    @Test func keysAreStoredUnderTheAddressOfThePeer() {
        let peer = Peer.make("phone")
        let wire = Wire(central: peer)
        let address = Address(0xA1B2_C3D4_E5F6)
        wire.inCentral { peer.host.bonds[bond: address] = bond }
        #expect(peer.stored == [StoredPair("bond/A1:B2:C3:D4:E5:F6", bond.key + [16, 0])])
        let next = Peer.make("phone", stored: [StoredPair("bond/A1:B2:C3:D4:E5:F6", bond.key)])
        #expect(next.host.bonds[bond: address] != nil)
        #expect(next.host.bonds[bond: Wire.peripheralAddress] == nil)
    }

    @Test(arguments: [0, 15, 19])
    func aStoredKeyOfAnotherLengthIsNone(_ count: Int) {
        #expect(Bond(stored: Array(repeating: 7, count: count)) == nil)
    }

    @Test func theQualityOfAKeyIsStoredWithIt() {
        let good = Bond(key: Array(1...16), keySize: 9, isAuthenticated: true)
        #expect(Bond(stored: good.stored) == good)
        #expect(Bond(stored: Array(1...16)) == bond)
        #expect(Bond(stored: Array(1...16) + [6]) == nil)
    }

    @Test func aBondedPeerKeepsItsSubscriptions() throws {
        let wire = Wire.connected(bond: bond, build: build)
        let server = wire.peripheral.host.server
        let tx = try #require(server.characteristic(0xBBBB))
        wire.inCentral {
            _ = wire.link.encrypt()
            wire.client.subscribe(.notifications, descriptor: 6) { _ in }
        }
        let key = "cccd/\(Wire.centralAddress)"
        #expect(wire.peripheral.stored.last == StoredPair(key, [6, 0, 1, 0]))
        wire.lose()
        wire.connect()
        #expect(!server.isSubscribed(wire.back, to: tx))
        wire.inCentral { _ = wire.link.encrypt() }
        #expect(server.isSubscribed(wire.back, to: tx))
        wire.inCentral { wire.client.subscribe([], descriptor: 6) { _ in } }
        #expect(!wire.peripheral.stored.contains { $0.key == key })
    }

    @Test func subscriptionsOutliveTheAccessory() {
        let address = Wire.centralAddress
        let stored = [
            StoredPair("bond/\(address)", bond.stored),
            StoredPair("cccd/\(address)", [6, 0, 1, 0, 99, 0, 1, 0, 3, 0, 1, 0]),
        ]
        let phone = Peer.make(
            "phone", stored: [StoredPair("bond/\(Wire.peripheralAddress)", bond.stored)])
        let wire = Wire(central: phone, peripheral: .make("accessory", stored: stored))
        var heard: [Subscription] = []
        let server = wire.peripheral.host.server
        server.addService(0x1234)
        server.addCharacteristic(0xAAAA, properties: .read)
        let tx = server.addCharacteristic(
            0xBBBB, properties: .notify, onSubscribe: { heard.append($1) })
        wire.connect()
        wire.inCentral { _ = wire.link.encrypt() }
        #expect(server.isSubscribed(wire.back, to: tx))
        #expect(heard == [.notifications])
    }

    @Test func whatIsWrittenBeforeEncryptionHoldsAfterwards() throws {
        let wire = Wire.connected(bond: bond, build: build)
        let server = wire.peripheral.host.server
        let tx = try #require(server.characteristic(0xBBBB))
        wire.inCentral { wire.client.subscribe(.notifications, descriptor: 6) { _ in } }
        #expect(!wire.peripheral.stored.contains { $0.key.hasPrefix("cccd/") })
        wire.inCentral { _ = wire.link.encrypt() }
        #expect(server.isSubscribed(wire.back, to: tx))
        #expect(wire.peripheral.stored.contains { $0.key.hasPrefix("cccd/") })
    }

    @Test func whatIsEndedBeforeEncryptionStaysEnded() throws {
        let wire = Wire.connected(bond: bond, build: build)
        let server = wire.peripheral.host.server
        let tx = try #require(server.characteristic(0xBBBB))
        wire.inCentral {
            _ = wire.link.encrypt()
            wire.client.subscribe(.notifications, descriptor: 6) { _ in }
        }
        wire.lose()
        wire.connect()
        wire.inCentral {
            wire.client.subscribe([], descriptor: 6) { _ in }
            _ = wire.link.encrypt()
        }
        #expect(!server.isSubscribed(wire.back, to: tx))
    }

    @Test func anOpenAttributeAsksForNoKey() {
        let short = Bond(key: Array(1...16), keySize: 7)
        let wire = Wire.connected(bond: short) { server in
            server.addService(0x1234)
            server.addCharacteristic(
                0xAAAA, properties: .read, read: Access(.open, minimumKeySize: 16), value: [1])
        }
        wire.inCentral { _ = wire.link.encrypt() }
        wire.inject([0x0A, 3, 0])
        #expect(wire.pdus == ["< 0b 01"])
    }

    @Test func pairingIsRefused() {
        let wire = Wire.connected(build: build)
        let request = L2CAPFrame(channel: 6, payload: [0x01, 3, 0, 1, 16, 0, 0]).bytes
        wire.deliver(.acl(handle: 1, request), to: wire.peripheral)
        #expect(wire.others == ["accessory 6: 05 05"])
    }

    @Test func aSecurityRequestOfABondedPeripheralIsGranted() {
        let wire = Wire.connected(bond: bond, build: build)
        let request = L2CAPFrame(channel: 6, payload: [0x0B, 1]).bytes
        wire.deliver(.acl(handle: 1, request), to: wire.central)
        #expect(wire.link.security.isEncrypted)
        wire.deliver(.acl(handle: 1, request), to: wire.central)
        #expect(wire.others.isEmpty)
    }
}
