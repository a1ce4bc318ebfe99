internal import DeviceLink

extension Field.Value {
    /// A number for the value; 0 for `none`.
    ///
    /// It is the same for values of the same octets, and another one for others: that of two texts is the
    /// same by accident once in 2⁶⁴ times.
    var mark: UInt64 {
        switch self {
        case .text(let text): Self.mark(of: text)
        case .number(let number): Self.mark(0x9E37_79B9_7F4A_7C15, UInt64(bitPattern: number))
        case .flag(let flag): Self.mark(0xBF58_476D_1CE4_E5B9, flag ? 1 : 0)
        case .bytes(let bytes):
            bytes.withUnsafeBufferPointer { Self.mark(0x94D0_49BB_1331_11EB, $0) }
        case .none: 0
        }
    }

    /// The mark of a text: each kind of value begins with a number of its own, so that no text is a number.
    static func mark(of text: String) -> UInt64 {
        let seed: UInt64 = 0xCBF2_9CE4_8422_2325
        let known = text.utf8.withContiguousStorageIfAvailable { mark(seed, $0) }
        return known ?? Array(text.utf8).withUnsafeBufferPointer { mark(seed, $0) }
    }

    /// Takes in one more part; never 0.
    private static func mark(_ mark: UInt64, _ part: UInt64) -> UInt64 {
        let product = (mark ^ part).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return max(product.high ^ product.low, 1)
    }

    /// Eight bytes at a time, and how many there are.
    private static func mark(_ seed: UInt64, _ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        let bytes = UnsafeRawBufferPointer(bytes)
        var mark = mark(seed, UInt64(bytes.count))
        var place = 0
        while place + 8 <= bytes.count {
            mark = Self.mark(mark, bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            place += 8
        }
        var rest: UInt64 = 0
        while place < bytes.count {
            rest = rest << 8 | UInt64(bytes[place])
            place += 1
        }
        return Self.mark(mark, rest)
    }
}
