extension BinaryInteger {
    /// A number with what it counts: `1 run`, `2 runs`; the plural has an s unless it is given.
    package func counted(_ noun: String, plural: String? = nil) -> String {
        "\(self) " + (self == 1 ? noun : plural ?? noun + "s")
    }
}

extension Int {
    /// How often something happened: `once`, `2 times`.
    package var times: String { self == 1 ? "once" : "\(self) times" }

    /// What is said of so many items that a list does not show: `and 3 more`; nil for none.
    package var more: String? { self > 0 ? "and \(self) more" : nil }
}

extension [String] {
    /// The first `most`; if there are others, `rest` makes the last line of `and 3 more`.
    package func capped(at most: Int, rest: (_ more: String) -> String) -> [String] {
        prefix(most) + [(count - most).more.map(rest)].compactMap(\.self)
    }
}

extension Sequence where Element: Equatable {
    /// Each element once, where it stands first; meant for a few, because it compares all with all.
    package var uniqued: [Element] {
        reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}
