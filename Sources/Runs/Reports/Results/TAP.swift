import Artifacts
import Foundation

/// The Test Anything Protocol, version 13: a line for each case, and below it in YAML what went wrong.
package enum TAP {
    /// The whole stream; a command that has not come to its end bails out.
    package static func text(of results: TestResults) -> String {
        let cases = results.cases
        guard results.trouble == nil else {
            return "TAP version 13\nBail out! \(description(results.conclusion))\n"
        }
        let lines = cases.enumerated().map { line($1, number: $0 + 1) }
        return "TAP version 13\n1..\(cases.count)\n" + lines.joined()
    }

    private static func line(_ test: TestCase, number: Int) -> String {
        let head = "\(test.isRed ? "not ok" : "ok") \(number) - \(description(test.fullName))"
        switch test.outcome {
        case .passed: return head + "\n"
        case .skipped(let message), .warning(let message):
            return "\(head) # SKIP \(description(message))\n"
        case .failure(let type, let message), .error(let type, let message):
            return "\(head)\n" + yaml(test, type, message)
        }
    }

    private static func yaml(_ test: TestCase, _ type: String, _ message: String) -> String {
        var lines = ["---", "message: \(quoted(message))", "severity: \(quoted(type))"]
        if let place = test.place {
            lines.append("file: \(quoted(place.file))")
            if let line = place.line { lines.append("line: \(line)") }
        }
        if !test.text.isEmpty {
            // Perl's reader takes a block for what it is, and looks for keys in a list's items.
            lines.append("story: |")
            lines += test.text.split(separator: "\n").map { "  " + plain(String($0)) }
        }
        return (lines + ["..."]).map { "  \($0)\n" }.joined()
    }

    /// One line in which nothing begins a directive.
    private static func description(_ text: String) -> String {
        plainLine(text).replacing("\\", with: "\\\\").replacing("#", with: "\\#")
    }

    /// A scalar of YAML between quotes, in one line.
    private static func quoted(_ text: String) -> String {
        "\"\(plainLine(text).replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }
}
