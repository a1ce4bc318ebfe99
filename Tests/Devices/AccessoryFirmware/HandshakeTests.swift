import AccessoryFirmware
import AccessoryProtocol
import DeviceKit
import TestSupport
import Testing

@Suite struct HandshakeTests {
    @Test func itAdvertisesItsServiceAndItsName() throws {
        let bench = try Bench()
        let service = bytes("020106 1107 020012AC4202EBA1ED11616AD08F932E")
        let name = bytes("0509 6C6F636B")
        #expect(
            bench.controller == [.advertise(interval: 32, data: service, scanResponse: name)])
        bench.pass(.seconds(30))
        #expect(
            bench.controller.last
                == .advertise(interval: 1636, data: service, scanResponse: name))
    }

    @Test func aWholeSession() throws {
        let bench = try Bench()
        bench.connect()
        let configuration = bench.say(initialize)
        #expect(configuration.count == 1)
        let address = configuration[0][34...35]
        #expect(
            configuration[0]
                == bytes("01 0100 0000 14 00000000000000000000 15")
                + bytes("01000100 3FF50300 0100B80B 01000000 01") + address + bytes("1900"))

        #expect(bench.say(configureAndStart) == [])
        #expect(
            bench.radio == [
                .start(
                    session: 1,
                    UWBParameters(
                        sessionID: 0x5FA8, address: UInt16(address[34]) | UInt16(address[35]) << 8,
                        peer: 0xB487, channel: 9, preamble: 11, stsIV: bytes("397B28D4B8D7"),
                        slotsPerRound: 6, slotDuration: 3600, interval: 198, isInitiator: true))
            ])
        bench.startRadio()
        #expect(bench.heard() == [didStart])

        #expect(bench.say(stop) == [didStop])
        #expect(bench.radio.last == .stop(session: 1))
        #expect(
            bench.notes == ["accessory.configured", "accessory.start", "accessory.stop"])
    }

    @Test func twoInitializesInARowGiveDifferentBytes() throws {
        let bench = try Bench()
        bench.connect()
        let first = bench.say(initialize)
        #expect(bench.say(initialize) != first)
    }

    @Test func noBytesRepeatAfterARestart() throws {
        var seen: [[UInt8]] = []
        for incarnation in 0..<3 as Range<UInt32> {
            let bench = try Bench(incarnation: incarnation)
            bench.connect()
            for _ in 0..<20 { seen += bench.say(initialize) }
        }
        #expect(Set(seen).count == 60)
    }

    @Test func initializeStopsWhatRuns() throws {
        let bench = try Bench()
        bench.connect()
        bench.range()
        #expect(bench.say(initialize).map(\.first) == [0x01])
        #expect(bench.ranging == [])
        #expect(bench.say(configureAndStart) == [])
        #expect(bench.ranging == [2])
    }

    @Test(arguments: [
        bytes("0B"), Array(configureAndStart.dropLast()), configureAndStart + [0],
        bytes("0B 01000000 17 4555 A85F0000 0B 09 0600 100E C600 03 397B28D4B8D7 87B4"),
    ])
    func shareableDataOfAWrongLengthOrVersionIsAnsweredByDidStop(message: [UInt8]) throws {
        let bench = try Bench()
        bench.connect()
        _ = bench.say(initialize)
        #expect(bench.say(message) == [didStop])
        #expect(bench.radio == [])
    }

    @Test func configureAndStartWithoutInitializeIsAnsweredByDidStop() throws {
        let bench = try Bench()
        bench.connect()
        #expect(bench.say(configureAndStart) == [didStop])
        bench.range()
        #expect(bench.say(configureAndStart) == [didStop])
        #expect(bench.ranging == [])
    }

    @Test(arguments: [bytes("7F"), bytes("0A00"), bytes("02"), []])
    func otherMessagesAreNotedAndIgnored(message: [UInt8]) throws {
        let bench = try Bench()
        bench.connect()
        #expect(bench.say(message) == [])
        #expect(bench.notes.count == 1)
        #expect(bench.notes[0].hasPrefix("accessory.error: "))
        #expect(bench.say(initialize).count == 1)
    }

    @Test func aStopIsAnsweredAlsoWhenNothingRuns() throws {
        let bench = try Bench()
        bench.connect()
        #expect(bench.say(stop) == [didStop])
    }

    @Test func aMessageWithoutSubscriptionIsLost() throws {
        let bench = try Bench()
        bench.connect(subscribes: false)
        #expect(bench.say(initialize) == [])
        bench.subscribe()
        #expect(bench.heard() == [])
        #expect(bench.say(initialize).count == 1)
    }

    @Test func theRadiosRefusalIsAnsweredByDidStop() throws {
        let bench = try Bench()
        bench.connect()
        _ = bench.say(initialize)
        _ = bench.say(configureAndStart)
        bench.startRadio(status: 1)
        #expect(bench.heard() == [didStop])
    }

    @Test func theButtonEndsRangingAndTellsThePhone() throws {
        let bench = try Bench()
        bench.connect()
        bench.give(.command(name: "stop", arguments: []))
        #expect(bench.heard() == [])
        bench.range()
        bench.give(.command(name: "stop", arguments: []))
        #expect(bench.heard() == [didStop])
        #expect(bench.ranging == [])
    }

    @Test func aDisconnectEndsRangingAndAdvertisesAgain() throws {
        let bench = try Bench()
        bench.connect()
        bench.range()
        let before = bench.controller.count
        bench.disconnect()
        #expect(bench.ranging == [])
        #expect(bench.controller[before...].contains { $0.isAdvertising })
    }

    @Test func bluetoothOffEndsLinksAndOnAdvertises() throws {
        let bench = try Bench()
        bench.connect()
        bench.range()
        bench.give(.command(name: "bluetooth", arguments: [Pair("power", "off")]))
        #expect(bench.controller.last == .disconnect(handle: 1, reason: 0x15))
        bench.disconnect(reason: 0x16)
        #expect(bench.ranging == [])
        #expect(bench.controller.last == .disconnect(handle: 1, reason: 0x15))
        bench.give(.command(name: "bluetooth", arguments: [Pair("power", "on")]))
        #expect(bench.controller.last?.isAdvertising == true)
    }

    @Test func reservedBytesOutliveARestart() throws {
        let bench = try Bench()
        bench.connect()
        #expect(bench.say([0x20]) == [[0x20]])
        #expect(bench.say([0x21, 1, 2]) == [])
        #expect(bench.say([0x20]) == [[0x20, 1, 2]])
        let next = try Bench(incarnation: 1, stored: bench.stored.filter { $0.key == "reserved" })
        next.connect()
        #expect(next.say([0x20]) == [[0x20, 1, 2]])
    }
}

extension BluetoothCommand {
    var isAdvertising: Bool {
        if case .advertise = self { true } else { false }
    }
}
