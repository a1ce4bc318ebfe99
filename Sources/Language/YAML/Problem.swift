package import Basics

/// What is wrong in a text, before it is known which file the text is.
package struct Problem: Error, Equatable {
    /// What is wrong, as a sentence without a full stop.
    package var message: String
    /// Where; nil where the whole file is meant.
    package var position: SourcePosition?
    package var length: Int
    /// What could stand there instead; empty where the message says it.
    package var expected: String
    /// The known name that was probably meant.
    package var suggestion: String?
    /// What else is wrong in the text, in its order; these have no others.
    package var others: [Problem] = []

    package init(
        _ message: String, at position: SourcePosition?, length: Int = 1, expected: String = "",
        suggestion: String? = nil
    ) {
        self.message = Self.oneLine(message)
        self.position = position
        self.length = length
        self.expected = Self.oneLine(expected)
        self.suggestion = suggestion
    }

    /// The most characters of what is quoted from a file.
    private static let longestQuote = 80

    /// A sentence that quotes a file between backticks: what stands there makes no line of its own, and is shown as far
    /// as a person reads it.
    private static func oneLine(_ sentence: String) -> String {
        let isLong = sentence.utf8.count > longestQuote
        guard isLong || sentence.contains(where: \.isNewline) else { return sentence }
        let parts = sentence.split(separator: "`", omittingEmptySubsequences: false)
        let shown = parts.enumerated().map { place, part in
            let isQuote = place % 2 == 1 && place < parts.count - 1
            return isQuote && part.count > longestQuote ? part.prefix(longestQuote) + "…" : part
        }
        return shown.joined(separator: "`").split(whereSeparator: \.isNewline)
            .joined(separator: " ⏎ ")
    }
}
