/// A capture of HCI in one of the formats that phones, sniffers and their tools write.
///
/// Its packets are read one by one; all that is foreign is checked here: what is not as its format says is an
/// error that says where, and what should have been there.
package struct CaptureFile: Sendable {
    package enum Format: String, CaseIterable, Sendable {
        case btsnoop
        case packetLogger = "PacketLogger"
        case pcapng
    }

    package let format: Format
    /// How many packets, or records without one, have been read.
    package private(set) var count = 0
    private var reader: any CaptureReader
    private var cursor: CaptureCursor

    /// The first so many bytes tell the format.
    package static let headLength = 16

    /// The format of a file that begins with these bytes; nil where it is none of a capture.
    package static func format(of head: [UInt8]) -> Format? {
        if head.starts(with: BtsnoopReader.magic) { return .btsnoop }
        // The type of a section header is the same in both orders of bytes.
        if head.starts(with: [0x0A, 0x0D, 0x0D, 0x0A]) { return .pcapng }
        return PacketLoggerReader.recognises(head) ? .packetLogger : nil
    }

    /// The beginning of a capture.
    ///
    /// - Throws: `CaptureError` where it is none.
    package init(_ bytes: [UInt8]) throws(CaptureError) {
        guard let format = Self.format(of: Array(bytes.prefix(Self.headLength))) else {
            throw CaptureError(at: 0, expected: "a capture: btsnoop, PacketLogger or pcapng")
        }
        self.format = format
        cursor = CaptureCursor(bytes, isBigEndian: true)
        switch format {
        case .btsnoop: reader = try BtsnoopReader(&cursor)
        case .packetLogger: reader = PacketLoggerReader(bytes)
        case .pcapng: reader = PcapngReader()
        }
    }

    package var hosts: [CapturedHost] { reader.hosts }

    /// What a sniffer's capture lacks.
    package var gaps: CaptureGaps { reader.gaps }

    /// The next packet of HCI; nil at the end, and where the rest cannot be read.
    package mutating func next() throws(CaptureError) -> CapturedPacket? {
        while cursor.remaining > 0 || reader.hasMore {
            if let packet = try reader.next(&cursor, number: &count) { return packet }
            if gaps.encrypted > 0 { return nil }
        }
        return nil
    }
}
