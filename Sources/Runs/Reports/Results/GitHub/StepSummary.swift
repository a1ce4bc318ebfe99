import Artifacts
import Basics

/// The page that GitHub shows for a job: a line that counts, a table of what has not passed, and what went wrong.
package enum StepSummary {
    /// GitHub takes a mebibyte from a step; so many cases and stories of so many characters are below.
    private static let (cases, stories, sentence, story) = (100, 20, 500, 4_000)

    /// Markdown, with an empty line behind it.
    package static func markdown(of results: TestResults) -> String {
        let red = results.redCases
        let told = red + results.cases.filter(\.isWarning)
        var parts = [heading(of: results), counts(of: results)]
        if !told.isEmpty { parts.append(table(of: told)) }
        parts += red.prefix(stories).compactMap(folded)
        return parts.joined(separator: "\n\n") + "\n\n"
    }

    private static func heading(of results: TestResults) -> String {
        let sign = results.status == .held ? "✅" : "❌"
        let words = results.trouble ?? results.status.word
        return "### \(sign) anechoic \(escaped(results.command)): \(escaped(words))"
    }

    private static func counts(of results: TestResults) -> String {
        let cases = results.cases
        let numbers = [
            (cases.count { $0.outcome == .passed }, "passed"),
            (cases.count(where: \.isRed), "failed"),
            (cases.count(where: \.isWarning), "only recommended and not kept"),
            (cases.count(where: \.isSkipped), "skipped"),
        ]
        let line = numbers.filter { $0.0 > 0 }.map { "\($0) \($1)" }.joined(separator: ", ")
        let words = results.conclusion.isEmpty ? "" : escaped(results.conclusion) + "\n\n"
        return words + "\(cases.count.counted("case")): \(line)."
    }

    private static func table(of cases: [TestCase]) -> String {
        let rows = cases.prefix(self.cases).map { test in
            let sign = test.isRed ? "❌" : "⚠️"
            return "| \(sign) | \(escaped(test.fullName)) | \(escaped(test.message ?? "")) |"
        }
        let more = (cases.count - rows.count).more.map { ["", escaped($0)] } ?? []
        return (["| | case | what is wrong |", "|---|---|---|"] + rows + more)
            .joined(separator: "\n")
    }

    /// Folded; text between `pre` is no Markdown.
    private static func folded(_ test: TestCase) -> String? {
        guard !test.text.isEmpty else { return nil }
        let text = XML.text(plain(String(test.text.prefix(story))))
        return """
            <details><summary>\(XML.text(plainLine(test.fullName)))</summary>

            <pre>
            \(text)
            </pre>

            </details>
            """
    }

    /// What Markdown shows as it stands, in one line: a device says what it likes.
    private static func escaped(_ text: String) -> String {
        let shown = text.prefix(sentence)
        let isCut = shown.endIndex < text.endIndex
        return plainLine(isCut ? shown + "…" : text).map { character in
            switch character {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            // By its number a sign of Markdown is none, and names nobody.
            case "\\", "`", "*", "_", "[", "]", "(", ")", "#", "|", "~", "!", "@", ":", "$", "/",
                "{",
                "}":
                "&#\(character.asciiValue ?? 0);"
            default: String(character)
            }
        }.joined()
    }
}
