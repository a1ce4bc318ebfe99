import Bluetooth
import DeviceLink
import TestSupport
import Testing

@testable import HostDoor

@Suite struct CommandTests {
    @Test func aResetIsAnsweredAtOnce() {
        var desk = Desk()
        #expect(desk.host("01 03 0C 00") == ["04 0E 04 01 03 0C 00"])
    }

    @Test func aCommandThatItDoesNotHaveGetsUnknownAndOneRemark() {
        var desk = Desk()
        // HCI_Write_Local_Name is for BR/EDR.
        #expect(
            desk.host("01 13 0C 00", "01 13 0C 00") == [
                "04 0E 04 01 13 0C 01", "04 0E 04 01 13 0C 01",
            ])
        #expect(
            desk.controller.takeRemarks() == [
                "HCI: the controller has no command 0xC13; the answer is 0x01, Unknown HCI Command"
            ])
    }

    /// Bit by bit: what it says that it has is what it has.
    @Test(arguments: [false, true])
    func supportedCommandsAreThoseThatAreThere(extended: Bool) throws {
        var desk = Desk(extended: extended)
        let answer = try #require(desk.host("01 02 10 00").first)
        let octets = Array(bytes(answer)[7...])
        #expect(octets.count == 64)
        let bits = octets.reduce(0) { $0 + $1.nonzeroBitCount }
        #expect(bits == HCICommand.allCases.count { extended || !$0.isExtendedAdvertising })
        for command in HCICommand.allCases {
            var other = Desk(extended: extended)
            let opcode = command.rawValue
            other.controller.receive(
                [0x01, UInt8(opcode & 0xFF), UInt8(opcode >> 8), 0x40]
                    + [UInt8](repeating: 0, count: 64))
            let isUnknown =
                other.told() == ["04 0E 04 01 \(hex(opcode & 0xFF)) \(hex(opcode >> 8)) 01"]
            let isSaid = octets[command.place.octet] >> UInt8(command.place.bit) & 1 == 1
            #expect(isSaid != isUnknown, "\(command)")
        }
    }

    private func hex(_ number: UInt16) -> String {
        (number < 16 ? "0" : "") + String(number, radix: 16, uppercase: true)
    }

    /// LE_Rand is the device's own chance.
    @Test func numbersComeFromWhereItWasTold() {
        var desk = Desk()
        #expect(desk.host("01 18 20 00") == ["04 0E 0C 01 18 20 00 01 02 03 04 05 06 07 08"])
    }

    @Test func itsPublicAddressIsItsOwnNumber() {
        var desk = Desk()
        #expect(desk.host("01 09 10 00") == ["04 0E 0A 01 09 10 00 02 01 00 EE FF C0"])
    }

    @Test func aCommandThatIsTooShortHasInvalidParameters() {
        var desk = Desk()
        #expect(desk.host("01 05 20 03 01 02 03") == ["04 0E 04 01 05 20 12"])
    }

    @Test func maskedEventsAreNotTold() {
        var desk = Desk()
        desk.connect()
        // All but Disconnection Complete.
        _ = desk.host("01 01 0C 08 EF FF FF FF FF FF FF 3F")
        #expect(desk.air(.disconnectionComplete(handle: 0x40, reason: 0x08)) == [])
    }

    @Test func aStreamGivesWholePacketsAndRefusesOthers() throws {
        var stream = H4Stream()
        stream.append(bytes("01 03 0C 00 02 40 20 05"))
        #expect(try stream.next() == bytes("01 03 0C 00"))
        #expect(try stream.next() == nil)
        stream.append(bytes("00 01 02 03 04 05 04"))
        #expect(try stream.next() == bytes("02 40 20 05 00 01 02 03 04 05"))
        #expect(throws: MalformedBytes.self) { try stream.next() }
    }
}
