extension String {
    /// A number in upper-case hexadecimal digits, with zeros before them where there are less than `digits`.
    package init(hexadecimal number: some BinaryInteger, digits: Int) {
        let text = String(number, radix: 16, uppercase: true)
        self = String(repeating: "0", count: Swift.max(0, digits - text.count)) + text
    }

    /// Bytes as pairs of lower-case hexadecimal digits, as patterns and tokens are written: `0a0b`.
    package init(hexadecimalPairs bytes: some Collection<UInt8>) {
        self = bytes.map { String(hexadecimal: $0, digits: 2).lowercased() }.joined()
    }
}

/// Bytes as pairs of hexadecimal digits, for messages.
package func hexadecimal(_ bytes: some Collection<UInt8>) -> String {
    bytes.map { String(hexadecimal: $0, digits: 2) }.joined(separator: " ")
}

/// One byte as it is written in DEVICE-LINK.md, for messages.
package func hexadecimal(_ byte: UInt8) -> String { "0x" + String(hexadecimal: byte, digits: 2) }
