import AccessoryFirmware
import AccessoryProtocol
import DeviceKit
import TestSupport
import Testing

@Suite struct ServiceTests {
    private static let single = NearbyInteractionService.singleConfigurationData
    private static let bond = [
        StoredPair("bond/\(Bench.address(of: 1))", Array(repeating: 1, count: 16))
    ]

    @Test func theConfigurationIsReadableOnceTheLinkIsEncrypted() throws {
        let bench = try Bench(stored: Self.bond)
        bench.connect()
        let configuration = bench.say(initialize)[0].dropFirst()
        let handle = bench.handle(of: Self.single)
        #expect(bench.att([0x0A] + handle.bytes) == [0x01, 0x0A] + handle.bytes + [0x0F])
        bench.encrypt()
        #expect(bench.att([0x0A] + handle.bytes) == [0x0B] + configuration)
    }

    @Test func theValueIsThatOfTheNewestConfigurationAndGoesWithTheLink() throws {
        let bench = try Bench(stored: Self.bond)
        bench.connect()
        bench.encrypt()
        let handle = bench.handle(of: Self.single)
        #expect(bench.att([0x0A] + handle.bytes) == [0x0B])
        _ = bench.say(initialize)
        let second = bench.say(initialize)[0].dropFirst()
        #expect(bench.att([0x0A] + handle.bytes) == [0x0B] + second)
        bench.disconnect()
        bench.connect()
        bench.encrypt()
        #expect(bench.att([0x0A] + handle.bytes) == [0x0B])
    }

    @Test func fiveSessionsHaveFiveCharacteristicsWithDescriptionsThatDiffer() throws {
        let bench = try Bench("multi", stored: Self.bond)
        bench.connect()
        bench.encrypt()
        let descriptions = bench.handles(of: Self.single).map {
            bench.att([0x0A] + ($0 + 1).bytes)
        }
        #expect(descriptions.count == 5)
        #expect(descriptions[0] == [0x0B] + Array("Session 1".utf8))
        #expect(descriptions[4] == [0x0B] + Array("Session 5".utf8))
    }

    @Test func theMultipleCharacteristicHoldsAllConfigurations() throws {
        let bench = try Bench(
            "multi", [Pair("multiples", "1")], stored: Self.bond)
        bench.connect()
        bench.encrypt()
        bench.connect(2)
        let first = bench.say(initialize)[0].dropFirst()
        let second = bench.say(initialize, 2)[0].dropFirst()
        let both: [UInt8] = [0x0B, 2, 37] + Array(first) + [37] + Array(second)
        let handle = bench.handle(of: NearbyInteractionService.multipleConfigurationData)
        #expect(bench.att([0x0A] + handle.bytes) == both)
    }

    @Test func nordicUARTCarriesTheMessagesWhereWanted() throws {
        let bench = try Bench("qorvo", [Pair("service", "nus")])
        bench.connect(subscribes: false)
        #expect(bench.handles(of: NordicUARTService.receive).count == 1)
        #expect(bench.handles(of: QorvoService.receive) == [])
        guard case .advertise(_, let data, _) = bench.controller[0] else { return }
        #expect(data == bytes("020106 1107 9ECADC240EE5A9E093F3A3B50100406E"))
    }

    @Test func theMTUIsTheSmallerOfBoth() throws {
        for (profile, mtu) in [("qorvo", 100), ("multi", 247)] as [(String, UInt16)] {
            let bench = try Bench(profile)
            bench.connect(subscribes: false)
            #expect(bench.att([0x02, 0xB9, 0x00]) == [0x03] + mtu.bytes)
        }
    }

    @Test func aMessageThatDoesNotFitIsNotSentAtAll() throws {
        let bench = try Bench()
        bench.connect(mtu: 23)
        #expect(bench.say(initialize) == [])
        #expect(bench.notes == ["accessory.error: a message of 38 bytes does not fit in 20"])
    }

    @Test func messagesWaitWhereTheHostHasNoRoom() throws {
        let bench = try Bench()
        bench.connect()
        let receive = bench.handle(of: QorvoService.receive)
        bench.completesPackets = false
        for _ in 0..<40 { bench.command(stop, to: receive) }
        #expect(bench.heard().count == 16)
        bench.completePackets()
        #expect(bench.heard().count == 24)
    }
}
