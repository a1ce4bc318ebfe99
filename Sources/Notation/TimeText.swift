package import DeviceLink

extension Nanoseconds {
    /// The length in seconds for people, `3.204 s`: three decimals, or six where three would lose some.
    package var seconds: String {
        let microseconds = (self % 1_000_000_000) / 1_000
        let digits = microseconds.isMultiple(of: 1_000) ? 3 : 6
        let fraction = String(digits == 3 ? microseconds / 1_000 : microseconds)
        let zeros = String(repeating: "0", count: digits - fraction.count)
        return "\(self / 1_000_000_000).\(zeros)\(fraction) s"
    }
}

extension VirtualTime {
    /// The moment in seconds for people, `3.204 s`.
    package var seconds: String { nanoseconds.seconds }
}
