/// Bytes that do not have the form that their kind prescribes.
package struct MalformedBytes: Error, Equatable, Sendable, CustomStringConvertible {
    /// What the bytes should have been, for example `read-request`.
    package var kind: String
    /// Where they went wrong, counted from the first byte of that kind.
    package var offset: Int
    /// What should have been there.
    package var expected: String

    /// A complaint about bytes.
    package init(_ kind: String, offset: Int, expected: String) {
        self.kind = kind
        self.offset = offset
        self.expected = expected
    }

    /// One sentence, for example `read-request: expected handle (2 bytes) at byte 1`.
    package var description: String { "\(kind): expected \(expected) at byte \(offset)" }
}

/// Takes little-endian fields off the front of some bytes and names the one that is missing.
package struct ByteReader {
    let kind: String
    private let bytes: ArraySlice<UInt8>
    private var position: Int

    package init(_ bytes: ArraySlice<UInt8>, kind: String) {
        self.bytes = bytes
        self.kind = kind
        position = bytes.startIndex
    }

    /// How many bytes have been taken.
    package var offset: Int { position - bytes.startIndex }

    package var remaining: Int { bytes.endIndex - position }

    package mutating func uint8(_ field: String) throws(MalformedBytes) -> UInt8 {
        try need(1, for: field)
        defer { position += 1 }
        return bytes[position]
    }

    package mutating func uint16(_ field: String) throws(MalformedBytes) -> UInt16 {
        try need(2, for: field)
        defer { position += 2 }
        return UInt16(bytes[position]) | UInt16(bytes[position + 1]) << 8
    }

    package mutating func take(_ count: Int, as field: String) throws(MalformedBytes) -> [UInt8] {
        try need(count, for: field)
        defer { position += count }
        return Array(bytes[position..<position + count])
    }

    /// All that is left; possibly nothing.
    package mutating func rest() -> [UInt8] {
        defer { position = bytes.endIndex }
        return Array(bytes[position...])
    }

    /// Nothing may be left.
    func end() throws(MalformedBytes) {
        if remaining > 0 { throw malformed("the end") }
    }

    /// A complaint about the byte that would be taken next.
    func malformed(_ expected: String) -> MalformedBytes {
        MalformedBytes(kind, offset: offset, expected: expected)
    }

    private func need(_ count: Int, for field: String) throws(MalformedBytes) {
        guard remaining >= count else {
            throw malformed("\(field) (\(count) byte\(count == 1 ? "" : "s"))")
        }
    }
}

extension FixedWidthInteger where Self: UnsignedInteger {
    /// A number out of bytes, of which the first is the least significant one.
    @inlinable
    package init(littleEndian bytes: some BidirectionalCollection<UInt8>) {
        self = bytes.reversed().reduce(0) { $0 << 8 | Self($1) }
    }
}

// Inlined, because what is generic is not specialised across modules otherwise.
extension [UInt8] {
    /// The bytes of a number, least significant byte first.
    @inlinable
    package init(littleEndian number: some FixedWidthInteger & UnsignedInteger) {
        self.init()
        append(littleEndian: number)
    }

    /// Appends a number of two bytes, least significant byte first.
    @inlinable
    package mutating func append(littleEndian number: UInt16) {
        append(UInt8(truncatingIfNeeded: number))
        append(UInt8(truncatingIfNeeded: number >> 8))
    }

    /// Appends a number, least significant byte first.
    @inlinable
    package mutating func append(littleEndian number: some FixedWidthInteger & UnsignedInteger) {
        var rest = number
        for _ in 0..<(number.bitWidth / 8) {
            append(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
    }

    /// Appends a number, most significant byte first.
    mutating func append(bigEndian number: some FixedWidthInteger & UnsignedInteger) {
        append(littleEndian: number.byteSwapped)
    }
}
