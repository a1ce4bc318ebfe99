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
        let isMixed: Void? = text.utf8.withContiguousStorageIfAvailable {
            mix(UnsafeRawBufferPointer($0))
        }
        if isMixed == nil { mix(Array(text.utf8)) }
    }

    /// Eight bytes at a time, the least significant first, the last ones filled up with zeros.
    private mutating func mix(_ bytes: UnsafeRawBufferPointer) {
        mix(UInt64(bytes.count))
        var next = 0
        while next + 8 <= bytes.count {
            mix(Self.word(of: bytes, at: next))
            next += 8
        }
        guard next < bytes.count else { return }
        let rest = 8 * (bytes.count - next)
        // Where there are eight, the last ones are loaded at once.
        guard next == 0 else {
            return mix(Self.word(of: bytes, at: bytes.count - 8) >> UInt64(64 - rest))
        }
        mix(Self.word(ofFew: bytes))
    }

    /// Bytes of which there are one to seven; loaded twice where that makes it a whole load.
    private static func word(ofFew bytes: UnsafeRawBufferPointer) -> UInt64 {
        let count = bytes.count
        guard count >= 4 else {
            let middle = count / 2
            return UInt64(bytes[0]) | UInt64(bytes[middle]) << UInt64(8 * middle)
                | UInt64(bytes[count - 1]) << UInt64(8 * (count - 1))
        }
        let first = UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self))
        let last = UInt32(
            littleEndian: bytes.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self))
        return UInt64(first) | UInt64(last) << UInt64(8 * (count - 4))
    }

    private static func word(of bytes: UnsafeRawBufferPointer, at place: Int) -> UInt64 {
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
    }

    /// Sixteen hexadecimal digits.
    package var text: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension Digest {
    /// Mixes in the fields of a trace event.
    mutating func mix(_ fields: [Field]) {
        let fields = fields.span
        for place in fields.indices { mix(fields[place]) }
    }

    private mutating func mix(_ field: borrowing Field) {
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
