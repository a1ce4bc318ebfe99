extension Nanoseconds {
    /// The length in seconds for people, `3.204 s`: three decimals, or six where three would lose some.
    package var seconds: String {
        seconds(decimals: (self / 1_000).isMultiple(of: 1_000) ? 3 : 6) + " s"
    }

    /// The length in seconds with exactly so many decimals, 0 to 9; what is beyond them is cut off.
    package func seconds(decimals: Int) -> String {
        let (whole, fraction) = quotientAndRemainder(dividingBy: 1_000_000_000)
        let nine = String(fraction)
        let digits = String(repeating: "0", count: 9 - nine.count) + nine
        return "\(whole)" + (decimals == 0 ? "" : "." + digits.prefix(decimals))
    }
}

extension String {
    /// A number with a point, without the zeros behind it: `812.4`, and `812` for `812.000`.
    package var withoutIdleZeros: String {
        let kept = prefix(count - reversed().prefix { $0 == "0" }.count)
        return String(kept.last == "." ? kept.dropLast() : kept)
    }
}

extension VirtualTime {
    /// The moment in seconds for people, `3.204 s`.
    package var seconds: String { nanoseconds.seconds }
}
