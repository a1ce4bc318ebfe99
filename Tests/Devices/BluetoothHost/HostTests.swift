import Bluetooth
import BluetoothHost
import DeviceKit
import Testing

@Suite struct HostTests {
    @Test func advertisingIsItsBytesAndEndsWithAConnection() throws {
        let wire = Wire()
        let host = wire.peripheral.host
        wire.inPeripheral {
            try? host.advertise(
                AdvertisingData(flags: 6, localName: "Acc"),
                scanResponse: AdvertisingData(services: [0x180F]), interval: 32)
        }
        #expect(host.isAdvertising)
        #expect(
            wire.commands == [
                "accessory: advertise(interval: 32, data: [2, 1, 6, 4, 9, 65, 99, 99], "
                    + "scanResponse: [3, 3, 15, 24])"
            ])
        wire.connect()
        #expect(!host.isAdvertising)
        wire.inPeripheral { host.stopAdvertising() }
        #expect(wire.commands.count == 1)
    }

    @Test func anAdvertisementThatIsTooLongIsRefusedAndNothingIsSent() {
        let wire = Wire()
        let host = wire.peripheral.host
        wire.inPeripheral {
            #expect(throws: MalformedBytes.self) {
                try host.advertise(
                    AdvertisingData(localName: String(repeating: "x", count: 30)), interval: 32)
            }
        }
        #expect(!host.isAdvertising)
        #expect(wire.commands.isEmpty)
    }

    @Test func scanningReportsWhatIsHeard() {
        let wire = Wire()
        let host = wire.central.host
        wire.inCentral { host.scan(isActive: false, period: 8) }
        #expect(host.isScanning)
        wire.deliver(
            .advertisingReport(
                peer: Wire.peripheralAddress, isScanResponse: false, isConnectable: true, rssi: -50,
                data: [4, 9, 65, 99, 99]), to: wire.central)
        wire.deliver(
            .advertisingReport(
                peer: Wire.peripheralAddress, isScanResponse: false, isConnectable: true, rssi: -50,
                data: [9, 9, 65]), to: wire.central)
        wire.inCentral {
            host.stopScanning()
            host.stopScanning()
        }
        #expect(wire.central.notes == ["heard C0:00:00:00:00:02 Acc", "heard C0:00:00:00:00:02 -"])
        #expect(wire.commands == ["phone: scan(active: false, period: 8)", "phone: stopScan"])
    }

    @Test func aPendingConnectionIsMadeOnceAndCancelledOnce() {
        let wire = Wire()
        let host = wire.central.host
        let peer = Wire.peripheralAddress
        wire.inCentral {
            host.cancelConnection(to: peer)
            host.connect(to: peer, Wire.parameters)
            host.connect(to: peer, Wire.parameters)
            host.cancelConnection(to: peer)
        }
        #expect(wire.commands.map { $0.prefix(14) } == ["phone: connect", "phone: cancelC"])
        #expect(host.connecting == [peer])
        wire.deliver(
            .connectionComplete(
                status: 0x02, handle: 0, isCentral: true, peer: peer, Wire.parameters),
            to: wire.central)
        #expect(host.connecting.isEmpty)
        #expect(wire.central.notes == ["failed to connect 2"])
    }

    @Test func eachConnectionIsANewObjectWithItsOwnNumber() {
        let wire = Wire.connected()
        let first = wire.link
        #expect(first.peer == Wire.peripheralAddress)
        #expect(wire.central.host.connections.map { $0 === first } == [true])
        wire.lose()
        #expect(wire.central.host.connections.isEmpty)
        wire.connect()
        #expect(wire.link !== first)
        #expect(first.number == 0 && wire.link.number == 1)
        #expect(wire.link.handle == first.handle)
    }

    @Test func switchingOffEndsEverything() {
        let wire = Wire.connected()
        let host = wire.central.host
        let other = Address(9)
        wire.inCentral {
            host.scan()
            host.connect(to: other, Wire.parameters)
            host.powerOff()
        }
        #expect(
            wire.commands.suffix(3) == [
                "phone: stopScan",
                "phone: \(BluetoothCommand.cancelConnect(peer: other))",
                "phone: disconnect(handle: 1, reason: 21)",
            ])
        #expect(wire.peripheral.notes.last == "disconnected 21")
        #expect(host.connections.isEmpty)
    }

    @Test func otherEventsAreLeftToTheDevice() {
        let host = Peer.make("phone").host
        #expect(!host.handle(.boot))
        #expect(!host.handle(.timer(name: "mine")))
        #expect(!host.handle(.command(name: "x", arguments: [])))
        #expect(host.handle(.bluetooth(.completedPackets(handle: 5, count: 1))))
    }
}
