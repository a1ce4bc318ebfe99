import Artifacts
import Foundation

/// What a command found as one JSON document on standard output: `--json`.
///
/// It has one form for every command: `command`, `results` (a list, whose items are the command's own),
/// `status` (the exit status) and, where something went wrong before the end, `error`. Results are written as
/// they come, for there may be millions, and a document is whole whatever happens.
package final class ResultsDocument {
    /// Nil where the results stand alone.
    private let command: String?
    /// Whether some of it is written.
    package private(set) var isBegun = false
    private var hasResults = false

    /// A document of which nothing is written yet.
    package init(of command: String) { self.command = command }

    /// A document that is the list of results and nothing else: `--format json`.
    package init() { command = nil }

    /// Writes a result at once.
    package func add(_ result: some Encodable) throws {
        try begin()
        // No string of JSON has a line feed in it.
        let lines = String(decoding: try json(result), as: UTF8.self).split(separator: "\n")
        let indent = command == nil ? "  " : "    "
        try print(
            (hasResults ? ",\n" : "\n") + lines.map { indent + $0 }.joined(separator: "\n"))
        hasResults = true
    }

    /// Writes the end of the document, with the exit status.
    package func finish(_ status: ExitStatus, error: String? = nil) throws {
        try begin()
        guard command != nil else { return try print(hasResults ? "\n]\n" : "\n\n]\n") }
        var end = hasResults ? "\n  ]" : "]"
        if let error {
            let text = String(decoding: try json(error), as: UTF8.self).dropLast()
            end += ",\n  \"error\" : \(text)"
        }
        try print(end + ",\n  \"status\" : \(status.rawValue)\n}\n")
    }

    private func begin() throws {
        guard !isBegun else { return }
        isBegun = true
        try print(command.map { "{\n  \"command\" : \"\($0)\",\n  \"results\" : [" } ?? "[")
    }

    /// One of GitHub's runners looks for commands in what it shows.
    private func print(_ text: String) throws {
        let shown = GitHub.ofThisProcess.isHere ? text.replacing("##[", with: "\\u0023#[") : text
        try write(Data(shown.utf8), to: STDOUT_FILENO)
    }
}
