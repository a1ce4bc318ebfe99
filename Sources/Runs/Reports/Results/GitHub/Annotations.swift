import Artifacts
import Basics
import YAML

/// What GitHub shows beside the lines of a change.
package enum Annotations {
    /// GitHub shows ten of each level in a step.
    private static let most = 10

    /// A line for each case that has not passed, the gravest first.
    package static func lines(of results: TestResults) -> [String] {
        let red = results.redCases.map { line("error", $0, of: results.command) }
        let yellow = results.cases.filter(\.isWarning).map {
            line("warning", $0, of: results.command)
        }
        return Array(red.prefix(most) + yellow.prefix(most))
    }

    private static func line(_ level: String, _ test: TestCase, of command: String) -> String {
        let replay = test.evidence.first?.replay.map { "\nreplay: \($0)" } ?? ""
        return WorkflowCommand.annotation(
            level, title: "anechoic \(command): \(test.fullName)", at: test.place,
            (test.message ?? "") + replay)
    }

    /// The lines for what ended a command: each mistake of a file is one.
    package static func lines(of error: any Error) -> [String] {
        guard let error = error as? DocumentError else {
            return [
                WorkflowCommand.annotation(
                    "error", title: "anechoic", at: nil, sentence(for: error))
            ]
        }
        return ([error] + error.others).prefix(most).map { mistake in
            let position = mistake.problem.position
            return WorkflowCommand.annotation(
                "error", title: "anechoic", at: SourcePlace(mistake.file, line: position?.line),
                column: position?.column, words(mistake.problem))
        }
    }

    private static func words(_ problem: Problem) -> String {
        let expected = problem.expected.isEmpty ? nil : "expected: \(problem.expected)"
        let suggestion = problem.suggestion.map { "did you mean: \($0)" }
        return [problem.message, expected, suggestion].compactMap(\.self).joined(separator: "\n")
    }
}
