/// A piece of a YAML document with its place, aliases resolved and duplicate keys refused.
struct YAMLNode: Equatable {
    enum Content: Equatable {
        /// A scalar; `isPlain` when it was written without quotes.
        case text(String, isPlain: Bool)
        /// A sequence.
        case list([YAMLNode])
        /// A mapping, in the file's order.
        case mapping([Entry])
    }

    /// A key and its value.
    struct Entry: Equatable {
        var key: String
        var keyNode: YAMLNode
        var value: YAMLNode
    }

    var content: Content
    var position: SourcePosition

    /// How many characters an error message underlines.
    var length: Int {
        guard case .text(let text, let isPlain) = content else { return 1 }
        return max(1, text.unicodeScalars.count + (isPlain ? 0 : 2))
    }

    /// What it is, for messages: `a list`.
    var described: String {
        switch content {
        case .list: "a list"
        case .mapping: "a mapping"
        case .text("", isPlain: true), .text("~", isPlain: true), .text("null", isPlain: true):
            "nothing"
        case .text(let text, _): "`\(text)`"
        }
    }

    /// Whether nothing stands there.
    var isNothing: Bool { described == "nothing" }

    /// The problem that something else was expected here.
    func problem(
        _ message: String, expected: String = "", suggestion: String? = nil
    ) -> Problem {
        Problem(
            message, at: position, length: length, expected: expected, suggestion: suggestion)
    }
}
