import Basics
import Yams

enum YAMLFailure: Error {
    /// A key stands twice; Yams names the first place only.
    case duplicate(SourcePosition, name: String)
    case problem(Problem)

    static func mistake(
        _ message: String, at position: SourcePosition?, length: Int = 1, expected: String = ""
    ) -> YAMLFailure {
        .problem(Problem(message, at: position, length: length, expected: expected))
    }

    /// Too many levels at `position`.
    static func tooDeep(at position: SourcePosition) -> YAMLFailure {
        .mistake(
            "lists and mappings are nested too deeply here", at: position,
            expected: "at most \(YAMLLimits.depth) levels")
    }

    /// Too much, most likely by aliases of aliases.
    static func tooLarge(at position: SourcePosition) -> YAMLFailure {
        .mistake(
            "with its aliases resolved this is too large", at: position,
            expected: "at most \(YAMLLimits.nodes) values in a file")
    }

    static func noAnchor(_ name: String, at position: SourcePosition) -> YAMLFailure {
        .mistake(
            "`*\(name)` refers to no anchor above", at: position, length: name.count + 1,
            expected:
                "`&\(name)` before a value above, or quotes around a text that begins with *")
    }

    init(_ error: YamlError) {
        switch error {
        case .duplicatedKeysInMapping(let names, let context):
            self = .duplicate(SourcePosition(context.mark), name: names.first ?? "")
        case .scanner(let context, let problem, let mark, let text),
            .parser(let context, let problem, let mark, let text):
            self = Self.syntax(problem, in: context, at: mark, isAtEnd: Self.isEnd(mark, of: text))
        case .composer(_, _, let mark, _):
            self = .mistake(
                "a second YAML document begins here", at: SourcePosition(mark), length: 3,
                expected: "one topology in a file")
        default:
            self = .mistake("the YAML parser failed: \(error)", at: nil)
        }
    }

    private static func syntax(
        _ problem: String, in context: YamlError.Context?, at mark: Mark, isAtEnd: Bool
    ) -> YAMLFailure {
        let begin = context.flatMap { $0.mark.line > 0 ? $0.mark : nil }
        let position = SourcePosition(isAtEnd ? begin ?? mark : mark)
        if problem.hasPrefix("Maximum nesting level") { return tooDeep(at: position) }
        var message = "this is not YAML: \(problem)"
        if let context, !context.text.isEmpty {
            message += " (\(context.text) that began in line \(context.mark.line))"
        }
        // Most often it is a sentence with a colon in it.
        let isColon = problem.hasPrefix("mapping values are not allowed")
        return .mistake(
            message, at: position,
            expected: isColon ? "quotes around a text with a colon and a blank in it" : "")
    }

    /// Whether nothing but blanks stands from `mark` on: the place to look is where it all began.
    private static func isEnd(_ mark: Mark, of text: String) -> Bool {
        let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.dropFirst(mark.line - 1).allSatisfy {
            $0.allSatisfy(\.properties.isWhitespace)
        }
    }
}

extension SourcePosition {
    fileprivate init(_ mark: Mark) { self.init(line: mark.line, column: mark.column) }
}
