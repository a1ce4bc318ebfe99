import Bluetooth
import BluetoothHost
import DeviceKit
import Testing

/// Handle 3 can be written both ways, handle 5 notifies (configured at 6).
private func build(_ server: GATTServer) {
    server.addService(0x1234)
    server.addCharacteristic(0xAAAA, properties: [.write, .writeWithoutResponse])
    server.addCharacteristic(0xBBBB, properties: .notify)
}

/// What a client asks for leaves in the order of its calls.
@Suite struct OrderTests {
    private let notifying = RemoteCharacteristic(
        uuid: 0xBBBB, properties: .notify, declaration: 4, value: 5, end: 6)
    private let lookup = ["> 04 06 00 06 00", "< 05 01 06 00 02 29"]

    @Test func aWriteLeavesBehindTheSubscriptionBeforeIt() {
        let wire = Wire.connected(build: build)
        wire.inCentral {
            wire.client.subscribe(.notifications, to: notifying) { _ in }
            wire.client.write([7], to: 3) { _ in }
        }
        #expect(
            wire.pdus == lookup + ["> 12 06 00 01 00", "< 13", "> 12 03 00 07", "< 13"])
    }

    @Test func aWriteCommandLeavesBehindTheSubscriptionBeforeIt() {
        let wire = Wire.connected(build: build)
        wire.inCentral {
            wire.client.subscribe(.notifications, to: notifying) { _ in }
            _ = wire.client.writeWithoutResponse([7], to: 3)
        }
        #expect(wire.pdus == lookup + ["> 12 06 00 01 00", "> 52 03 00 07", "< 13"])
    }

    @Test func aWriteCommandWaitsForNoResponse() {
        let wire = Wire.connected(build: build)
        wire.inCentral {
            wire.client.write([1], to: 3) { _ in }
            _ = wire.client.writeWithoutResponse([2], to: 3)
            wire.client.write([3], to: 3) { _ in }
            _ = wire.client.writeWithoutResponse([4], to: 3)
        }
        #expect(
            wire.pdus == [
                "> 12 03 00 01", "> 52 03 00 02", "< 13", "> 12 03 00 03", "> 52 03 00 04", "< 13",
            ])
    }

    @Test func aWriteCommandLeavesBehindAllPartsOfAValueBeforeIt() {
        let wire = Wire.connected(build: build)
        wire.inCentral {
            wire.client.write(Array(repeating: 0xEE, count: 21), to: 3) { _ in }
            _ = wire.client.writeWithoutResponse([7], to: 3)
        }
        #expect(wire.pdus.suffix(3) == ["> 18 01", "> 52 03 00 07", "< 19"])
        #expect(wire.peripheral.host.server.value(of: 3) == [7])
    }

    @Test func theDescriptorIsLookedForOnce() {
        let wire = Wire.connected(build: build)
        wire.inCentral {
            wire.client.subscribe(.notifications, to: notifying) { _ in }
            wire.client.subscribe([], to: notifying) { _ in }
        }
        #expect(
            wire.pdus == lookup + ["> 12 06 00 01 00", "< 13", "> 12 06 00 00 00", "< 13"])
    }

    @Test func withoutADescriptorNothingIsSubscribedToAndTheRestFollows() {
        let wire = Wire.connected(build: build)
        let plain = RemoteCharacteristic(
            uuid: 0xAAAA, properties: .write, declaration: 2, value: 3, end: 3)
        let subscribed = Box<Void>()
        wire.inCentral {
            wire.client.subscribe(.notifications, to: plain, completion: subscribed.take)
            _ = wire.client.writeWithoutResponse([7], to: 3)
        }
        #expect(subscribed.error == .invalidResponse("no client configuration descriptor"))
        #expect(wire.pdus == ["> 52 03 00 07"])
    }

    @Test func writeCommandsThatWaitTakeRoomAndAllOfThemLeave() {
        let wire = Wire.connected(build: build)
        var sent = 0
        wire.inCentral {
            wire.client.subscribe(.notifications, to: notifying) { _ in }
            while wire.client.writeWithoutResponse([UInt8(sent)], to: 3) { sent += 1 }
        }
        let room = HostLimits().queue + aclBufferCount
        #expect(sent == room - 1)
        #expect(wire.pdus.count { $0.hasPrefix("> 52 03 00") } == sent)
        #expect(wire.peripheral.host.server.value(of: 3) == [UInt8(sent - 1)])
        #expect(wire.central.notes.last == "ready")
    }

    @Test func whoeverAsksWhetherThereIsRoomHearsWhenThereIs() {
        let wire = Wire.connected(build: build)
        var asked = true
        wire.inCentral {
            for number in 0..<HostLimits().queue + aclBufferCount {
                _ = wire.client.writeWithoutResponse([UInt8(number)], to: 3)
            }
            asked = wire.client.canWriteWithoutResponse
        }
        #expect(!asked)
        #expect(wire.central.notes.last == "ready")
    }

    @Test func nobodyHearsOfRoomWhoDidNotAsk() {
        let wire = Wire.connected(build: build)
        wire.inCentral {
            for number in 0..<HostLimits().queue + aclBufferCount {
                _ = wire.client.writeWithoutResponse([UInt8(number)], to: 3)
            }
        }
        #expect(wire.central.notes == ["connected"])
    }

    @Test func whatIsDoneAgainComesBeforeWhatWaits() {
        let wire = Wire.connected(build: build)
        wire.inCentral {
            wire.client.pause()
            wire.client.write([1], to: 3) { _ in }
            _ = wire.client.writeWithoutResponse([2], to: 3)
            #expect(wire.pdus.isEmpty)
            wire.client.resume { wire.client.write([0], to: 3) { _ in } }
        }
        #expect(
            wire.pdus == ["> 12 03 00 00", "< 13", "> 12 03 00 01", "> 52 03 00 02", "< 13"])
    }

    @Test func theEndOfTheLinkEndsWhatWaits() {
        let wire = Wire.connected(build: build)
        let written = Box<Void>()
        wire.reachesPeripheral = false
        let client = wire.client
        wire.inCentral {
            client.subscribe(.notifications, to: notifying) { _ in }
            _ = client.writeWithoutResponse([7], to: 3)
            client.write([8], to: 3, completion: written.take)
        }
        wire.lose()
        #expect(written.error == .disconnected(reason: 0x08))
        #expect(wire.pdus == ["> 04 06 00 06 00"])
    }
}
