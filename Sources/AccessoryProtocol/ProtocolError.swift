/// Why bytes are not what the accessory protocol says they should be.
package enum ProtocolError: Error, Equatable, Sendable, CustomStringConvertible {
    /// There is not even a message id.
    case empty
    /// No message has this id.
    case unknownMessage(id: UInt8)
    /// The bytes end where `field` should be, `offset` bytes from the beginning of the `kind`.
    case truncated(kind: String, offset: Int, field: String)
    /// The `kind` is complete, but bytes follow from `offset` on.
    case overlong(kind: String, offset: Int)
    /// A field has a value that the specification does not allow.
    case invalid(kind: String, offset: Int, expected: String)

    /// One clause with kind, offset and what was expected: `UWBConfigData: ends at byte 4, expected
    /// chipset model id`.
    package var description: String {
        switch self {
        case .empty: "a message of no bytes: expected a message id at byte 0"
        case .unknownMessage(let id): "no message has the id 0x\(hexadecimal(id)) (byte 0)"
        case .truncated(let kind, let offset, let field):
            "\(kind): ends at byte \(offset), expected \(field)"
        case .overlong(let kind, let offset): "\(kind): expected the end at byte \(offset)"
        case .invalid(let kind, let offset, let expected):
            "\(kind): expected \(expected) at byte \(offset)"
        }
    }
}

/// A byte as two hexadecimal digits.
func hexadecimal(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
}

/// Takes fields off the front of some bytes; all numbers are little endian (R4 2.4.1).
struct FieldReader {
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

    /// Nothing may be left.
    func end() throws(ProtocolError) {
        if offset < bytes.count { throw .overlong(kind: kind, offset: offset) }
    }

    /// A complaint about the field of `size` bytes that was just taken.
    func invalid(size: Int, _ expected: String) -> ProtocolError {
        .invalid(kind: kind, offset: offset - size, expected: expected)
    }
}

extension [UInt8] {
    mutating func append(littleEndian number: some FixedWidthInteger & UnsignedInteger) {
        var rest = number
        for _ in 0..<(number.bitWidth / 8) {
            append(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
    }
}
