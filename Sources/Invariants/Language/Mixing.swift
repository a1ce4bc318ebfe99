internal import DeviceLink

// What is looked up for every event is mixed into one number before it is hashed: that costs less than
// half of hashing its parts.
extension UInt64 {
    /// Takes in one more part, as FNV-1a does.
    mutating func mix(_ part: UInt64) { self = (self ^ part) &* 0x100_0000_01B3 }

    /// Takes in a text.
    mutating func mix(_ text: String) {
        _ = text.utf8.withContiguousStorageIfAvailable { mix($0) }
    }

    /// Takes in a value.
    mutating func mix(_ value: Field.Value) {
        switch value {
        case .text(let text): mix(text)
        case .number(let number): mix(UInt64(bitPattern: number))
        case .flag(let flag): mix(UInt64(flag ? 1 : 0))
        case .bytes(let bytes): bytes.withUnsafeBufferPointer { mix($0) }
        case .none: break
        }
    }

    private mutating func mix(_ bytes: UnsafeBufferPointer<UInt8>) {
        for byte in bytes { mix(UInt64(byte)) }
    }
}
