/// What an author says of a breach of his promise, with keys and fields in braces (PROMISES.md).
package struct BreachSentence: Codable, Equatable, Sendable {
    /// As it was written.
    package let text: String

    package init(_ text: String) { self.text = text }

    /// The names in braces.
    package var names: [String] { parts.compactMap(\.name) }

    /// The sentence with the values of its names; a name that has none is left out with the words in its braces.
    package func said(_ value: (String) -> String?) -> String {
        parts.map { words, name in
            guard let name else { return words }
            return value(name).map { words + $0 } ?? ""
        }.joined()
    }

    /// Words, and the name whose value follows them in the same braces, if any.
    ///
    /// A brace that is not closed reaches to the end.
    private var parts: [(words: String, name: String?)] {
        let pieces = text.split(separator: "{", omittingEmptySubsequences: false)
        return pieces.enumerated().flatMap { place, piece -> [(words: String, name: String?)] in
            guard place > 0 else { return [(String(piece), nil)] }
            let inside = piece.prefix { $0 != "}" }
            let name = inside.split(separator: " ").last ?? ""
            return [
                (String(inside.dropLast(name.count)), String(name)),
                (String(piece.dropFirst(inside.count + 1)), nil),
            ]
        }
    }
}
