import Bluetooth
import HostDoor
import TestSupport
import Testing

struct StreamTests {
    /// The messages in some bytes, each as one packet.
    private static func messages(_ parts: String...) throws -> [UCIPacket] {
        var stream = UCIStream()
        var messages: [UCIPacket] = []
        for part in parts {
            stream.append(bytes(part))
            while let message = try stream.next() { messages.append(message) }
        }
        return messages
    }

    @Test func packetsAreFoundWhereverTheBytesAreCut() throws {
        let reset = UCIPacket(.command, group: 0, opcode: 0, payload: [0])
        let count = UCIPacket(.command, group: 1, opcode: 5, payload: [])
        #expect(try Self.messages("20 00 00 01 00 21 05 00 00") == [reset, count])
        #expect(try Self.messages("20 00", "00 01", "00 21 05 00", "00") == [reset, count])
        #expect(try Self.messages("20 00 00 01") == [])
    }

    @Test func reservedBitsAreIgnored() throws {
        #expect(
            try Self.messages("21 C5 FF 00") == [
                UCIPacket(.command, group: 1, opcode: 5, payload: [])
            ])
    }

    @Test func segmentsBecomeOneMessage() throws {
        #expect(
            try Self.messages("31 03 00 03 2A 00 00", "31 03 00 01 00 21 03 00 01 00") == [
                UCIPacket(.command, group: 1, opcode: 3, payload: bytes("2A 00 00 00 00"))
            ])
    }

    @Test func aCommandInSegmentsIsAnsweredAsAWholeOne() throws {
        let difference = try Timeline.difference(
            """
            uwbs: 60 01 00 01 01
            host: 31 00 00 02 2A 00
            host: 21 00 00 03 00 00 00
            uwbs: 41 00 00 01 00
            uwbs: 61 02 00 06 2A 00 00 00 00 00
            """)
        #expect(difference == nil)
    }

    @Test func aLongMessageIsSentInSegments() throws {
        let long = UCIPacket(
            .response, group: 1, opcode: 4, payload: [UInt8](repeating: 7, count: 600))
        #expect(
            long.segments.map { Array($0.prefix(4)) } == [
                bytes("51 04 00 FF"), bytes("51 04 00 FF"), bytes("41 04 00 5A"),
            ])
        var stream = UCIStream()
        stream.append(long.bytes)
        #expect(try stream.next() == long)
        let full = UCIPacket(
            .response, group: 1, opcode: 4, payload: [UInt8](repeating: 7, count: 255))
        #expect(full.segments.map { Array($0.prefix(4)) } == [bytes("41 04 00 FF")])
    }

    @Test(arguments: [
        // H4 of Bluetooth: HCI Reset.
        "01 03 0C 00":
            "a message type of 1 (command), 2 (response) or 3 (notification), and not 0, at byte 0",
        "FF":
            "a message type of 1 (command), 2 (response) or 3 (notification), and not 7, at byte 0",
        "31 03 00 01 2A 21 04 00 01 00":
            "another segment of the message with group 1 and opcode 3, and not one of group 1 and opcode 4, at byte 0",
        "31 03 00 01 2A 41 03 00 01 00":
            "another segment of the message with group 1 and opcode 3, and not one of group 1 and opcode 3, at byte 0",
    ])
    func nonsenseIsSaidToBeNonsense(_ text: String, why: String) {
        #expect(Self.complaint(of: bytes(text)) == "UCI packet: expected " + why)
    }

    @Test func aMessageThatNeverEndsIsTooLong() {
        let segment = bytes("31 03 00 FF") + [UInt8](repeating: 0, count: 255)
        let endless = [[UInt8]](repeating: segment, count: 17).flatMap { $0 }
        #expect(
            Self.complaint(of: endless)
                == "UCI packet: expected a message of at most 4096 bytes in all its segments at byte 3"
        )
    }

    private static func complaint(of bytes: [UInt8]) -> String? {
        var stream = UCIStream()
        stream.append(bytes)
        do throws(MalformedBytes) {
            while try stream.next() != nil {}
        } catch {
            return "\(error)"
        }
        return nil
    }
}
