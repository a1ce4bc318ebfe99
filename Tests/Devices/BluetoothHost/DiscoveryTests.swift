import Bluetooth
import BluetoothHost
import DeviceKit
import Testing

private let uart: BluetoothUUID = "6E400001-B5A3-F393-E0A9-E50E24DCCA9E"
private let transmit: BluetoothUUID = "6E400003-B5A3-F393-E0A9-E50E24DCCA9E"

/// Generic Access and Generic Attribute (handles 1 … 9), then a UART service (10 … 16).
private func accessory(_ server: GATTServer) {
    server.addGenericServices(name: "Acc")
    server.addService(uart)
    server.addCharacteristic(
        "6E400002-B5A3-F393-E0A9-E50E24DCCA9E", properties: [.write, .writeWithoutResponse])
    server.addCharacteristic(transmit, properties: .notify)
    server.addDescriptor(.userDescription, value: Array("TX".utf8))
}

@Suite struct DiscoveryTests {
    @Test func servicesAreFoundInTheOrderOfTheirHandles() {
        let wire = Wire.connected(build: accessory)
        let services = Box<[RemoteService]>()
        wire.inCentral { wire.client.discoverServices(completion: services.take) }
        #expect(
            services.value == [
                RemoteService(uuid: .genericAccess, range: HandleRange(1, 5)),
                RemoteService(uuid: .genericAttribute, range: HandleRange(6, 9)),
                RemoteService(uuid: uart, range: HandleRange(10, 16)),
            ])
        // The long UUID needs a response of its own.
        #expect(
            wire.pdus == [
                "> 10 01 00 ff ff 00 28", "< 11 06 01 00 05 00 00 18 06 00 09 00 01 18",
                "> 10 0a 00 ff ff 00 28",
                "< 11 14 0a 00 10 00 9e ca dc 24 0e e5 a9 e0 93 f3 a3 b5 01 00 40 6e",
                "> 10 11 00 ff ff 00 28", "< 01 10 11 00 0a",
            ])
    }

    @Test func servicesOfOneTypeAreFoundByTheirUUID() {
        let wire = Wire.connected(build: accessory)
        let services = Box<[RemoteService]>()
        wire.inCentral {
            wire.client.discoverServices(.genericAttribute, completion: services.take)
        }
        #expect(
            services.value == [
                RemoteService(uuid: .genericAttribute, range: HandleRange(6, 9))
            ])
        #expect(
            wire.pdus == [
                "> 06 01 00 ff ff 00 28 01 18", "< 07 06 00 09 00",
                "> 06 0a 00 ff ff 00 28 01 18", "< 01 06 0a 00 0a",
            ])
        let none = Box<[RemoteService]>()
        wire.inCentral { wire.client.discoverServices(0x180F, completion: none.take) }
        #expect(none.value == [])
    }

    @Test func characteristicsEndBeforeTheNextOne() {
        let wire = Wire.connected(build: accessory)
        let found = Box<[RemoteCharacteristic]>()
        wire.inCentral {
            let service = RemoteService(uuid: uart, range: HandleRange(10, 16))
            wire.client.discoverCharacteristics(of: service, completion: found.take)
        }
        #expect(found.value?.map(\.declaration) == [11, 13])
        #expect(found.value?.map(\.value) == [12, 14])
        #expect(found.value?.map(\.end) == [12, 16])
        #expect(found.value?.map(\.properties) == [[.write, .writeWithoutResponse], .notify])
        #expect(found.value?.last?.uuid == transmit)
        // At MTU 23 one declaration with a long UUID fills a response.
        #expect(
            wire.pdus.filter { $0.hasPrefix(">") } == [
                "> 08 0a 00 10 00 03 28", "> 08 0c 00 10 00 03 28", "> 08 0e 00 10 00 03 28",
            ])
    }

    @Test func descriptorsLieAfterTheValue() {
        let wire = Wire.connected(build: accessory)
        let found = Box<[RemoteDescriptor]>()
        let characteristic = RemoteCharacteristic(
            uuid: transmit, properties: .notify, declaration: 13, value: 14, end: 16)
        wire.inCentral {
            wire.client.discoverDescriptors(of: characteristic, completion: found.take)
        }
        #expect(
            found.value == [
                RemoteDescriptor(uuid: .clientConfiguration, handle: 15),
                RemoteDescriptor(uuid: .userDescription, handle: 16),
            ])
        #expect(wire.pdus == ["> 04 0f 00 10 00", "< 05 01 0f 00 02 29 10 00 01 29"])
    }

    @Test func withoutRoomForADescriptorNothingIsAsked() {
        let wire = Wire.connected(build: accessory)
        let found = Box<[RemoteDescriptor]>()
        let characteristic = RemoteCharacteristic(
            uuid: transmit, properties: .write, declaration: 11, value: 12, end: 12)
        wire.inCentral {
            wire.client.discoverDescriptors(of: characteristic, completion: found.take)
        }
        #expect(found.value == [])
        #expect(wire.pdus.isEmpty)
    }

    @Test func attributesOfBothLengthsComeInResponsesOfTheirOwn() {
        let wire = Wire.connected { server in
            server.addService(0x1234)
            server.addCharacteristic(transmit, properties: .read)
        }
        wire.inject([0x04, 1, 0, 0xFF, 0xFF])
        wire.inject([0x04, 3, 0, 0xFF, 0xFF])
        #expect(
            wire.pdus == [
                "< 05 01 01 00 00 28 02 00 03 28",
                "< 05 02 03 00 9e ca dc 24 0e e5 a9 e0 93 f3 a3 b5 03 00 40 6e",
            ])
    }

    @Test func anEmptyDatabaseHasNoServices() {
        let wire = Wire.connected()
        let services = Box<[RemoteService]>()
        wire.inCentral { wire.client.discoverServices(completion: services.take) }
        #expect(services.value == [])
        #expect(wire.pdus == ["> 10 01 00 ff ff 00 28", "< 01 10 01 00 0a"])
    }

    /// A server that answers with handles from before the range, or out of order, ends the search.
    @Test(arguments: [
        [0x11, 6, 1, 0, 0, 0, 0, 0x18] as [UInt8],
        [0x11, 6, 6, 0, 9, 0, 0, 0x18, 1, 0, 5, 0, 1, 0x18],
        [0x11, 6, 0, 0, 9, 0, 0, 0x18],
        [0x11, 5, 1, 0, 5, 0, 0x18],
    ])
    func handlesThatDoNotAscendAreNoAnswer(_ response: [UInt8]) {
        let wire = Wire.connected()
        let services = Box<[RemoteService]>()
        wire.reachesPeripheral = false
        wire.inCentral { wire.client.discoverServices(completion: services.take) }
        let frame = L2CAPFrame(channel: 4, payload: response).bytes
        wire.deliver(.acl(handle: 1, frame), to: wire.central)
        guard case .invalidResponse? = services.error else {
            Issue.record("\(services.results)")
            return
        }
        #expect(wire.timers(of: wire.central).isEmpty)
    }
}
