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
        throw Refusal(
            "parameter \(pair.name) of an Apple device is '\(pair.value)', but must be one of "
                + words.joined(separator: ", ") + suggestion(for: pair.value, among: words))
    }
    return chosen.1
}

/// The sentence about a name that an Apple device does not know.
func unknown(_ what: String, _ name: String, _ known: [String]) -> String {
    "an Apple device has no \(what) '\(name)'" + suggestion(for: name, among: known)
}

private func suggestion(for name: String, among names: [String]) -> String {
    let nearest = names.map { ($0, editDistance(Array(name.utf8), Array($0.utf8))) }
        .min { $0.1 < $1.1 }
    return nearest.map { "; did you mean '\($0.0)'?" } ?? ""
}

/// How many bytes must be inserted, removed or replaced to get from one text to the other.
private func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var row = Array(0...right.count)
    for (i, byte) in left.enumerated() {
        var diagonal = row[0]
        row[0] = i + 1
        for (j, other) in right.enumerated() {
            let replaced = diagonal + (byte == other ? 0 : 1)
            diagonal = row[j + 1]
            row[j + 1] = min(replaced, row[j] + 1, diagonal + 1)
        }
    }
    return row[right.count]
}
