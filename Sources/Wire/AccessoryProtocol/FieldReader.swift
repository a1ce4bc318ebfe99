/// Takes fields off the front of some bytes; all numbers are little endian (R4 2.4.1).
package struct FieldReader {
    let kind: String
    private let bytes: [UInt8]
    private(set) var offset = 0

    init(_ bytes: [UInt8], kind: String) {
        self.bytes = bytes
        self.kind = kind
    }

    mutating func number<Number: FixedWidthInteger & UnsignedInteger>(
        _ field: String, as type: Number.Type = Number.self
    ) throws(ProtocolError) -> Number {
        let size = Number.bitWidth / 8
        try need(size, for: field)
        defer { offset += size }
        return (1...size).reduce(0) { $0 << 8 | Number(bytes[offset + size - $1]) }
    }

    mutating func take(
        _ count: Int, as field: @autoclosure () -> String
    ) throws(ProtocolError) -> [UInt8] {
        try need(count, for: field())
        defer { offset += count }
        return Array(bytes[offset..<offset + count])
    }

    private func need(
        _ count: Int, for field: @autoclosure () -> String
    ) throws(ProtocolError) {
        guard bytes.count - offset >= count else {
            throw .truncated(kind: kind, offset: bytes.count, field: field())
        }
    }

    /// So many bytes more belong to it by its own account.
    func expect(_ count: Int) throws(ProtocolError) {
        guard bytes.count - offset >= count else {
            throw .short(kind: kind, count: bytes.count, of: offset + count)
        }
    }

    /// Nothing may be left.
    func end() throws(ProtocolError) {
        if offset < bytes.count { throw .overlong(kind: kind, offset: offset) }
    }

    /// A complaint about the field of `size` bytes that was just taken.
    func invalid(size: Int, _ expected: String) -> ProtocolError {
        .invalid(kind: kind, offset: offset - size, expected: expected)
    }
}
