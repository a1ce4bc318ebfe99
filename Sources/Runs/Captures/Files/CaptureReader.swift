/// Reads the packets of a format.
protocol CaptureReader: Sendable {
    /// The hosts that have had packets so far.
    var hosts: [CapturedHost] { get }
    /// What a sniffer has not heard.
    var gaps: CaptureGaps { get }
    /// Whether what was read last has led to more packets than one.
    var hasMore: Bool { get }

    /// The next packet, and the number of what has been read with it; nil for what has no packet of LE.
    mutating func next(
        _ cursor: inout CaptureCursor, number: inout Int
    ) throws(CaptureError) -> CapturedPacket?
}

extension CaptureReader {
    var gaps: CaptureGaps { CaptureGaps() }
    var hasMore: Bool { false }
}
