/// A probability as an exact ratio, 0 … 1.
package struct Ratio: Codable, Equatable, Hashable, Sendable {
    /// How many: 0 … `denominator`.
    package var numerator: UInt64
    /// Of how many; never 0.
    package var denominator: UInt64

    package init(_ numerator: UInt64, _ denominator: UInt64) {
        self.numerator = numerator
        self.denominator = denominator
    }

    package static let zero = Ratio(0, 1)

    /// Whether it is all.
    package var isCertain: Bool { numerator == denominator }
}

extension Ratio {
    /// The ratio that `1/20`, `5%`, `0` or `1` says; nil for anything else or above 1.
    package init?(written text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        let digits =
            text.last == "%" ? [text.dropLast(), "100"] : parts.count == 1 ? parts + ["1"] : parts
        guard digits.count == 2,
            digits.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isASCIIDigit) }),
            let numerator = UInt64(digits[0]), let denominator = UInt64(digits[1]),
            denominator > 0, numerator <= denominator
        else { return nil }
        self.init(numerator, denominator)
    }
}
