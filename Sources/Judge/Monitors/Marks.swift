import DeviceLink

extension Field.Value {
    /// A number for the value; 0 for `none`.
    ///
    /// It is the same for values of the same octets, and another one for others: that of two values is
    /// the same by accident once in 2⁶⁴ times.
    var mark: UInt64 {
        switch self {
        case .none: 0
        case .number(let number):
            max((UInt64(bitPattern: number) &+ Self.scatter) &* Self.scatter, 1)
        case .text, .bytes, .flag: max(Self.markKey.with(value: self).value, 1)
        }
    }

    /// Odd, so that no two numbers have the same product.
    private static let scatter: UInt64 = 0x9E37_79B9_7F4A_7C15

    static func mark(of text: String) -> UInt64 { max(markKey.with(text).value, 1) }

    private static let markKey = Keyed(0)
}
