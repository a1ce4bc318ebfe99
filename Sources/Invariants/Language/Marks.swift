internal import DeviceLink

extension Field.Value {
    /// A number for the value, never 0.
    ///
    /// It is the same for equal values, and another one for others: that of two texts is the same by
    /// accident once in 2⁶⁴ times.
    var mark: UInt64 {
        // Each kind of value begins with a number of its own, so that no text is a number.
        let mark: UInt64 =
            switch self {
            case .text(let text): Self.mark(0xCBF2_9CE4_8422_2325, text)
            case .number(let number):
                Self.mark(0x9E37_79B9_7F4A_7C15, UInt64(bitPattern: number))
            case .flag(let flag): Self.mark(0xBF58_476D_1CE4_E5B9, flag ? 1 : 0)
            case .bytes(let bytes):
                bytes.withUnsafeBufferPointer { Self.mark(0x94D0_49BB_1331_11EB, $0) }
            case .none: 0
            }
        return max(mark, 1)
    }

    /// Takes in one more part, as FNV-1a does.
    private static func mark(_ mark: UInt64, _ part: UInt64) -> UInt64 {
        (mark ^ part) &* 0x100_0000_01B3
    }

    private static func mark(_ mark: UInt64, _ text: String) -> UInt64 {
        var text = text
        return text.withUTF8 { Self.mark(mark, $0) }
    }

    private static func mark(_ mark: UInt64, _ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        bytes.reduce(mark) { Self.mark($0, UInt64($1)) }
    }
}
