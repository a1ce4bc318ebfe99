/// The words that YAML 1.1 tools read as true or false (`on: 1` is then the key `true`).
///
/// A file that one tool reads one way and another the other way is refused.
package enum YAMLBoolean {
    private static let words: [String] = ["y", "yes", "n", "no", "true", "false", "on", "off"]

    /// Whether some YAML tool takes `text` for a truth value.
    package static func isOne(_ text: String) -> Bool { words.contains(text.lowercased()) }

    /// A key that some tools do not read as text.
    package static func keyProblem(_ node: YAMLNode) -> Problem {
        node.problem(
            "\(node.described) as a key means true or false to some YAML tools",
            expected: "another word, or \(node.described) in quotes")
    }

    /// A value that some tools do not read as text.
    package static func textProblem(_ node: YAMLNode, expected: String) -> Problem {
        node.problem(
            "\(node.described) without quotes means true or false in YAML",
            expected: expected == "a text"
                ? "another word, or \(node.described) in quotes" : expected)
    }
}
