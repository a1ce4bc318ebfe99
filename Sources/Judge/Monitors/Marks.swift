import DeviceLink

extension Field.Value {
    /// A number for the value; 0 for `none`.
    ///
    /// It is the same for values of the same octets, and another one for others: that of two values is
    /// the same by accident once in 2⁶⁴ times.
    var mark: UInt64 {
        if case .none = self { return 0 }
        return max(Self.markKey.with(value: self).value, 1)
    }

    static func mark(of text: String) -> UInt64 { max(markKey.with(text).value, 1) }

    private static let markKey = Keyed(0)
}
