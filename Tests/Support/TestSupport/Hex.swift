/// The bytes of hexadecimal pairs, with or without white space between them.
package func bytes(_ hex: some StringProtocol) -> [UInt8] {
    guard let bytes = bytesIfHex(hex) else { preconditionFailure("these are no pairs: \(hex)") }
    return bytes
}

/// The same; nil where it is none.
package func bytesIfHex(_ hex: some StringProtocol) -> [UInt8]? {
    let digits = hex.utf8.filter { ![0x20, 0x0A].contains($0) }
    guard digits.count.isMultiple(of: 2) else { return nil }
    return stride(from: 0, to: digits.count, by: 2).reduce(into: [UInt8]?([])) { bytes, index in
        let pair = String(decoding: digits[index..<(index + 2)], as: UTF8.self)
        guard let byte = UInt8(pair, radix: 16) else { return bytes = nil }
        bytes?.append(byte)
    }
}
