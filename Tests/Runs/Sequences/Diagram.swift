import Reports
import Sequences

/// A trace as a diagram of 60 columns, without blanks at the ends of lines.
func diagram(
    _ text: String, _ findings: SequenceFindings = SequenceFindings(),
    _ selection: SequenceSelection = SequenceSelection(), width: Int = 80, isASCII: Bool = false
) throws -> String {
    var participants = Participants()
    for event in try trace(text) { participants.take(event) }
    var picture = SequenceText(
        participants.all.filter(selection.includes),
        style: SequenceText.Style(width: width, isASCII: isASCII, ink: Ink(.never)))
    return try picture.head + rows(text, findings, selection).map { picture.text(of: $0) }.joined()
}
