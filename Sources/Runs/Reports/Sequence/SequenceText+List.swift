import Artifacts
import Sequences

/// Rows of a run with too many devices for a line each: who, and what.
extension SequenceText {
    func listed(_ row: SequenceRow) -> [Content] {
        let marks: [Content] = row.marks.map { ("  \(glyphs.mark) \($0.words)", .marked) }
        return content(of: row) + marks
    }

    private func content(of row: SequenceRow) -> [Content] {
        let rule = String(repeating: glyphs.rule, count: 2)
        return switch row.body {
        case .arrow(let arrow): [(plainLine(words(of: arrow)), tone(of: row))]
        case .note(let device, let label): [(plainLine("\(device)  \(label)"), tone(of: row))]
        case .log(let device, let text): [(plainLine("\(device)  log: \(text)"), .dim)]
        case .fold(let fold):
            [(plainLine("\(fold.device)  \(fold.words(since: row.time))"), .plain)]
        case .across(let label): [("\(rule) \(plainLine(label)) \(rule)", .done)]
        case .gap: [(String(glyphs.pause), .dim)]
        case .violation(let violation, let isFirst):
            broken(violation.title(with: glyphs, isFirst: isFirst), as: .bad)
                + (isFirst ? broken("  " + violation.sentence, as: .plain) : [])
        case .end(let sentence): broken(sentence, as: .bold)
        case .failure(let sentence): broken("\(glyphs.broken) \(sentence)", as: .bad)
        }
    }

    private func broken(_ text: String, as tone: Ink.Tone) -> [Content] {
        plainLine(text).wrapped(at: style.width - Self.left).map { ($0, tone) }
    }

    private func words(of arrow: SequenceRow.Arrow) -> String {
        let near = String(repeating: arrow.part == .arrival ? glyphs.dash : glyphs.line, count: 2)
        let far = String(repeating: arrow.part == .departure ? glyphs.dash : glyphs.line, count: 2)
        let head = arrow.part == .departure ? "" : glyphs.right
        let tail = arrow.isMutual && arrow.part != .departure ? glyphs.left : ""
        return "\(arrow.from) \(tail)\(near) \(arrow.label) \(far)\(head) \(arrow.to)"
    }
}
