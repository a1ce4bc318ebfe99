/// How results are shown.
package enum OutputFormat: String, CaseIterable, Sendable {
    case text, json
    /// The Test Anything Protocol.
    case tap
}

/// How results are shown by a command whose JSON has an option of its own.
package enum ResultShape: String, CaseIterable, Sendable {
    case text
    /// The Test Anything Protocol.
    case tap
}
