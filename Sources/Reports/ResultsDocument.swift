internal import Foundation

/// What a command found as one JSON document on standard output: `--json`.
///
/// It is the same of every command: `command`, `results` (a list, whose items are the command's own), `status` (the exit
/// status) and, where something went wrong before the end, `error`. Results are written as they come, for there may be
/// millions, and a document is whole whatever happens.
package struct ResultsDocument {
    private let command: String
    private var isBegun = false
    private var hasResults = false

    /// A document of which nothing is written yet.
    package init(of command: String) { self.command = command }

    /// Adds a result.
    package mutating func add(_ result: some Encodable) throws {
        try begin()
        // No string of JSON has a line feed in it.
        let lines = String(decoding: try json(result), as: UTF8.self).split(separator: "\n")
        try print(
            (hasResults ? "," : "") + "\n" + lines.map { "    " + $0 }.joined(separator: "\n"))
        hasResults = true
    }

    /// Ends the document.
    package mutating func finish(_ status: ExitStatus, error: String? = nil) throws {
        try begin()
        var end = hasResults ? "\n  ]" : "]"
        if let error {
            let text = String(decoding: try json(error), as: UTF8.self).dropLast()
            end += ",\n  \"error\" : \(text)"
        }
        try print(end + ",\n  \"status\" : \(status.rawValue)\n}\n")
    }

    private mutating func begin() throws {
        guard !isBegun else { return }
        isBegun = true
        try print("{\n  \"command\" : \"\(command)\",\n  \"results\" : [")
    }

    private func print(_ text: String) throws { try write(Data(text.utf8), to: STDOUT_FILENO) }
}
