import Artifacts
import Foundation

/// A step of GitHub Actions, as far as this process is one: nothing is said where it is none.
package struct GitHub: Sendable {
    /// Whether a runner reads what is printed.
    package let isHere: Bool
    /// The file that becomes the job's page; nil for none.
    package let summary: String?
    package static let summaryVariable = "GITHUB_STEP_SUMMARY"

    /// What the variables of an environment say.
    package init(_ environment: [String: String]) {
        func value(_ name: String) -> String? {
            environment[name].flatMap { $0.isEmpty ? nil : $0 }
        }
        isHere = value("GITHUB_ACTIONS") == "true"
        summary = isHere ? value(Self.summaryVariable) : nil
    }

    package static let ofThisProcess = GitHub(ProcessInfo.processInfo.environment)

    /// Annotates the lines of files, and adds to the page.
    package func tell(_ results: TestResults) throws {
        annotate(Annotations.lines(of: results))
        try summarize(results)
    }

    /// On standard error, which a runner reads as well: standard output may be a document.
    package func annotate(_ lines: [String]) {
        guard isHere, !lines.isEmpty else { return }
        try? write(Data((lines.joined(separator: "\n") + "\n").utf8), to: STDERR_FILENO)
    }

    /// Adds to the page; several commands of a step share it.
    package func summarize(_ results: TestResults) throws {
        guard let summary else { return }
        let bytes = Array(StepSummary.markdown(of: results).utf8)
        let descriptor = open(summary, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw failure(summary) }
        defer { close(descriptor) }
        if let code = bytes.withUnsafeBytes({ writeAll($0, to: descriptor) }).failure {
            throw failure(summary, code)
        }
    }

    private func failure(_ path: String, _ code: Int32 = errno) -> ArtifactError {
        ArtifactError(cannot: "write", path, code: code, option: Self.summaryVariable)
    }
}
