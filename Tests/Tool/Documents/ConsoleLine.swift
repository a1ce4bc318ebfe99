import Foundation

/// A line of output as a document shows it: `…` stands for any text.
struct ConsoleLine {
    let text: String

    init(_ text: String) { self.text = text }

    /// Any lines.
    var isGap: Bool { text.trimmingCharacters(in: .whitespaces) == "…" }

    /// Whether a program's line is this one.
    ///
    /// What a run took by the wall clock is not compared.
    func matches(_ line: String) -> Bool { found(in: Self.withoutTimes(line), as: exact) != nil }

    /// This line with the figures that a program's line has; nil where its words are others.
    func renewed(by line: String) -> ConsoleLine? {
        found(in: line, as: shape).map { ConsoleLine($0.joined(separator: "…")) }
    }

    private var exact: String {
        pattern(of: Self.withoutTimes(text)) { NSRegularExpression.escapedPattern(for: $0) }
    }

    private var shape: String {
        pattern(of: text) { piece in
            NSRegularExpression.escapedPattern(for: piece)
                .replacing(/[0-9]+/, with: "[0-9]+").replacing(/\ +/, with: " *")
        }
    }

    private func pattern(of text: String, each piece: (String) -> String) -> String {
        "^"
            + text.components(separatedBy: "…").map { "(" + piece($0) + ")" }.joined(
                separator: ".*?")
            + " *$"
    }

    /// The pieces between the gaps, as a line has them.
    private func found(in line: String, as pattern: String) -> [String]? {
        guard let expression = try? NSRegularExpression(pattern: pattern),
            let match = expression.firstMatch(
                in: line, range: NSRange(line.startIndex..., in: line))
        else { return nil }
        return (1..<match.numberOfRanges).compactMap { place in
            Range(match.range(at: place), in: line).map { String(line[$0]) }
        }
    }

    /// The column `real` of a table of runs, `in 1.7 s (406/s)`, `114 replays (0.5 s)`.
    private static func withoutTimes(_ line: String) -> String {
        line.replacing(#/(\d+\.\d{3} s +)\d+\.\d{3} s +/#) { $0.output.1 + "# " }
            .replacing(#/in \d+\.\d s \(\d+\/s\)/#, with: "in # s")
            .replacing(#/\(\d+\.\d s\)/#, with: "(# s)")
    }
}
