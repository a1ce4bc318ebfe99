package import Basics

/// A piece of a YAML document with its place, aliases resolved and duplicate keys refused.
package struct YAMLNode: Equatable, Sendable {
    /// The three kinds of YAML nodes (YAML 1.2, chapter 3.2.1).
    package enum Content: Equatable, Sendable {
        /// A scalar, and how it was written.
        case text(String, Style)
        case list([YAMLNode])
        /// A mapping, in the file's order.
        case mapping([Entry])
    }

    /// How a scalar is written (YAML 1.2, chapters 7.3 and 8.1).
    package enum Style: Equatable, Sendable {
        case plain, singleQuoted, doubleQuoted, literal, folded
    }

    package struct Entry: Equatable, Sendable {
        package var key: String
        package var keyNode: YAMLNode
        package var value: YAMLNode
    }

    package var content: Content
    /// Where it begins; (0, 0) for what stands in no file yet.
    package var position: SourcePosition
    /// Whether a list or mapping is written in one line, with brackets (YAML's flow style).
    package var isInOneLine: Bool

    package init(
        content: Content, position: SourcePosition = SourcePosition(line: 0, column: 0),
        isInOneLine: Bool = false
    ) {
        self.content = content
        self.position = position
        self.isInOneLine = isInOneLine
    }

    /// How many characters an error message underlines.
    package var length: Int {
        guard case .text(let text, let style) = content else { return 1 }
        return max(1, text.unicodeScalars.count + (style == .plain ? 0 : 2))
    }

    /// What it is, for messages: `a list`.
    package var described: String {
        switch content {
        case .list: "a list"
        case .mapping: "a mapping"
        case .text("", .plain), .text("~", .plain), .text("null", .plain): "nothing"
        case .text(let text, _): "`\(text)`"
        }
    }

    package var isNothing: Bool { described == "nothing" }

    /// The problem that something else was expected here.
    package func problem(
        _ message: String, expected: String = "", suggestion: String? = nil
    ) -> Problem {
        Problem(
            message, at: position, length: length, expected: expected, suggestion: suggestion)
    }
}
