/// A place in a document, for messages.
package struct SourcePosition: Equatable, Sendable {
    /// Line, from 1.
    package var line: Int
    /// Column, from 1.
    package var column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}
