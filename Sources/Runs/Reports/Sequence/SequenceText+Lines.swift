import Artifacts
import DeviceLink
import Sequences

/// Rows with a line down for each device.
extension SequenceText {
    typealias Content = (text: String, tone: Ink.Tone)

    func drawn(_ row: SequenceRow) -> [Content] {
        switch row.body {
        case .arrow(let arrow): self.arrow(arrow) + marks(row.marks, at: arrow.to)
        case .note(let device, let label):
            note(label, at: device, as: tone(of: row)) + marks(row.marks, at: device)
        case .log(let device, let text): note("log: \(text)", at: device, as: .dim)
        case .fold(let fold): note(fold.words(since: row.time), at: fold.device, as: .plain)
        case .across(let label): across(label) + marks(row.marks, at: participants[0].name)
        case .gap(let length): [pause(length)]
        case .violation(let violation, let isFirst): violated(violation, isFirst: isFirst)
        case .end(let sentence): wrapped(sentence, as: .bold)
        case .failure(let sentence): wrapped("\(glyphs.broken) \(sentence)", as: .bad)
        }
    }

    func tone(of row: SequenceRow) -> Ink.Tone { row.marks.isEmpty ? .plain : .marked }

    /// The names, each over its line: the first one to its right, the last one to its left.
    func centred(_ names: [String]) -> String {
        var canvas = Canvas(width: style.width - Self.left)
        for (index, name) in names.enumerated() {
            let column = columns[index] - Self.left
            let isLast = index > 0 && index == names.count - 1
            let start =
                index == 0 ? column : isLast ? column - name.count + 1 : column - name.count / 2
            canvas.put(name, at: max(0, start))
        }
        return canvas.text
    }

    private func column(of device: String) -> Int {
        let place = participants.firstIndex { $0.name == device }
        return (place.map { columns[$0] } ?? Self.left) - Self.left
    }

    private func blank(_ glyph: Character? = nil) -> Canvas {
        var canvas = Canvas(width: style.width - Self.left)
        for column in columns {
            canvas.put(String(glyph ?? glyphs.lifeline), at: column - Self.left)
        }
        return canvas
    }

    /// A text beside a device's line: to its right, and of the last device to its left.
    private func note(_ text: String, at device: String, as tone: Ink.Tone) -> [Content] {
        let column = column(of: device)
        let isLast = columns.count > 1 && column == (columns.last ?? 0) - Self.left
        let end = (columns.last ?? 0) - Self.left
        let room =
            isLast ? column - 2 : (column == end ? style.width - Self.left : end) - column - 2
        return plainLine(text).wrapped(at: max(room, 8)).map { piece in
            var canvas = blank()
            canvas.put(" \(piece) ", at: isLast ? column - piece.count - 2 : column + 1)
            return (canvas.text, tone)
        }
    }

    private func marks(_ marks: [SequenceRow.Mark], at device: String) -> [Content] {
        marks.flatMap { note("\(glyphs.mark) \($0.words)", at: device, as: .marked) }
    }

    private func across(_ label: String) -> [Content] {
        let width = max((columns.last ?? 0) - (columns.first ?? 0) + 1, 1)
        let label = " \(plainLine(label)) "
        guard label.count + 4 <= width else { return wrapped(label, as: .done) }
        let before = (width - label.count) / 2
        var canvas = blank()
        canvas.put(String(repeating: glyphs.rule, count: width), at: 0)
        canvas.put(label, at: before)
        return [(canvas.text, .done)]
    }

    private func pause(_ length: Nanoseconds) -> Content {
        var canvas = blank(glyphs.pause)
        canvas.put(" \(length.rounded) ", at: 1)
        return (canvas.text, .dim)
    }

    private func wrapped(_ text: String, as tone: Ink.Tone) -> [Content] {
        plainLine(text).wrapped(at: max((columns.last ?? 0), Self.left + 40) - Self.left - 3).map {
            piece in
            var canvas = blank()
            canvas.put(" \(piece) ", at: 1)
            return (canvas.text, tone)
        }
    }

