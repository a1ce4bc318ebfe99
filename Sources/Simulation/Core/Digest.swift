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
    package mutating func mix(_ bytes: [UInt8]) {
        mix(UInt64(bytes.count))
        var word: UInt64 = 0
        var filled: UInt64 = 0
        for byte in bytes {
            word |= UInt64(byte) << (8 * filled)
            filled += 1
            if filled == 8 {
                mix(word)
                word = 0
                filled = 0
            }
        }
        if filled > 0 { mix(word) }
    }

    /// Mixes in text.
    package mutating func mix(_ text: String) {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        mix(hash)
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
