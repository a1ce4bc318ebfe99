import DeviceLink
import TestSupport
import Testing

@Suite struct FrameReaderTests {
    @Test func aFrameThatComesByteByByteIsReadWhenItIsWhole() throws {
        var reader = FrameReader()
        var read: [DeviceFrame] = []
        var offsets: [UInt64] = []
        for byte in bytes("01000000 82 05000000 84 08000000 01000000 82") {
            reader.append(CollectionOfOne(byte))
            while let frame = try reader.nextDeviceFrame() {
                read.append(frame)
                offsets.append(reader.offset)
            }
        }
        #expect(read == [.ready, .answers(turn: 8, []), .ready])
        #expect(offsets == [5, 14, 19])
        try reader.finish()
    }

    @Test func framesThatComeTogetherAreReadOneByOne() throws {
        var reader = FrameReader()
        bytes("01000000 82 01000000 82 0100").withUnsafeBytes { reader.append($0) }
        #expect(try reader.nextDeviceFrame() == .ready)
        #expect(try reader.nextDeviceFrame() == .ready)
        #expect(try reader.nextDeviceFrame() == nil)
        #expect(throws: LinkError.self) { try reader.finish() }
    }

    @Test func offsetsStayRightOverMuchMoreThanIsKept() throws {
        var reader = FrameReader()
        let frame = [0xE8, 0x03, 0x04, 0x00] + [UInt8](repeating: 0xAA, count: 1_000)
        let acl = Answer.bluetooth(.acl(handle: 1, frame))
        var stream: [UInt8] = []
        for turn in 0..<100 {
            try DeviceFrame.answers(turn: UInt32(turn), [acl]).encode(into: &stream)
        }
        var turns = 0
        var rest = stream[...]
        while !rest.isEmpty {
            reader.append(rest.prefix(777))
            rest = rest.dropFirst(777)
            while case .answers(let turn, let answers)? = try reader.nextDeviceFrame() {
                #expect(turn == turns && answers == [acl])
                turns += 1
            }
        }
        #expect(turns == 100 && reader.offset == UInt64(stream.count))
        reader.append([1, 0, 0, 0, 0x99])
        let error = #expect(throws: LinkError.self) { try reader.nextDeviceFrame() }
        #expect(error?.offset == UInt64(stream.count) + 4)
    }

    @Test func theLargestFrameIsReadAndALargerOneIsNeitherWrittenNorRead() throws {
        let block = [UInt8](repeating: 1, count: 0xFFFF)
        func store(_ last: Int) -> DeviceFrame {
            // 15 answers of 5 + 3 + 1 + 2 + 65535 bytes, and one that fills the frame.
            let full = (0..<15).map { _ in Answer.store(key: "k", value: block) }
            return .answers(
                turn: 1, full + [.store(key: "k", value: [UInt8](repeating: 2, count: last))])
        }
        let room = LinkLimits.frame - 5 - 15 * (11 + 0xFFFF) - 11
        var out: [UInt8] = [0xEE]
        try store(room).encode(into: &out)
        #expect(out.count == 1 + 4 + LinkLimits.frame)
        #expect(try readDevice(Array(out.dropFirst())) == store(room))

        out = [0xEE]
        let error = #expect(throws: LinkError.self) { try store(room + 1).encode(into: &out) }
        #expect(
            error?.description
                == "byte 0: expected a frame of at most 1048576 bytes, found 1048577")
        #expect(out == [0xEE], "nothing remains of a frame that was not written")
    }

    @Test func whatDoesNotFitIntoItsLengthIsNotWritten() {
        let long = String(repeating: "x", count: 0x1_0000)
        var out: [UInt8] = []
        let error = #expect(throws: LinkError.self) {
            try DeviceFrame.refused(long).encode(into: &out)
        }
        #expect(error?.description == "byte 5: expected at most 65535 bytes of text, found 65536")
        for answer: Answer in [
            .store(key: long, value: nil), .observe(kind: "x", fields: [Field("y", .text(long))]),
            .bluetooth(.acl(handle: 1, Array(long.utf8))),
            .bluetooth(.encrypt(handle: 1, key: [1, 2, 3])),
            .bluetooth(
                .advertise(interval: 32, data: Array(long.utf8.prefix(32)), scanResponse: [])),
        ] {
            #expect(throws: LinkError.self) {
                try DeviceFrame.answers(turn: 1, [answer]).encode(into: &out)
            }
        }
        #expect(out.isEmpty)
    }
}
