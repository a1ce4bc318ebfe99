import Artifacts

/// A line by which a step of GitHub Actions speaks to its runner.
///
/// An example: `::error file=a.yaml,line=9::It sent on.`
package enum WorkflowCommand {
    /// An annotation of a file and line, or of the step, without the end of its line.
    static func annotation(
        _ level: String, title: String, at place: SourcePlace?, column: Int? = nil,
        _ message: String
    ) -> String {
        let properties = [
            ("file", place?.file), ("line", place?.line.map(String.init)),
            ("col", place?.line == nil ? nil : column.map(String.init)), ("title", title),
        ]
        let words = properties.compactMap { name, value in value.map { "\(name)=\(property($0))" } }
        return "::\(level) \(words.joined(separator: ","))::\(data(message))"
    }

    /// The runner undoes this for every message.
    private static func data(_ text: String) -> String {
        plain(text).replacing("%", with: "%25").replacing("\n", with: "%0A")
    }

    private static func property(_ text: String) -> String {
        data(plainLine(text)).replacing(":", with: "%3A").replacing(",", with: "%2C")
    }

    /// Text that a runner shows and does not obey.
    ///
    /// A command begins a line with `::`, behind blanks or not; in its old form, `##[`, it stands anywhere. What a
    /// device logs may hold both.
    package static func defused(_ text: String) -> String {
        guard text.contains("::") || text.contains("##[") else { return text }
        return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let begin = line.firstIndex { !$0.isWhitespace } ?? line.endIndex
            let rest = line[begin...].replacing("##[", with: "# #[")
            return line[..<begin] + (rest.hasPrefix("::") ? ": " + rest.dropFirst() : rest)
        }.joined(separator: "\n")
    }
}
