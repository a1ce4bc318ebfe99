import Bluetooth
import BluetoothHost
import DeviceKit
import Testing

/// Attributes whose owner answers for them later, and services that come and go.
@Suite struct OwnerTests {
    /// Handle 3 is owned, 5 is stored; what is asked of the owner is kept.
    private func wire(_ asked: Box<DeferredRequest>) -> Wire {
        Wire.connected { server in
            server.addService(0x1234)
            server.addCharacteristic(
                0xAAAA, properties: [.read, .write, .writeWithoutResponse],
                onRequest: { asked.take(.success($0)) })
            server.addCharacteristic(0xAAAA, properties: [.read, .write], value: [5])
        }
    }

    @Test func aPeerWaitsForTheOwnerAndWhatElseItRequestsIsDropped() throws {
        let asked = Box<DeferredRequest>()
        let wire = wire(asked)
        wire.inject([0x0A, 3, 0])
        wire.inject([0x0A, 5, 0])
        wire.inject([0x52, 3, 0, 9])
        #expect(wire.pdus == [])
        #expect(
            wire.peripheral.logs == [
                "connection 0: a read-request before the last request was answered"
            ])
        let request = try #require(try asked.results.first?.get())
        #expect(request.isAwaited)
        wire.inPeripheral {
            request.answer(.success([1, 2]))
            request.answer(.success([3]))
        }
        #expect(wire.pdus == ["< 0b 01 02"])
        #expect(asked.results.count == 2)
    }

    @Test func severalValuesAreAskedForOneAfterTheOther() throws {
        let asked = Box<DeferredRequest>()
        let wire = wire(asked)
        for request: [UInt8] in [[0x0E, 3, 0, 5, 0, 3, 0], [0x08, 1, 0, 255, 255, 0xAA, 0xAA]] {
            wire.inject(request)
            wire.inPeripheral { (try? asked.results.last?.get())?.answer(.success([1])) }
        }
        #expect(wire.pdus == ["< 0f 01 05 01", "< 09 03 03 00 01 05 00 05"])
    }

    @Test func preparedPartsReachTheOwnerTogetherAndTheOthersOnlyIfItTakesThem() throws {
        let asked = Box<DeferredRequest>()
        let wire = wire(asked)
        for code: ATTErrorCode? in [.valueNotAllowed, nil] {
            for part: [UInt8] in [[0x16, 3, 0, 0, 0, 1], [0x16, 5, 0, 0, 0, 8], [0x18, 1]] {
                wire.inject(part)
            }
            #expect(wire.peripheral.host.server.value(of: 5) == [5])
            wire.inPeripheral {
                let request = try? asked.results.last?.get()
                request?.answer(code.map { .failure($0) } ?? .success([]))
            }
        }
        #expect(wire.pdus.filter { !$0.hasPrefix("< 17") } == ["< 01 18 03 00 13", "< 19"])
        #expect(wire.peripheral.host.server.value(of: 5) == [8])
    }

    @Test func aServiceThatIsTakenAwayLeavesAHoleAndIsIndicated() throws {
        var taken: GATTServer.Service?
        let wire = Wire.connected { server in
            server.addGenericServices(name: "lock")
            taken = server.addService(0x1234)
            server.addCharacteristic(0xAAAA, properties: .read, value: [1])
            server.addService(0x5678)
        }
        // Service Changed has its value at 8 and its configuration at 9.
        wire.inject([0x12, 9, 0, 2, 0])
        let service = try #require(taken)
        let server = wire.peripheral.host.server
        wire.inPeripheral {
            let range = server.range(of: service)
            server.remove(service)
            server.indicateChange(of: range, to: wire.back)
        }
        for request: [UInt8] in [
            [0x0A, 12, 0], [0x04, 10, 0, 13, 0], [0x10, 10, 0, 255, 255, 0, 0x28],
        ] {
            wire.inject(request)
        }
        #expect(
            wire.pdus == [
                "< 13", "< 1d 08 00 0a 00 0c 00", "> 1e", "< 01 0a 0c 00 01", "< 05 01 0d 00 00 28",
                "< 11 06 0d 00 0d 00 78 56",
            ])
    }

    @Test func changesBeforeAConfirmationAreIndicatedTogether() {
        let wire = Wire.connected { $0.addGenericServices(name: "lock") }
        wire.inject([0x12, 9, 0, 2, 0])
        wire.inPeripheral {
            for handle: UInt16 in [20, 30, 40] {
                wire.peripheral.host.server.indicateChange(
                    of: HandleRange(handle, handle + 5), to: wire.back)
            }
        }
        #expect(
            wire.pdus == [
                "< 13", "< 1d 08 00 14 00 19 00", "> 1e", "< 1d 08 00 1e 00 2d 00", "> 1e",
            ])
    }

    @Test func anIncludedServiceIsDeclared() {
        let wire = Wire.connected { server in
            let first = server.addService(0x1234)
            server.addService(0x5678)
            server.addInclude(of: first, 0x1234)
        }
        wire.inject([0x08, 1, 0, 255, 255, 0x02, 0x28])
        #expect(wire.pdus == ["< 09 08 03 00 01 00 01 00 34 12"])
    }
}
