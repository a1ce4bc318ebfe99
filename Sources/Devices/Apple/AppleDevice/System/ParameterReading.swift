import Basics
import DeviceKit

// Values of parameters, and the sentences about those that cannot be.
extension Pair {
    /// The whole number that the value is.
    func number(in range: ClosedRange<UInt64>) throws(Refusal) -> UInt64 {
        guard let number = UInt64(value), range.contains(number) else {
            throw Refusal(
                "parameter \(name) of an Apple device is '\(value)', but must be a whole number "
                    + "from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// The truth value that the value is: `true` or `false`.
    func flag() throws(Refusal) -> Bool { try choice(of: [("true", true), ("false", false)]) }

    /// The case whose raw value the value is.
    func choice<Choice: CaseIterable & RawRepresentable<String>>() throws(Refusal) -> Choice {
        try choice(of: Choice.allCases.map { ($0.rawValue, $0) })
    }

    /// What the word stands for that the value is.
    func choice<Choice>(of choices: [(String, Choice)]) throws(Refusal) -> Choice {
        guard let chosen = choices.first(where: { $0.0 == value }) else {
            let words = choices.map(\.0)
            throw Refusal(
                "parameter \(name) of an Apple device is '\(value)', but must be one of "
                    + words.joined(separator: ", ")
                    + Suggestion.question(about: value, among: words))
        }
        return chosen.1
    }
}
