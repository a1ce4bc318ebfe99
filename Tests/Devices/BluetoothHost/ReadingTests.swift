import Bluetooth
import BluetoothHost
import DeviceKit
import Testing

/// Handle 3 has sixty bytes, counted from 0.
private func sixtyBytes(_ server: GATTServer) {
    server.addService(0x1234)
    server.addCharacteristic(0xAAAA, properties: .read, value: Array(0..<60))
}

private func digits(_ range: Range<UInt8>) -> String {
    range.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
}

@Suite struct ReadingTests {
    @Test func aShortReadGivesAsMuchAsFits() {
        let wire = Wire.connected(build: sixtyBytes)
        let read = Box<[UInt8]>()
        wire.inCentral { wire.client.read(3, completion: read.take) }
        #expect(read.value == Array(0..<22))
        #expect(wire.pdus == ["> 0a 03 00", "< 0b " + digits(0..<22)])
    }

    @Test func sixtyBytesAtMTU23TakeTwoMoreRequests() {
        let wire = Wire.connected(build: sixtyBytes)
        let read = Box<[UInt8]>()
        wire.inCentral { wire.client.readLong(3, completion: read.take) }
        #expect(read.value == Array(0..<60))
        #expect(
            wire.pdus == [
                "> 0a 03 00", "< 0b " + digits(0..<22),
                "> 0c 03 00 16 00", "< 0d " + digits(22..<44),
                "> 0c 03 00 2c 00", "< 0d " + digits(44..<60),
            ])
    }

    @Test func afterAnExchangeTheyFitIntoOne() {
        let wire = Wire.connected(mtu: 100, build: sixtyBytes)
        let mtu = Box<UInt16>()
        let read = Box<[UInt8]>()
        wire.inCentral {
            wire.client.exchangeMTU(185, completion: mtu.take)
            wire.client.readLong(3, completion: read.take)
        }
        #expect(mtu.value == 100)
        #expect(wire.link.mtu == 100 && wire.back.mtu == 100)
        #expect(read.value == Array(0..<60))
        #expect(
            wire.pdus == [
                "> 02 b9 00", "< 03 64 00",
                "> 0a 03 00", "< 0b " + digits(0..<60),
            ])
    }

    @Test func noPDUIsShorterThan23() {
        let wire = Wire.connected(build: sixtyBytes)
        wire.inject([0x02, 5, 0])
        #expect(wire.pdus == ["< 03 f7 00"])
        #expect(wire.back.mtu == 23)
    }

    @Test func aValueThatFillsThePDUIsAskedForItsRest() {
        let wire = Wire.connected { server in
            server.addService(0x1234)
            server.addCharacteristic(0xAAAA, properties: .read, value: Array(0..<22))
        }
        let read = Box<[UInt8]>()
        wire.inCentral { wire.client.readLong(3, completion: read.take) }
        #expect(read.value == Array(0..<22))
        #expect(wire.pdus.suffix(2) == ["> 0c 03 00 16 00", "< 0d"])
    }

    @Test func aFixedValueThatFillsThePDUIsWholeAllTheSame() {
        let wire = Wire.connected { server in
            server.addService(0x1234)
            server.addCharacteristic(
                0xAAAA, properties: .read, value: Array(0..<22), length: .fixed(22))
        }
        let read = Box<[UInt8]>()
        wire.inCentral { wire.client.readLong(3, completion: read.take) }
        #expect(read.value == Array(0..<22))
        #expect(wire.pdus.last == "< 01 0c 03 00 0b")
    }

    @Test func aDynamicValueIsMadeForTheReader() {
        let wire = Wire.connected { server in
            server.addService(0x1234)
            server.addCharacteristic(
                0xAAAA, properties: .read,
                onRead: { connection in [UInt8(connection.number), 0x42] })
        }
        let read = Box<[UInt8]>()
        wire.inCentral { wire.client.read(3, completion: read.take) }
        #expect(read.value == [0, 0x42])
    }

    @Test func aStoredValueCanBeSetAtAnyTime() {
        let wire = Wire.connected(build: sixtyBytes)
        let read = Box<[UInt8]>()
        wire.peripheral.host.server.setValue([7], of: 3)
        wire.inCentral { wire.client.read(3, completion: read.take) }
        #expect(read.value == [7])
        #expect(wire.peripheral.host.server.value(of: 3) == [7])
    }

    @Test func allValuesOfATypeAreReadWithTheirHandles() {
        let wire = Wire.connected { server in
            server.addService(0x1234)
            server.addCharacteristic(0xAAAA, properties: .read, value: [1, 2])
            server.addCharacteristic(0xBBBB, properties: .read, value: [3])
            server.addCharacteristic(0xAAAA, properties: .read, value: [4, 5])
            server.addCharacteristic(0xAAAA, properties: .read, value: [6])
        }
        let read = Box<[ATTPDU.AttributeValue]>()
        wire.inCentral { wire.client.read(0xAAAA, completion: read.take) }
        #expect(read.value?.map(\.handle) == [3, 7, 9])
        #expect(read.value?.map(\.value) == [[1, 2], [4, 5], [6]])
        // The third has another length and needs a response of its own.
        #expect(
            wire.pdus == [
                "> 08 01 00 ff ff aa aa", "< 09 04 03 00 01 02 07 00 04 05",
                "> 08 08 00 ff ff aa aa", "< 09 03 09 00 06",
                "> 08 0a 00 ff ff aa aa", "< 01 08 0a 00 0a",
            ])
    }

    @Test func severalValuesAreReadAtOnce() {
        let wire = Wire.connected { server in
            server.addService(0x1234)
            server.addCharacteristic(0xAAAA, properties: .read, value: [1, 2])
            server.addCharacteristic(0xBBBB, properties: .read, value: Array(0..<30))
        }
        wire.inject([0x0E, 3, 0, 5, 0])
        #expect(wire.pdus == ["< 0f 01 02 " + digits(0..<20)])
    }

    @Test func proceduresRunOneAfterTheOther() {
        let wire = Wire.connected(build: sixtyBytes)
        var order: [String] = []
        wire.inCentral {
            wire.client.readLong(3) { _ in order.append("long") }
            wire.client.read(1) { _ in order.append("service") }
            wire.client.read(2) { _ in order.append("declaration") }
        }
        #expect(order == ["long", "service", "declaration"])
        #expect(
            wire.pdus.filter { $0.hasPrefix(">") } == [
                "> 0a 03 00", "> 0c 03 00 16 00", "> 0c 03 00 2c 00", "> 0a 01 00", "> 0a 02 00",
            ])
    }
}
