package import Notation

/// What is wrong in a text, before it is known which file the text is.
package struct Problem: Error, Equatable {
    /// What is wrong, as a sentence without a full stop.
    package var message: String
    /// Where; nil where the whole file is meant.
    package var position: SourcePosition?
    /// How many characters are meant.
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
        self.message = message
        self.position = position
        self.length = length
        self.expected = expected
        self.suggestion = suggestion
    }
}
