/// Takes fields off the front of a capture, in either order of bytes, and names the one that is missing.
struct CaptureCursor {
    let bytes: [UInt8]
    /// The place of the next byte, from the beginning of the file.
    private(set) var offset: Int
    /// Where what is read has to end.
    let end: Int
    /// Whether the most significant byte of a number comes first.
    var isBigEndian: Bool

    init(_ bytes: [UInt8], at offset: Int = 0, end: Int? = nil, isBigEndian: Bool) {
        self.bytes = bytes
        self.offset = offset
        self.end = end ?? bytes.count
        self.isBigEndian = isBigEndian
    }

    /// How many bytes are left.
    var remaining: Int { end - offset }

    mutating func number<Number: FixedWidthInteger & UnsignedInteger>(
        _ field: String, as type: Number.Type = UInt32.self
    ) throws(CaptureError) -> Number {
        let taken = try take(Number.bitWidth / 8, as: field)
        let ordered = isBigEndian ? taken : ArraySlice(taken.reversed())
        return ordered.reduce(0) { $0 << 8 | Number($1) }
    }

    mutating func take(_ count: Int, as field: String) throws(CaptureError) -> ArraySlice<UInt8> {
        guard count <= remaining else {
            throw CaptureError(
                at: offset, expected: "\(field) (\(count) bytes, and there are \(remaining))")
        }
        defer { offset += count }
        return bytes[offset..<offset + count]
    }

    /// A cursor over the next bytes alone, which this one has passed.
    mutating func part(_ count: Int, as field: String) throws(CaptureError) -> CaptureCursor {
        let start = offset
        _ = try take(count, as: field)
        return CaptureCursor(bytes, at: start, end: start + count, isBigEndian: isBigEndian)
    }
}
