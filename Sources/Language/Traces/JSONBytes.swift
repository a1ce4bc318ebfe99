import Basics

/// JSON text as bytes, written piece by piece.
///
/// Written by hand because Foundation's encoder costs some thirty times as much a line, and because
/// keys keep the order in which they are written.
package struct JSONBytes: Sendable {
    package var bytes: [UInt8]

    /// Nothing yet; there is room for `capacity` bytes.
    package init(capacity: Int = 0) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    /// Adds text that needs no quoting: punctuation, keys.
    @inline(__always)
    package mutating func raw(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    /// Adds a quoted string.
    ///
    /// Quotation marks, backslashes and control characters are escaped; all
    /// else stands as it is, in UTF-8 (RFC 8259 section 7).
    package mutating func string(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        let isDone: Void? = text.utf8.withContiguousStorageIfAvailable { utf8 in
            if utf8.contains(where: Self.needsEscape) {
                for byte in utf8 { escaped(byte) }
            } else {
                bytes.append(contentsOf: utf8)
            }
        }
        if isDone == nil {
            for byte in text.utf8 { escaped(byte) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    package mutating func number(_ number: Int64) {
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        self.number(number.magnitude)
    }

    package mutating func number(_ number: UInt64) {
        guard number >= 10 else {
            bytes.append(UInt8(ascii: "0") + UInt8(number))
            return
        }
        var rest = number
        let start = bytes.count
        while rest > 0 {
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            bytes.append(UInt8(ascii: "0") + UInt8(digit))
            rest = quotient
        }
        bytes[start...].reverse()
    }

    /// Adds bytes as a quoted string of hexadecimal digits.
    package mutating func hexadecimal(_ octets: [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for octet in octets {
            bytes.append(Self.digit(octet >> 4))
            bytes.append(Self.digit(octet & 0x0F))
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func escaped(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): raw("\\\"")
        case UInt8(ascii: "\\"): raw("\\\\")
        case 0x0A: raw("\\n")
        case 0x09: raw("\\t")
        case 0x0D: raw("\\r")
        case 0..<0x20:
            raw("\\u00")
            bytes.append(Self.digit(byte >> 4))
            bytes.append(Self.digit(byte & 0x0F))
        default: bytes.append(byte)
        }
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private static func digit(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
    }
}
