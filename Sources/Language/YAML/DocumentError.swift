import Basics

/// What is wrong with a file, and where: one literal sentence, as a compiler would say it.
package struct DocumentError: Error, Equatable {
    /// The file as it was named.
    package var file: String
    package var problem: Problem
    /// The line of the source; empty where there is none.
    package var sourceLine: String
    /// What else is wrong with the file, in its order.
    package var others: [DocumentError]

    /// An error in `file`, whose text is at hand or not.
    package init(file: String, problem: Problem, source: String = "") {
        self.file = file
        self.problem = problem
        sourceLine = problem.position.map { Self.line($0.line, of: source) } ?? ""
        others = problem.others.map { DocumentError(file: file, problem: $0, source: source) }
    }

    /// An error of a file as a whole.
    package init(in file: String, _ message: String, expected: String = "") {
        self.init(file: file, problem: Problem(message, at: nil, expected: expected))
    }

    private static func line(_ number: Int, of source: String) -> String {
        let lines = source.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.indices.contains(number - 1) else { return "" }
        return String(String.UnicodeScalarView(lines[number - 1].filter { $0 != "\r" }))
    }
}

extension DocumentError: CustomStringConvertible {
    /// How many mistakes of a file are printed.
    private static let most = 20

    /// All errors as a compiler prints them, with an empty line between two.
    package var description: String {
        let shown = [self] + others.prefix(Self.most - 1)
        let rest = 1 + others.count - shown.count
        let more = rest > 0 ? ["\(file): \(rest.counted("more mistake"))"] : []
        return (shown.map(\.first) + more).joined(separator: "\n\n")
    }

    /// The error as a compiler prints one: position, sentence, source line, caret, advice.
    private var first: String {
        var lines = [heading]
        if let position = problem.position, !sourceLine.isEmpty {
            let gutter = String(repeating: " ", count: String(position.line).count)
            let shown = Excerpt(of: sourceLine, column: position.column, length: problem.length)
            lines.append(" \(position.line) | \(shown.text)")
            lines.append(" \(gutter) | \(shown.caret)")
        }
        if !problem.expected.isEmpty { lines.append("expected: \(problem.expected)") }
        if let suggestion = problem.suggestion { lines.append("did you mean: \(suggestion)") }
        return lines.joined(separator: "\n")
    }

    private var heading: String {
        guard let position = problem.position else { return "\(file): error: \(problem.message)" }
        return "\(file):\(position.line):\(position.column): error: \(problem.message)"
    }
}

/// The part of a line that an error shows, and the caret below it.
private struct Excerpt {
    /// More than fits beside the line number in a terminal is cut away.
    private static let width = 120

    let text: String
    let caret: String

    init(of line: String, column: Int, length: Int) {
        let scalars = line.unicodeScalars.filter { $0 != "\u{FEFF}" }.map(Self.visible)
        var start = 0
        if scalars.count > Self.width {
            start = max(0, min(column - 1 - Self.width / 2, scalars.count - Self.width))
        }
        let end = min(scalars.count, start + Self.width)
        let ellipses = (start > 0 ? "…" : "", end < scalars.count ? "…" : "")
        let part = String(String.UnicodeScalarView(scalars[start..<end]))
        text = ellipses.0 + part + ellipses.1
        let indent = ellipses.0.count + column - 1 - start
        let more = max(0, min(length - 1, end - column))
        caret = String(repeating: " ", count: indent) + "^" + String(repeating: "~", count: more)
    }

    /// A tab or another control character would move the caret.
    private static func visible(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        scalar.value < 32 ? " " : scalar
    }
}
