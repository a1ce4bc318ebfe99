/// A place in a document, for messages.
package struct SourcePosition: Codable, Equatable, Sendable {
    /// The line, from 1.
    package var line: Int
    /// The column, from 1, in characters.
    package var column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}
