import Bluetooth
import BluetoothHost
import DeviceKit
import Testing

/// Handle 3 can be read, 5 indicates (configured at 6).
private func build(_ server: GATTServer) {
    server.addService(0x1234)
    server.addCharacteristic(0xAAAA, properties: [.read, .writeWithoutResponse], value: [1])
    server.addCharacteristic(0xBBBB, properties: [.indicate, .notify])
}

@Suite struct TransactionTests {
    @Test func aRequestWithoutAResponseFailsAfterThirtySeconds() {
        let wire = Wire.connected(build: build)
        let read = Box<[UInt8]>()
        let second = Box<[UInt8]>()
        wire.reachesPeripheral = false
        wire.inCentral {
            wire.client.read(3, completion: read.take)
            wire.client.read(3, completion: second.take)
        }
        wire.advance(seconds: 29)
        #expect(read.results.isEmpty)
        #expect(wire.timers(of: wire.central) == ["att/0"])
        wire.advance(seconds: 1)
        #expect(read.error == .timedOut)
        #expect(second.error == .timedOut)
        #expect(wire.central.notes.last == "timed out")
        #expect(wire.timers(of: wire.central).isEmpty)
    }

    @Test func aDeadBearerAsksNothingMoreButAnswers() {
        let wire = Wire.connected(build: build)
        let server = wire.peripheral.host.server
        wire.central.host.server.addService(0x1234)
        wire.reachesPeripheral = false
        wire.inCentral { wire.client.read(3) { _ in } }
        wire.advance(seconds: 30)
        wire.reachesPeripheral = true
        wire.pdus = []
        let read = Box<[UInt8]>()
        var isSent = true
        wire.inCentral {
            wire.client.read(3, completion: read.take)
            isSent = wire.client.writeWithoutResponse([9], to: 3)
        }
        #expect(read.error == .timedOut)
        #expect(!isSent && !wire.client.canWriteWithoutResponse)
        #expect(wire.pdus.isEmpty)
        // Requests of the peer are another direction, and a late response is passed over.
        wire.inPeripheral { wire.back.client.read(1) { _ in } }
        #expect(wire.pdus == ["< 0a 01 00", "> 0b 34 12"])
        wire.deliver(
            .acl(handle: 1, L2CAPFrame(channel: 4, payload: [0x0B, 1]).bytes), to: wire.central)
        #expect(wire.central.logs.last == "connection 0: a read-response to nothing")
        #expect(server.value(of: 3) == [1])
    }

    @Test func anIndicationWithoutAConfirmationKillsTheBearerToo() throws {
        let wire = Wire.connected(build: build)
        let server = wire.peripheral.host.server
        wire.inCentral {
            wire.client.subscribe([.indications, .notifications], descriptor: 6) { _ in }
        }
        let other = try #require(server.characteristic(0xBBBB))
        let first = Box<Void>()
        let second = Box<Void>()
        wire.inPeripheral {
            // The confirmation does not come back.
            wire.reachesPeripheral = false
            _ = server.indicate([1], of: other, to: wire.back, completion: first.take)
            _ = server.indicate([2], of: other, to: wire.back, completion: second.take)
        }
        #expect(wire.timers(of: wire.peripheral) == ["att/0/indication"])
        wire.advance(seconds: 30)
        #expect(first.error == .timedOut)
        #expect(second.error == .timedOut)
        #expect(wire.peripheral.notes.last == "timed out")
        var isSent = true
        wire.inPeripheral { isSent = server.notify([3], of: other, to: wire.back) }
        #expect(!isSent)
    }

    @Test func theTimerIsSetAnewForEachRequestAndCancelledAfterTheLast() {
        let wire = Wire.connected(build: build)
        wire.inCentral { wire.client.discoverServices { _ in } }
        #expect(wire.timers(of: wire.central).isEmpty)
        wire.advance(seconds: 60)
        #expect(!wire.central.notes.contains("timed out"))
    }

