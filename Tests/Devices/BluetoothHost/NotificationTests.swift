import Bluetooth
import BluetoothHost
import DeviceKit
import Testing

/// A wire to a server with one characteristic that notifies (3, configured at 4) and one that
/// indicates (6, configured at 7).
private struct Telling {
    let wire: Wire
    let notifying: GATTServer.Characteristic
    let indicating: GATTServer.Characteristic
    let subscriptions: Box<Subscription>

    init(mtu: UInt16 = 247) {
        let heard = Box<Subscription>()
        var all: [GATTServer.Characteristic] = []
        wire = Wire.connected(mtu: mtu) { server in
            server.addService(0x1234)
            all.append(
                server.addCharacteristic(
                    0xAAAA, properties: .notify, onSubscribe: { heard.take(.success($1)) }))
            all.append(server.addCharacteristic(0xBBBB, properties: .indicate))
        }
        notifying = all[0]
        indicating = all[1]
        subscriptions = heard
    }

    var server: GATTServer { wire.peripheral.host.server }

    func subscribe() {
        wire.inCentral {
            wire.client.subscribe(.notifications, descriptor: 4) { _ in }
            wire.client.subscribe(.indications, descriptor: 7) { _ in }
        }
        wire.pdus = []
    }
}

@Suite struct NotificationTests {
    @Test func nobodyIsToldBeforeItHasSubscribed() {
        let telling = Telling()
        let wire = telling.wire
        var isSent: [Bool] = []
        wire.inPeripheral {
            isSent.append(telling.server.notify([1], of: telling.notifying, to: wire.back))
            isSent.append(telling.server.indicate([1], of: telling.indicating, to: wire.back))
        }
        #expect(isSent == [false, false])
        #expect(wire.pdus.isEmpty)
    }

    @Test func aSubscriberIsToldUntilItUnsubscribes() {
        let telling = Telling()
        let wire = telling.wire
        var heard: [String] = []
        var isSent: [Bool] = []
        func tell(_ byte: UInt8) {
            wire.inPeripheral {
                isSent.append(telling.server.notify([byte], of: telling.notifying, to: wire.back))
            }
        }
        wire.client.onValue = { handle, value, isIndication in
            heard.append("\(handle) \(value) \(isIndication)")
        }
        wire.inCentral { wire.client.subscribe(.notifications, descriptor: 4) { _ in } }
        #expect(telling.server.isSubscribed(wire.back, to: telling.notifying))
        tell(1)
        wire.inCentral { wire.client.subscribe([], descriptor: 4) { _ in } }
        tell(2)
        #expect(isSent == [true, false])
        #expect(heard == ["3 [1] false"])
        #expect(telling.subscriptions.results == [.success(.notifications), .success([])])
        #expect(
            wire.pdus == [
                "> 12 04 00 01 00", "< 13", "< 1b 03 00 01", "> 12 04 00 00 00", "< 13",
            ])
    }

    @Test func theConfigurationIsReadAsItWasWritten() {
        let telling = Telling()
        telling.subscribe()
        telling.wire.inject([0x0A, 4, 0])
        telling.wire.inject([0x0A, 7, 0])
        #expect(telling.wire.pdus == ["< 0b 01 00", "< 0b 02 00"])
    }

    @Test func aNotificationIsCutToThePDU() {
        let telling = Telling()
        telling.subscribe()
        let wire = telling.wire
        wire.inPeripheral {
            _ = telling.server.notify(Array(0..<38), of: telling.notifying, to: wire.back)
        }
        let words = wire.pdus[0].split(separator: " ").count
        #expect(words == 1 + 3 + 20)
        #expect(wire.back.maximumValueLength == 20)
    }

    @Test func indicationsWaitForOneAnother() {
        let telling = Telling()
        telling.subscribe()
        let wire = telling.wire
        var confirmed: [UInt8] = []
        wire.inPeripheral {
            for byte in [1, 2] as [UInt8] {
                let isTaken = telling.server.indicate(
                    [byte], of: telling.indicating, to: wire.back
                ) { _ in confirmed.append(byte) }
                #expect(isTaken)
            }
        }
        #expect(confirmed == [1, 2])
        #expect(wire.pdus == ["< 1d 06 00 01", "> 1e", "< 1d 06 00 02", "> 1e"])
        #expect(wire.timers(of: wire.peripheral).isEmpty)
    }

    @Test func afterTwentyNotificationsTheQueueIsFull() {
        let telling = Telling()
        telling.subscribe()
        let wire = telling.wire
        wire.completesPackets = false
        var isSent: [Bool] = []
        wire.inPeripheral {
            for byte in 0..<22 as Range<UInt8> {
                isSent.append(telling.server.notify([byte], of: telling.notifying, to: wire.back))
            }
        }
        #expect(isSent == Array(repeating: true, count: 20) + [false, false])
        #expect(wire.pdus.count == aclBufferCount)
        #expect(!wire.peripheral.notes.contains("ready"))
        wire.completesPackets = true
        wire.deliver(.completedPackets(handle: 1, count: 4), to: wire.peripheral)
        #expect(wire.pdus.count == 20)
        #expect(wire.peripheral.notes.filter { $0 == "ready" } == ["ready"])
    }

    @Test func afterTwentyCommandsTheQueueIsFull() {
        let wire = Wire.connected { server in
            server.addService(0x1234)
            server.addCharacteristic(0xAAAA, properties: .writeWithoutResponse)
        }
        wire.completesPackets = false
        var count = 0
        wire.inCentral { while wire.client.writeWithoutResponse([1], to: 3) { count += 1 } }
        #expect(count == 20)
        #expect(!wire.client.canWriteWithoutResponse)
        #expect(wire.pdus.count == aclBufferCount)
        wire.completesPackets = true
        wire.deliver(.completedPackets(handle: 1, count: 4), to: wire.central)
        #expect(wire.client.canWriteWithoutResponse)
        #expect(wire.pdus.count == 20)
        #expect(wire.central.notes.filter { $0 == "ready" } == ["ready"])
    }

    @Test func aResponseFindsRoomInAFullQueue() {
        let telling = Telling()
        telling.subscribe()
        let wire = telling.wire
        wire.completesPackets = false
        wire.inPeripheral {
            while telling.server.notify([1], of: telling.notifying, to: wire.back) {}
        }
        wire.inject([0x0A, 4, 0])
        wire.completesPackets = true
        wire.deliver(.completedPackets(handle: 1, count: 8), to: wire.peripheral)
        #expect(wire.pdus.last == "< 0b 01 00")
    }

    @Test func subscriptionsEndWithTheConnection() {
        let telling = Telling()
        telling.subscribe()
        let wire = telling.wire
        let old = wire.back
        wire.lose()
        #expect(!telling.server.isSubscribed(old, to: telling.notifying))
        wire.connect()
        #expect(!telling.server.isSubscribed(wire.back, to: telling.notifying))
    }
}