    private func violated(_ violation: SequenceFindings.Violation, isFirst: Bool) -> [Content] {
        let title = violation.title(with: glyphs, isFirst: isFirst)
        guard isFirst else { return wrapped(title, as: .bad) }
        return wrapped(title, as: .bad) + wrapped("  " + violation.sentence, as: .plain)
    }
}

// Arrows.
extension SequenceText {
    private func arrow(_ arrow: SequenceRow.Arrow) -> [Content] {
        let (from, to) = (column(of: arrow.from), column(of: arrow.to))
        let (low, high) = (min(from, to), max(from, to))
        let label = plainLine(arrow.label)
        guard label.count + 8 <= high - low else {
            return note(label, at: from < to ? arrow.from : arrow.to, as: .plain)
                + [shaft("", from: low, to: high, of: arrow, pointsRight: from < to)]
        }
        return [shaft(" \(label) ", from: low, to: high, of: arrow, pointsRight: from < to)]
    }

    private func shaft(
        _ label: String, from low: Int, to high: Int, of arrow: SequenceRow.Arrow, pointsRight: Bool
    ) -> Content {
        let (room, side) = (high - low - 1, (high - low - 1 - label.count) / 2)
        let far = String(
            repeating: arrow.part == .departure ? glyphs.dash : glyphs.line, count: side)
        let near = String(
            repeating: arrow.part == .arrival ? glyphs.dash : glyphs.line,
            count: room - side - label.count)
        var canvas = blank()
        canvas.put(pointsRight ? near + label + far : far + label + near, at: low + 1)
        let arrives = arrow.part != .departure
        if arrives, pointsRight || arrow.isMutual { canvas.put(glyphs.right, at: high - 1) }
        if arrives, !pointsRight || arrow.isMutual { canvas.put(glyphs.left, at: low + 1) }
        return (canvas.text, .plain)
    }
}

/// A line of characters that are put where they belong.
struct Canvas {
    private var characters: [Character]

    init(width: Int) { characters = Array(repeating: " ", count: max(width, 1)) }

    mutating func put(_ text: String, at column: Int) {
        for (offset, character) in text.enumerated()
        where characters.indices.contains(column + offset) {
            characters[column + offset] = character
        }
    }

    var text: String { String(characters) }
}

extension SequenceRow.Fold {
    /// What happened, how often and how fast.
    func words(since first: VirtualTime) -> String {
        let apart = (last - first) / UInt64(max(count - 1, 1))
        return "\(label) … \(count) times, \(apart.rounded) apart"
    }
}

extension SequenceFindings.Violation {
    /// `✗ quiet is broken by lock (R4 3.6.1)`.
    func title(with glyphs: Glyphs, isFirst: Bool) -> String {
        let clause = clause.isEmpty || !isFirst ? "" : " (\(clause))"
        let again = isFirst ? "" : " again"
        return
            "\(glyphs.broken) \(promise) is broken\(again)\(isExpected ? ", as expected" : "")\(clause)"
    }
}

extension Nanoseconds {
    /// To the millisecond: `0.198 s`.
    fileprivate var rounded: String { ((self + 500_000) / 1_000_000 * 1_000_000).seconds }
}

extension String {
    /// Lines of at most so many characters, broken at blanks where there are any.
    func wrapped(at width: Int) -> [String] {
        var lines: [String] = []
        var rest = self[...]
        while rest.count > width {
            let piece = rest.prefix(width + 1)
            let blank = piece.dropFirst().lastIndex(of: " ")
            let isAtBlank = blank.map { piece[..<$0].contains { $0 != " " } } == true
            let end =
                isAtBlank ? blank ?? piece.endIndex : rest.index(rest.startIndex, offsetBy: width)
            lines.append(String(rest[..<end]))
            rest = isAtBlank ? rest[end...].drop { $0 == " " } : rest[end...]
        }
        return lines + [String(rest)]
    }
}
