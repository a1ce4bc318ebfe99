internal import Foundation
internal import Reports

/// Results as one JSON array on standard output, each written as soon as all before it are: there may be
/// millions.
package struct ResultStream {
    private var next = 0
    /// Those that came before an earlier one.
    private var early: [Int: RunReport] = [:]
    /// Whether some of it is written.
    private(set) var isBegun = false

    mutating func take(_ report: RunReport, at index: Int) throws {
        early[index] = report
        while let report = early.removeValue(forKey: next) {
            try write(report)
            next += 1
        }
    }

    /// Ends the array; where some runs were not done, those behind them follow.
    mutating func finish() throws {
        for (_, report) in early.sorted(by: { $0.key < $1.key }) { try write(report) }
        try print(isBegun ? "\n]\n" : "[\n\n]\n")
    }

    private mutating func write(_ report: RunReport) throws {
        var text = isBegun ? ",\n" : "[\n"
        isBegun = true
        // No string of JSON has a line feed in it.
        let lines = String(decoding: try json(report), as: UTF8.self).split(separator: "\n")
        text += lines.map { "  " + $0 }.joined(separator: "\n")
        try print(text)
    }

    private func print(_ text: String) throws {
        try Reports.write(Data(text.utf8), to: STDOUT_FILENO)
    }
}
