package import DeviceLink

extension Nanoseconds {
    /// The length in seconds for people, `3.204 s`: three decimals, or six where three would lose some.
    package var seconds: String {
        let digits = (self / 1_000).isMultiple(of: 1_000) ? 3 : 6
        return "\(seconds(digits: digits)) s"
    }

    /// The same without its unit and with as many decimals, three or six, as all others of a column have.
    package func seconds(digits: Int) -> String {
        let microseconds = (self % 1_000_000_000) / 1_000
        let fraction = String(digits == 3 ? microseconds / 1_000 : microseconds)
        let zeros = String(repeating: "0", count: digits - fraction.count)
        return "\(self / 1_000_000_000).\(zeros)\(fraction)"
    }
}

extension VirtualTime {
    /// The moment in seconds for people, `3.204 s`.
    package var seconds: String { nanoseconds.seconds }
}