    @Test func theEndOfTheConnectionFailsWhatWasAsked() {
        let wire = Wire.connected(build: build)
        let results = Box<[UInt8]>()
        wire.reachesPeripheral = false
        wire.inCentral {
            for _ in 0..<3 { wire.client.read(3, completion: results.take) }
        }
        let link = wire.link
        wire.lose()
        let lost = Result<[UInt8], GATTError>.failure(.disconnected(reason: 0x08))
        #expect(results.results == [lost, lost, lost])
        #expect(wire.central.notes == ["connected", "disconnected 8"])
        #expect(wire.timers(of: wire.central).isEmpty)
        // Whoever still holds the connection gets the same answer at once.
        link.client.read(3, completion: results.take)
        #expect(results.results.last == lost)
        #expect(!link.client.writeWithoutResponse([1], to: 3))
        #expect(!link.isOpen)
    }

    @Test func afterDisconnectNothingIsSent() {
        let wire = Wire.connected(build: build)
        let read = Box<[UInt8]>()
        wire.inCentral {
            wire.link.disconnect()
            wire.link.disconnect()
            wire.client.read(3, completion: read.take)
        }
        #expect(wire.commands == ["phone: disconnect(handle: 1, reason: 19)"])
        #expect(wire.pdus.isEmpty)
        #expect(read.error == .disconnected(reason: 0x16))
        #expect(wire.peripheral.notes == ["connected", "disconnected 19"])
    }

    @Test func aMalformedResponseIsNoAnswer() {
        let wire = Wire.connected(build: build)
        let services = Box<[RemoteService]>()
        wire.reachesPeripheral = false
        wire.inCentral { wire.client.discoverServices(completion: services.take) }
        wire.deliver(
            .acl(handle: 1, L2CAPFrame(channel: 4, payload: [0x11, 6, 1]).bytes), to: wire.central)
        #expect(
            services.error == .invalidResponse("a malformed read-by-group-type-response"))
    }

    @Test func aResponseToAnotherRequestIsPassedOver() {
        let wire = Wire.connected(build: build)
        let read = Box<[UInt8]>()
        wire.reachesPeripheral = false
        wire.inCentral { wire.client.read(3, completion: read.take) }
        for payload in [[0x13], [0x01, 0x12, 3, 0, 3]] as [[UInt8]] {
            wire.deliver(
                .acl(handle: 1, L2CAPFrame(channel: 4, payload: payload).bytes), to: wire.central)
        }
        #expect(read.results.isEmpty)
        wire.deliver(
            .acl(handle: 1, L2CAPFrame(channel: 4, payload: [0x0B, 9]).bytes), to: wire.central)
        #expect(read.value == [9])
    }

    @Test func framesThatAreNoFramesAreLoggedAndPassedOver() {
        let wire = Wire.connected(build: build)
        for bytes in [[3, 0], [9, 0, 4, 0, 1], [0, 0, 0x40, 0], [1, 0, 5, 0, 0x12]] as [[UInt8]] {
            wire.deliver(.acl(handle: 1, bytes), to: wire.peripheral)
        }
        wire.deliver(.acl(handle: 7, [0, 0, 4, 0]), to: wire.peripheral)
        #expect(
            wire.peripheral.logs == [
                "connection 0: L2CAP frame: expected channel (2 bytes) at byte 2",
                "connection 0: L2CAP frame: expected payload (9 bytes) at byte 4",
                "connection 0: no channel 64",
                "connection 0: L2CAP signalling PDU: expected identifier (1 byte) at byte 1",
                "bluetooth: no connection has the handle 7",
            ])
        #expect(wire.pdus.isEmpty && wire.others.isEmpty)
    }

    @Test func whatIsLeftOpenKeepsNothingAlive() {
        weak var connection: Connection?
        weak var host: Host?
        do {
            let wire = Wire.connected(build: build)
            wire.reachesPeripheral = false
            wire.inCentral { wire.client.readLong(3) { _ in } }
            wire.inCentral { wire.client.discoverServices { _ in } }
            connection = wire.link
            host = wire.central.host
        }
        #expect(connection == nil && host == nil)
    }
}
