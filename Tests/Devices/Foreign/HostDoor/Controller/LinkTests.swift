import DeviceLink
import TestSupport
import Testing

@testable import HostDoor

@Suite struct LinkTests {
    @Test func anAdvertiserIsConnectedToAndAdvertisesNoMore() {
        var desk = Desk()
        #expect(
            desk.host(
                "01 05 20 06 03 02 01 00 EE C1",  // the random address
                "01 06 20 0F 20 00 20 00 00 01 00 00 00 00 00 00 00 07 00",
                "01 08 20 20 03 02 01 06" + String(repeating: " 00", count: 28),
                "01 0A 20 01 01") == [
                    "04 0E 04 01 05 20 00", "04 0E 04 01 06 20 00", "04 0E 04 01 08 20 00",
                    "04 0E 04 01 0A 20 00",
                ])
        #expect(
            desk.wants() == [
                .setAddress(Address(0xC1EE_0001_0203)),
                .advertise(interval: 0x20, data: [2, 1, 6], scanResponse: []),
            ])
        #expect(
            desk.air(
                .connectionComplete(
                    status: 0, handle: 0x40, isCentral: false, peer: Desk.phone, Desk.timing))
                == ["04 3E 13 01 00 40 00 01 01 0A 0A 00 EE FF C0 18 00 00 00 48 00 00"])
        // It is off already, and may be switched on again.
        #expect(desk.host("01 0A 20 01 01") == ["04 0E 04 01 0A 20 00"])
        #expect(desk.wants() == [.advertise(interval: 0x20, data: [2, 1, 6], scanResponse: [])])
    }

    @Test func longerDataIsTakenOnceAndAnotherPHYIsNotToBeHad() {
        var desk = Desk()
        desk.connect()
        // LE Set Event Mask: these events are off at first.
        _ = desk.host("01 01 20 08 FF 0F 00 00 00 00 00 00")
        // LE Set Data Length of 251 bytes and 2120 us, twice; then LE Set PHY to 2M.
        #expect(
            desk.host("01 22 20 06 40 00 FB 00 48 08") == [
                "04 0E 06 01 22 20 00 40 00", "04 3E 0B 07 40 00 FB 00 48 08 FB 00 48 08",
            ])
        #expect(
            desk.host("01 22 20 06 40 00 FB 00 48 08") == ["04 0E 06 01 22 20 00 40 00"])
        #expect(
            desk.host("01 32 20 07 40 00 00 02 02 00 00") == [
                "04 0F 04 00 01 32 20", "04 3E 06 0C 00 40 00 01 01",
            ])
    }

    @Test func aCentralConnectsByStatusAndThenByEvent() {
        var desk = Desk()
        #expect(
            desk.host(
                "01 0D 20 19 30 00 30 00 00 01 0A 0A 00 EE FF C0 00 18 00 18 00 00 00 48 00 00 00 00 00"
            )
                == ["04 0F 04 00 01 0D 20"])
        #expect(
            desk.wants() == [
                .setAddress(Address(Desk.own.value, isRandom: false)),
                .connect(peer: Desk.phone, Desk.timing),
            ])
        // One attempt at a time.
        #expect(
            desk.host(
                "01 0D 20 19 30 00 30 00 00 01 0A 0A 00 EE FF C0 00 18 00 18 00 00 00 48 00 00 00 00 00"
            )
                == ["04 0F 04 0C 01 0D 20"])
        #expect(desk.host("01 0E 20 00") == ["04 0E 04 01 0E 20 00"])
        #expect(desk.wants() == [.cancelConnect(peer: Desk.phone)])
        #expect(
            desk.air(
                .connectionComplete(
                    status: 2, handle: 0, isCentral: true, peer: Desk.phone, Desk.timing))
                == ["04 3E 13 01 02 00 00 00 01 0A 0A 00 EE FF C0 18 00 00 00 48 00 00"])
    }

    @Test func fragmentsBecomeOneFrameAndAFrameBecomesFragments() {
        var desk = Desk()
        desk.connect()
        #expect(
            desk.host("02 40 00 05 00 03 00 04 00 0A", "02 40 10 02 00 01 00")
                == ["04 13 05 01 40 00 01 00"])
        #expect(desk.wants() == [.acl(handle: 0x40, [3, 0, 4, 0, 0x0A, 1, 0])])
        let long = [UInt8](repeating: 7, count: 300)
        let packets = desk.air(.acl(handle: 0x40, [44, 1, 4, 0] + long))
        #expect(packets.map { $0.prefix(14) } == ["02 40 20 FB 00", "02 40 10 35 00"])
    }

    /// The air takes 16 frames of a connection, and says when eight are through.
    @Test func whatTheAirHasNoRoomForWaitsInTheController() {
        var desk = Desk()
        desk.connect()
        for _ in 0..<20 { _ = desk.host("02 40 00 05 00 01 00 04 00 0A") }
        #expect(desk.wants().count == 16)
        #expect(desk.air(.completedPackets(handle: 0x40, count: 8)) == ["04 13 05 01 40 00 08 00"])
        #expect(desk.wants().count == 4)
    }

    @Test func aHostThatCountsItsBuffersGetsNoMoreThanItHasRoomFor() {
        var desk = Desk()
        desk.connect()
        _ = desk.host("01 33 0C 07 FB 00 00 02 00 00 00", "01 31 0C 01 01")
        let frame = BluetoothEvent.acl(handle: 0x40, [1, 0, 4, 0, 0x0A])
        #expect(desk.air(frame, frame, frame).count == 2)
        #expect(desk.host("01 35 0C 05 01 40 00 01 00") == ["02 40 20 05 00 01 00 04 00 0A"])
    }

    @Test func aKeyIsAskedForByItsNumbers() {
        var desk = Desk()
        desk.connect()
        #expect(
            desk.air(.longTermKeyRequest(handle: 0x40, random: 0x0102, diversifier: 0x33))
                == ["04 3E 0D 05 40 00 02 01 00 00 00 00 00 00 33 00"])
        let key = "00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F"
        #expect(desk.host("01 1A 20 12 40 00 \(key)") == ["04 0E 06 01 1A 20 00 40 00"])
        #expect(desk.wants() == [.longTermKey(handle: 0x40, bytes(key))])
        #expect(
            desk.air(.encryptionChange(status: 0, handle: 0x40, isEncrypted: true))
                == ["04 08 04 00 40 00 01"])
    }

    /// The second update, encryption or end is Command Disallowed (0x0C) as long as the first goes on; so is a key
    /// that nobody has asked for.
    @Test(arguments: [
        ("01 13 20 0E 40 00 18 00 18 00 00 00 48 00 00 00 00 00", "04 0F 04 00 01 13 20"),
        ("01 19 20 1C 40 00" + String(repeating: " 00", count: 26), "04 0F 04 00 01 19 20"),
        ("01 06 04 03 40 00 13", "04 0F 04 00 01 06 04"),
    ])
    func oneProcedureOfAKindGoesOnAtATime(command: String, answer: String) {
        var desk = Desk()
        desk.connect(isCentral: true)
        #expect(desk.host(command) == [answer])
        #expect(desk.host(command) == [answer.replacing("04 0F 04 00", with: "04 0F 04 0C")])
        #expect(desk.wants().count == 1)
        #expect(desk.host("01 1B 20 02 40 00") == ["04 0E 04 01 1B 20 0C"])
    }

    @Test func aConnectionThatItDoesNotHaveIsUnknown() {
        var desk = Desk()
        #expect(desk.host("01 06 04 03 41 00 13") == ["04 0F 04 02 01 06 04"])
    }

    /// HCI_Reset ends links as a power cycle does, and the host hears no more of them.
    @Test func aResetForgetsItsLinks() {
        var desk = Desk()
        desk.connect()
        #expect(desk.host("01 03 0C 00") == ["04 0E 04 01 03 0C 00"])
        #expect(desk.wants() == [.disconnect(handle: 0x40, reason: 0x15)])
        #expect(desk.host("01 03 0C 00") == ["04 0E 04 01 03 0C 00"])
        #expect(desk.wants() == [])
        #expect(desk.air(.disconnectionComplete(handle: 0x40, reason: 0x16)) == [])
    }

    @Test func extendedAdvertisingIsOneSetOfTheSameAdvertisements() {
        var desk = Desk(extended: true)
        #expect(
            desk.host(
                "01 36 20 19 00 13 00 20 00 00 20 00 00 07 01 00 00 00 00 00 00 00 00 7F 01 00 01 00 00",
                "01 35 20 07 00 03 02 01 00 EE C1", "01 37 20 07 00 03 01 03 02 01 06",
                "01 39 20 06 01 01 00 00 00 00") == [
                    "04 0E 05 01 36 20 00 00", "04 0E 04 01 35 20 00", "04 0E 04 01 37 20 00",
                    "04 0E 04 01 39 20 00",
                ])
        #expect(
            desk.wants() == [
                .setAddress(Address(0xC1EE_0001_0203)),
                .advertise(interval: 0x20, data: [2, 1, 6], scanResponse: []),
            ])
    }
}
