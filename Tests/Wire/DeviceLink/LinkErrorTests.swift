import DeviceLink
import TestSupport
import Testing

/// A wrong frame is reported with its offset, what was expected there, and what was found.
@Suite struct LinkErrorTests {
    /// The sentence about a stream from a device; nil where there is nothing wrong with it.
    private func complaint(_ stream: String) -> String? {
        complaint { (reader: inout FrameReader) throws(LinkError) in
            while try reader.nextDeviceFrame() != nil {}
        }(stream)
    }

    /// The sentence about a stream from an orchestrator.
    private func complaintOfDevice(_ stream: String) -> String? {
        complaint { (reader: inout FrameReader) throws(LinkError) in
            while try reader.nextOrchestratorFrame() != nil {}
        }(stream)
    }

    private func complaint(
        _ read: @escaping (inout FrameReader) throws(LinkError) -> Void
    ) -> (String) -> String? {
        { stream in
            var reader = FrameReader()
            reader.append(bytes(stream))
            do throws(LinkError) {
                try read(&reader)
                try reader.finish()
                return nil
            } catch {
                return "\(error.problem): \(error)"
            }
        }
    }

    @Test func aGoodStreamHasNothingWrong() {
        #expect(complaint("01000000 82  05000000 84 08000000") == nil)
        #expect(complaintOfDevice("01000000 03") == nil)
        #expect(complaint("") == nil)
    }

    @Test func anUnknownFrameNamesItsOffset() {
        #expect(
            complaint("01000000 82  01000000 85")
                == "unknownType: byte 9: expected hello (0x81), ready (0x82), refused (0x83) or "
                + "answers (0x84), found 0x85")
        #expect(
            complaintOfDevice("01000000 82")
                == "unknownType: byte 4: expected reset (0x01), grant (0x02) or farewell (0x03), "
                + "found 0x82")
    }

    @Test func textInsteadOfFramesIsAnOverlongFrame() {
        #expect(
            complaint("48 65 6C 6C 6F")
                == "overlong: byte 0: expected a frame of 1 to 1048576 bytes, found a length of "
                + "1819043144 (48 65 6C 6C)")
    }

    @Test func anEmptyFrameHasNoType() {
        #expect(
            complaint("01000000 82  00000000")
                == "truncated: byte 5: expected a frame of 1 to 1048576 bytes, found a length of 0 "
                + "(00 00 00 00)")
    }

    @Test func aStreamThatEndsInsideAFrameIsTruncated() {
        #expect(
            complaint("01000000 82  05000000 84 08")
                == "truncated: byte 5: expected 9 bytes of a frame, found the end of the stream "
                + "after 6")
        #expect(
            complaint("0100")
                == "truncated: byte 0: expected a frame's length, found the end of the stream "
                + "after 2")
    }

    @Test func aValueBeyondItsFrameIsTruncated() {
        #expect(
            complaint("04000000 84 080000")
                == "truncated: byte 5: expected 4 bytes (the turn), found 3")
        #expect(
            complaint("03000000 83 0500")
                == "truncated: byte 7: expected 5 bytes (the reason), found the end")
    }

    @Test func aValueBeyondItsAnswerIsTruncatedAlthoughMoreFollows() {
        // cancelTimer, whose block of 3 bytes holds a text of 4; another answer follows.
        #expect(
            complaint("12000000 84 01000000  02 03000000 0400 74  11 00000000")
                == "truncated: byte 16: expected 4 bytes (a timer's name), found 1")
    }

    @Test func anAnswerLongerThanItsFrameIsOverlong() {
        #expect(
            complaint("0A000000 84 01000000  02 FFFF0000")
                == "overlong: byte 10: expected at most 0 bytes (the answer), found a length of "
                + "65535")
    }

    @Test func bytesBehindTheLastValueAreTrailing() {
        #expect(
            complaint("02000000 82 AA")
                == "trailingBytes: byte 5: expected the end of the frame, found 1 more (AA)")
        #expect(
            complaint("0D000000 84 01000000  11 03000000 010203")
                == "trailingBytes: byte 14: expected the end of the answer, found 3 more "
                + "(01 02 03)")
    }

    @Test func anUnknownAnswerOrEventNamesItsOffset() {
        #expect(
            complaint("0A000000 84 01000000  77 00000000")
                == "unknownType: byte 9: expected the type of an answer, found 0x77")
        #expect(
            complaintOfDevice("12000000 02 00000000 0000000000000000  77 00000000")
                == "unknownType: byte 17: expected the type of an event, found 0x77")
        // An observation of the kind "x" with one field "y" of the type 9.
        #expect(
            complaint("13000000 84 01000000  05 09000000 0100 78 0100 0100 79 09")
                == "unknownType: byte 22: expected the type of a value, 0x00 to 0x04, found 0x09")
    }

    @Test func textThatIsNotUTF8NamesTheFirstBadByte() {
        // "aé" and then the first byte of a character that never comes.
        #expect(
            complaint("07000000 83 0400 61 C3A9 E2")
                == "badText: byte 10: expected UTF-8 (the reason), found E2")
        #expect(complaint("06000000 83 0300 61 C3A9") == nil)
    }

    @Test func aFlagIsNothingButZeroOrOne() {
        #expect(
            complaint("0D000000 84 01000000  12 03000000 02 0000")
                == "badValue: byte 14: expected 0 or 1 (active), found 2")
    }

    @Test func advertisingDataHasAtMost31Bytes() {
        #expect(
            complaint(
                "2D000000 84 01000000  10 23000000 2000 2000" + String(repeating: "00", count: 31))
                == "overlong: byte 16: expected at most 31 bytes (advertising data), found a "
                + "length of 32")
    }

    @Test func aHelloOfSomethingElseIsNamed() {
        #expect(
            complaint("0B000000 81 41424344 0100 0000 00 0000".replacingLength)
                == "wrongMagic: byte 5: expected the magic 41 4E 43 48 of a hello, found "
                + "41 42 43 44")
        #expect(
            complaint("0B000000 81 414E4348 0200 0000 00 0000".replacingLength)
                == "wrongVersion: byte 9: expected version 1 of the contract, found version 2")
    }

    @Test func aLaterMinorVersionMayAddFlagsAndBytes() throws {
        let hello = frame(bytes("81 414E4348 0100 0600 81 0100 78 DEAD"))
        #expect(
            try readDevice(hello)
                == .hello(Hello(program: "x", keepsGlobalState: true, major: 1, minor: 6)))
        // The same additions in the current version are errors.
        #expect(
            complaint("0C000000 81 414E4348 0100 0000 81 0100 78")
                == "badValue: byte 13: expected 0 or 1 (flags), found 129")
        #expect(
            complaint("0C000000 81 414E4348 0100 0100 04 0100 78")
                == "badValue: byte 13: expected 0 to 3 (flags), found 4")
        #expect(
            complaint("0F000000 81 414E4348 0100 0000 01 0100 78 DEAD")
                == "trailingBytes: byte 17: expected the end of the frame, found 2 more (DE AD)")
    }
}

extension String {
    /// The same frame with the length that it has.
    fileprivate var replacingLength: String {
        hex(frame(Array(bytes(self).dropFirst(4))))
    }
}
