import Basics

/// The parameters of a reset, asked for by name.
///
/// A device says which it knows; any other is refused with a sentence that names the nearest known
/// one.
public struct Parameters {
    private let pairs: [Pair]

    /// The parameters of a reset.
    ///
    /// - Throws: `Refusal` where a name is unknown or given twice.
    public init(_ reset: Reset, known: [String]) throws(Refusal) {
        pairs = reset.parameters
        for (index, pair) in pairs.enumerated() {
            guard known.contains(pair.name) else {
                throw .unknown("parameter", named: pair.name, known: known)
            }
            guard !pairs[..<index].contains(where: { $0.name == pair.name }) else {
                throw Refusal("the parameter \"\(pair.name)\" is given twice")
            }
        }
    }

    /// The value as it was given; nil where it was not.
    public subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }

    /// A whole number, for example of nanoseconds or millimetres.
    ///
    /// - Throws: `Refusal` where the text is no number, or one that `Number` cannot hold.
    public func number<Number: FixedWidthInteger>(
        _ name: String, default value: Number
    ) throws(Refusal) -> Number {
        guard let text = self[name] else { return value }
        guard let number = Number(text) else {
            throw Refusal(
                "the parameter \"\(name)\" is \"\(text)\", but a whole number from \(Number.min) to "
                    + "\(Number.max) was expected")
        }
        return number
    }

    /// The truth value of a parameter: `true` or `false`.
    ///
    /// - Throws: `Refusal` for any other text.
    public func flag(_ name: String, default value: Bool) throws(Refusal) -> Bool {
        guard let text = self[name] else { return value }
        guard let flag = Bool(text) else {
            throw Refusal(
                "the parameter \"\(name)\" is \"\(text)\", but true or false was expected")
        }
        return flag
    }
}

extension Refusal {
    /// There is no such thing: "there is no defect "x"; did you mean y?".
    ///
    /// Where nothing is near, all that are known are listed.
    public static func unknown(_ kind: String, named name: String, known: [String]) -> Refusal {
        let start = "there is no \(kind) \"\(name)\""
        guard !known.isEmpty else { return Refusal("\(start): this device has none") }
        let hint = Suggestion.question(about: name, among: known)
        return Refusal(
            start + (hint.isEmpty ? "; known are: \(known.joined(separator: ", "))" : hint))
    }
}
