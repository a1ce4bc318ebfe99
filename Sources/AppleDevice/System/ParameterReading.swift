internal import DeviceKit

// Values of parameters, and the sentences about those that cannot be.

/// The whole number that a pair holds.
func number(_ pair: Pair, _ range: ClosedRange<UInt64>) throws(Refusal) -> UInt64 {
    guard let number = UInt64(pair.value), range.contains(number) else {
        throw Refusal(
            "parameter \(pair.name) of an Apple device is '\(pair.value)', but must be a whole number "
                + "from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
}

/// The flag that a pair holds.
func flag(_ pair: Pair) throws(Refusal) -> Bool {
    try choice(pair, [("true", true), ("false", false)])
}

/// The choice that a pair holds, by its raw value.
func choice<Value: CaseIterable & RawRepresentable<String>>(
    _ pair: Pair, as type: Value.Type = Value.self
) throws(Refusal) -> Value {
    try choice(pair, Value.allCases.map { ($0.rawValue, $0) })
}

/// What the word that a pair holds stands for.
func choice<Value>(_ pair: Pair, _ choices: [(String, Value)]) throws(Refusal) -> Value {
    guard let chosen = choices.first(where: { $0.0 == pair.value }) else {
        let words = choices.map(\.0)
        let nearest = Refusal.nearest(to: pair.value, among: words)
        throw Refusal(
            "parameter \(pair.name) of an Apple device is '\(pair.value)', but must be one of "
                + words.joined(separator: ", ") + (nearest.map { "; did you mean '\($0)'?" } ?? ""))
    }
    return chosen.1
}
