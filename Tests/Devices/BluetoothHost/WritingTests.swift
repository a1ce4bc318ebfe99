import Bluetooth
import BluetoothHost
import DeviceKit
import Testing

/// Handle 3 can be written both ways, handle 5 only by command.
private func writable(_ server: GATTServer) {
    server.addService(0x1234)
    server.addCharacteristic(0xAAAA, properties: [.read, .write, .writeWithoutResponse])
    server.addCharacteristic(0xBBBB, properties: .writeWithoutResponse)
}

@Suite struct WritingTests {
    @Test func aWriteIsStoredAndAcknowledged() {
        let wire = Wire.connected(build: writable)
        let written = Box<Void>()
        wire.inCentral { wire.client.write([7, 8], to: 3, completion: written.take) }
        #expect(written.value != nil)
        #expect(wire.pdus == ["> 12 03 00 07 08", "< 13"])
        #expect(wire.peripheral.host.server.value(of: 3) == [7, 8])
    }

    @Test func aCommandIsStoredAndNotAcknowledged() {
        let wire = Wire.connected(build: writable)
        var isSent = false
        wire.inCentral { isSent = wire.client.writeWithoutResponse([7], to: 5) }
        #expect(isSent)
        #expect(wire.pdus == ["> 52 05 00 07"])
        #expect(wire.peripheral.host.server.value(of: 5) == [7])
    }

    @Test func aCommandThatIsRefusedIsPassedOver() {
        let wire = Wire.connected { server in
            server.addService(0x1234)
            server.addCharacteristic(0xAAAA, properties: [.read, .write])
        }
        wire.inCentral {
            _ = wire.client.writeWithoutResponse([7], to: 3)
            _ = wire.client.writeWithoutResponse([7], to: 99)
        }
        #expect(wire.pdus == ["> 52 03 00 07", "> 52 63 00 07"])
        #expect(wire.peripheral.host.server.value(of: 3).isEmpty)
    }

    @Test func aCommandIsCutToThePDU() {
        let wire = Wire.connected(build: writable)
        wire.inCentral { _ = wire.client.writeWithoutResponse(Array(0..<30), to: 5) }
        #expect(wire.peripheral.host.server.value(of: 5) == Array(0..<20))
    }

    @Test func aValueThatDoesNotFitIsPreparedInParts() {
        var written: [[UInt8]] = []
        let wire = Wire.connected { server in
            server.addService(0x1234)
            server.addCharacteristic(
                0xAAAA, properties: .write, onWrite: { _, value in written.append(value) })
        }
        let value = [UInt8](repeating: 0xEE, count: 40)
        let done = Box<Void>()
        wire.inCentral { wire.client.write(value, to: 3, completion: done.take) }
        #expect(done.value != nil)
        #expect(written == [value])
        let part = [String](repeating: "ee", count: 18).joined(separator: " ")
        #expect(
            wire.pdus == [
                "> 16 03 00 00 00 " + part, "< 17 03 00 00 00 " + part,
                "> 16 03 00 12 00 " + part, "< 17 03 00 12 00 " + part,
                "> 16 03 00 24 00 ee ee ee ee", "< 17 03 00 24 00 ee ee ee ee",
                "> 18 01", "< 19",
            ])
    }

    @Test func halfAKilobyteIsTheMost() {
        let wire = Wire.connected(build: writable)
        let most = Box<Void>()
        let more = Box<Void>()
        wire.inCentral {
            wire.client.write(Array(repeating: 1, count: 512), to: 3, completion: most.take)
            wire.client.write(Array(repeating: 1, count: 513), to: 3, completion: more.take)
        }
        #expect(most.value != nil)
        #expect(wire.peripheral.host.server.value(of: 3).count == 512)
        #expect(more.error?.code == .invalidAttributeValueLength)
    }

    @Test func aRefusedPartMakesTheServerForgetTheOthers() {
        let wire = Wire.connected { server in
            server.addService(0x1234)
            server.addCharacteristic(0xAAAA, properties: .write, write: .encrypted)
        }
        let done = Box<Void>()
        wire.inCentral {
            wire.client.write(Array(repeating: 1, count: 40), to: 3, completion: done.take)
        }
        #expect(
            done.error == .att(.insufficientEncryption, handle: 3, request: .prepareWriteRequest))
        #expect(wire.pdus.suffix(2) == ["> 18 00", "< 19"])
    }

    @Test func aPartThatIsRepeatedWronglyIsNoAnswer() {
        let wire = Wire.connected(build: writable)
        let done = Box<Void>()
        wire.reachesPeripheral = false
        wire.inCentral {
            wire.client.write(Array(repeating: 1, count: 21), to: 3, completion: done.take)
        }
        let wrong = L2CAPFrame(channel: 4, payload: [0x17, 3, 0, 0, 0, 9]).bytes
        wire.deliver(.acl(handle: 1, wrong), to: wire.central)
        #expect(wire.pdus.last == "> 18 00")
        wire.deliver(
            .acl(handle: 1, L2CAPFrame(channel: 4, payload: [0x19]).bytes), to: wire.central)
        #expect(done.error == .invalidResponse("a prepared write was repeated wrongly"))
    }

    @Test func preparedPartsOfTwoValuesAreWrittenInTheirOrder() {
        var written: [String] = []
        let wire = Wire.connected { server in
            server.addService(0x1234)
            for uuid in [0xAAAA, 0xBBBB] as [BluetoothUUID] {
                server.addCharacteristic(
                    uuid, properties: .write,
                    onWrite: { _, value in written.append("\(uuid) \(value)") })
            }
        }
        wire.inject([0x16, 5, 0, 0, 0, 1])
        wire.inject([0x16, 3, 0, 0, 0, 2])
        wire.inject([0x16, 5, 0, 1, 0, 3])
        wire.inject([0x16, 5, 0, 0, 0, 4])
        wire.inject([0x18, 1])
        #expect(written == ["BBBB [4, 3]", "AAAA [2]"])
    }

    @Test func onePartThatDoesNotFitStopsAllOfThem() {
        var written = 0
        let wire = Wire.connected { server in
            server.addService(0x1234)
            server.addCharacteristic(
                0xAAAA, properties: .write, onWrite: { _, _ in written += 1 })
            server.addCharacteristic(
                0xBBBB, properties: .write, length: .atMost(2), onWrite: { _, _ in written += 1 })
        }
        wire.inject([0x16, 3, 0, 0, 0, 1])
        wire.inject([0x16, 5, 0, 0, 0, 1, 2, 3])
        wire.inject([0x18, 1])
        #expect(wire.pdus.last == "< 01 18 05 00 0d")
        #expect(written == 0)
        // The queue is empty afterwards.
        wire.inject([0x18, 1])
        #expect(wire.pdus.last == "< 19")
    }

    @Test func aResponseLeavesBeforeWhatItsHandlerSends() {
        let wire = Wire.connected { server in
            server.addService(0x1234)
            let transmit = server.addCharacteristic(0xBBBB, properties: .notify)
            server.addCharacteristic(
                0xAAAA, properties: .write,
                onWrite: { [unowned server] connection, value in
                    _ = server.notify(value, of: transmit, to: connection)
                })
        }
        wire.inCentral {
            wire.client.subscribe(.notifications, descriptor: 4) { _ in }
            wire.client.write([0x0A], to: 6) { _ in }
        }
        #expect(
            wire.pdus == [
                "> 12 04 00 01 00", "< 13", "> 12 06 00 0a", "< 13", "< 1b 03 00 0a",
            ])
    }
}
