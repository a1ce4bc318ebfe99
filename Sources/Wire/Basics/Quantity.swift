/// What a number with a unit measures; all values are whole numbers of the smallest unit.
///
/// Decimals are exact or refused: no floating point reaches a trace or a decision.
package enum Quantity: String, CaseIterable, Sendable {
    /// A length of virtual time, in nanoseconds.
    case duration
    /// A distance in space, in millimetres.
    case length
    /// An angle, in hundredths of a degree.
    case angle

    /// A unit and how many smallest units it is worth.
    package struct Unit: Equatable, Sendable {
        /// The name as it is written: `ms`.
        package var name: String
        /// Worth in the smallest unit.
        package var scale: Int64
    }

    /// The units, smallest first.
    package var units: [Unit] {
        switch self {
        case .duration:
            [
                Unit(name: "ns", scale: 1), Unit(name: "us", scale: 1_000),
                Unit(name: "ms", scale: 1_000_000), Unit(name: "s", scale: 1_000_000_000),
                Unit(name: "min", scale: 60_000_000_000),
            ]
        case .length:
            [
                Unit(name: "mm", scale: 1), Unit(name: "cm", scale: 10),
                Unit(name: "m", scale: 1_000),
            ]
        case .angle: [Unit(name: "deg", scale: 100)]
        }
    }

    /// The longest time that anybody may write: one week, in nanoseconds.
    package static let longestDuration: UInt64 = 7 * 24 * 3_600 * 1_000_000_000

    /// The quantity in a sentence: `an angle`.
    package var withArticle: String { self == .angle ? "an angle" : "a \(rawValue)" }

    /// The names of the units, for messages: `ns, us, ms, s or min`.
    package var unitNames: String {
        let names = units.map(\.name)
        guard names.count > 1, let last = names.last else { return names.joined() }
        return names.dropLast().joined(separator: ", ") + " or " + last
    }
}

package enum QuantityError: Error, Equatable {
    case notANumber
    /// A number other than 0 stands there without a unit.
    case unitMissing(number: String)
    /// The unit is none of this quantity's.
    case unitUnknown(String, number: String)
    /// It has more decimals than the smallest unit can hold.
    case tooFine
    /// It does not fit into 63 bits.
    case tooLarge
}

extension Quantity {
    /// The value of `text`, for example `1.5 s`; a plain `0` needs no unit.
    package func value(of text: some StringProtocol) throws(QuantityError) -> Int64 {
        guard let decimal = Decimal(prefixOf: text) else { throw .notANumber }
        let name = decimal.rest.drop { $0 == " " }
        guard let unit = units.first(where: { $0.name == name }) else {
            if !name.isEmpty { throw .unitUnknown(String(name), number: decimal.written) }
            if decimal.isZero { return 0 }
            throw .unitMissing(number: decimal.written)
        }
        return try decimal.value(scale: unit.scale)
    }

    /// The shortest exact text of a value: `1.5s`, `720ms`, `-3m`.
    package func text(of value: Int64) -> String {
        guard value != 0 else { return "0" + (units.last { $0.name != "min" }?.name ?? "") }
        let sign = value < 0 ? "-" : ""
        for unit in units.reversed()
        where value.magnitude >= unit.scale.magnitude || unit == units[0] {
            let (whole, part) = value.magnitude.quotientAndRemainder(
                dividingBy: unit.scale.magnitude)
            if part == 0 { return "\(sign)\(whole)\(unit.name)" }
            guard unit.name != "min", let decimals = Self.decimals(part, of: unit) else { continue }
            return "\(sign)\(whole).\(decimals)\(unit.name)"
        }
        preconditionFailure("the smallest unit of \(self) has more than three decimals")
    }

    /// At most three decimals of a unit that say `part` exactly; nil where they cannot.
    private static func decimals(_ part: UInt64, of unit: Unit) -> String? {
        var (rest, digits) = (part, "")
        while rest != 0 {
            guard digits.count < 3 else { return nil }
            let (digit, remainder) = (rest * 10).quotientAndRemainder(
                dividingBy: unit.scale.magnitude)
            digits += String(digit)
            rest = remainder
        }
        return digits
    }
}

/// The number at the beginning of a text, kept as digits so that nothing is rounded.
private struct Decimal {
    var isNegative = false
    var digits = ""
    var decimals = 0
    var rest: Substring
    var written: String

    var isZero: Bool { digits.allSatisfy { $0 == "0" } }

    init?(prefixOf text: some StringProtocol) {
        var rest = Substring(text)
        if rest.first == "-" { isNegative = rest.popFirst() != nil }
        let whole = rest.prefix { $0.isASCIIDigit }
        guard !whole.isEmpty else { return nil }
        rest.removeFirst(whole.count)
        digits = String(whole)
        if rest.first == "." {
            let fraction = rest.dropFirst().prefix { $0.isASCIIDigit }
            guard !fraction.isEmpty else { return nil }
            digits += fraction
            decimals = fraction.count
            rest.removeFirst(fraction.count + 1)
        }
        self.rest = rest
        written = String(text.prefix(text.count - rest.count))
    }

    func value(scale: Int64) throws(QuantityError) -> Int64 {
        var (kept, left) = (digits, decimals)
        while left > 0, kept.last == "0" { (kept, left) = (String(kept.dropLast()), left - 1) }
        var divisor: Int64 = 1
        for _ in 0..<left {
            guard divisor <= scale else { throw .tooFine }
            divisor *= 10
        }
        guard scale % divisor == 0 else { throw .tooFine }
        guard let number = Int64(kept) else { throw .tooLarge }
        let (value, overflow) = number.multipliedReportingOverflow(by: scale / divisor)
        guard !overflow else { throw .tooLarge }
        return isNegative ? -value : value
    }
}

extension Character {
    /// Whether it is one of 0 … 9 (`isNumber` and `isWholeNumber` accept far more).
    package var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}
