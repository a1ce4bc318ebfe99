import Artifacts
import DeviceLink
package import Sequences

/// A diagram as text: a line down for each device, rows of time across.
package struct SequenceText {
    /// Width, characters and colours of a diagram.
    package struct Style: Sendable {
        package var width: Int
        /// Whether lines are drawn with ASCII alone.
        package var isASCII: Bool
        package var ink: Ink

        package init(width: Int, isASCII: Bool, ink: Ink) {
            (self.width, self.isASCII, self.ink) = (width, isASCII, ink)
        }

        /// The narrowest that can be read.
        package static let narrowest = 60
    }

    let style: Style
    let participants: [Participant]
    let glyphs: Glyphs
    /// Where each device's line stands; empty where there are too many for lines.
    let columns: [Int]
    /// The time of the last row, because a time is shown once.
    private var shown: VirtualTime?

    /// Where lines begin, behind time and number.
    static let left = 20
    /// The narrowest gap between two lines.
    private static let least = 18
    /// The widest useful gap.
    private static let most = 76

    package init(_ participants: [Participant], style: Style) {
        self.style = style
        self.participants = participants
        glyphs = style.isASCII ? .ascii : .unicode
        let gaps = max(participants.count - 1, 1)
        let room = min((style.width - 1 - Self.left) / gaps, Self.most)
        columns =
            participants.count == 1 || room >= Self.least
            ? participants.indices.map { Self.left + $0 * room } : []
    }

    /// A title: which run, and how it ended.
    package func title(_ text: String, status: ExitStatus) -> String {
        line(plainLine(text), as: status == .held ? .good : .bad)
    }

    /// A line of the title: what was broken, and when.
    package func title(of violation: SequenceFindings.Violation) -> String {
        let time = violation.time.map { "at \($0.seconds)" } ?? "at the end"
        let expected = violation.isExpected ? ", as expected" : ""
        return line("  \(glyphs.broken) \(violation.promise) \(time)\(expected)", as: .bad)
    }

    /// The names above the lines.
    package var head: String {
        let numbers = Self.stamp("time [s]", event: "event")
        guard !columns.isEmpty else { return line(numbers, as: .bold) }
        let names = centred(participants.map { plainLine($0.name) })
        let roles = participants.map { $0.role ?? "" }
        let below =
            roles.allSatisfy(\.isEmpty)
            ? "" : line(Self.stamp("", event: "") + centred(roles), as: .dim)
        return line(numbers + names, as: .bold) + below
    }

    /// The names once more, below the lines.
    package var foot: String {
        guard !columns.isEmpty else { return "" }
        let names = centred(participants.map { plainLine($0.name) })
        return line(Self.stamp("", event: "") + names, as: .bold)
    }

    /// A row, in lines with their ends.
    package mutating func text(of row: SequenceRow) -> String {
        var time = row.time == shown ? "" : row.time.nanoseconds.seconds(decimals: 6)
        if case .gap = row.body { time = "" } else { shown = row.time }
        let stamp = Self.stamp(time, event: row.event.map { "\($0)" } ?? "")
        let contents = columns.isEmpty ? listed(row) : drawn(row)
        return contents.enumerated().map { index, content in
            style.ink(index == 0 ? stamp : Self.stamp("", event: ""), as: .dim)
                + line(content.text, as: content.tone)
        }.joined()
    }

    /// Time and number of an event, to the right of their columns.
    private static func stamp(_ time: String, event: String) -> String {
        func right(_ text: String, width: Int) -> String {
            String(repeating: " ", count: max(0, width - text.count)) + text
        }
        return right(time, width: 11) + right(event, width: 7) + "  "
    }

    func line(_ text: String, as tone: Ink.Tone) -> String {
        let end = text.lastIndex { $0 != " " }
        return style.ink(
            String(text[..<(end.map { text.index(after: $0) } ?? text.startIndex)]), as: tone)
            + "\n"
    }
}

struct Glyphs {
    let lifeline, line, dash, rule, pause: Character
    let right, left, mark, broken: String

    static let unicode = Glyphs(
        lifeline: "│", line: "─", dash: "╌", rule: "═", pause: "⋮", right: "▶", left: "◀",
        mark: "▲",
        broken: "✗")
    static let ascii = Glyphs(
        lifeline: "|", line: "-", dash: ".", rule: "=", pause: ":", right: ">", left: "<",
        mark: "^",
        broken: "X")
}
