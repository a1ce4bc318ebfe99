internal import DeviceLink

/// The running digest of a run: equal digests mean equal runs, step by step.
package struct Digest: Equatable, Sendable {
    /// The digest so far.
    package private(set) var value: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// The digest of nothing.
    package init() {}

    /// Mixes in a number.
    package mutating func mix(_ number: UInt64) {
        let product = (value ^ number).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
        value = (product.high ^ product.low) &+ 0x9E37_79B9_7F4A_7C15 &+ (number << 1)
    }

    /// Mixes in bytes and their number.
    package mutating func mix(_ bytes: [UInt8]) { bytes.withUnsafeBytes { mix($0) } }

    /// Mixes in text.
    package mutating func mix(_ text: String) {
        var text = text
        text.withUTF8 { mix(UnsafeRawBufferPointer($0)) }
    }

    /// Eight bytes at a time, the least significant first, the last ones filled up with zeros.
    private mutating func mix(_ bytes: UnsafeRawBufferPointer) {
        mix(UInt64(bytes.count))
        var next = 0
        while next + 8 <= bytes.count {
            mix(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: next, as: UInt64.self)))
            next += 8
        }
        guard next < bytes.count else { return }
        var word: UInt64 = 0
        for index in next..<bytes.count { word |= UInt64(bytes[index]) << (8 * (index - next)) }
        mix(word)
    }

    /// Sixteen hexadecimal digits.
    package var text: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension Digest {
    /// Mixes in a field of a trace event or an observation.
    mutating func mix(_ field: Field) {
        mix(field.name)
        switch field.value {
        case .text(let text): mix(text)
        case .number(let number): mix(UInt64(bitPattern: number))
        case .flag(let flag): mix(flag ? 1 : 2)
        case .bytes(let bytes): mix(bytes)
        case .none: mix(3)
        }
    }
}
