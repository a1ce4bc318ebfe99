import Basics
import DeviceLink
import Traces

@testable import Sequences

/// A trace from lines like `0.5 link.up on ben with peer = lock and link = 1`: seconds, and the pattern that means just
/// that event.
///
/// Each has a step of its own; `&` before the time joins the step of the event before.
func trace(_ text: String) throws -> [TraceEvent] {
    var events: [TraceEvent] = []
    var roles = DeviceRoles()
    for line in text.split(separator: "\n") {
        let joins = line.hasPrefix("& ")
        let parts = line.dropFirst(joins ? 2 : 0).split(separator: " ", maxSplits: 1)
        let pattern = try EventPattern(parsing: String(parts[1]))
        let seconds = try Quantity.duration.value(of: "\(parts[0])s")
        let step = events.last?.step ?? 0
        events.append(
            TraceEvent(
                number: UInt64(events.count), time: VirtualTime(nanoseconds: UInt64(seconds)),
                step: joins ? step : step + 1, name: pattern.kind, device: pattern.device ?? "",
                fields: pattern.conditions.map { Field($0.field, $0.value) }))
        roles.complete(&events[events.count - 1])
    }
    return events
}

/// All rows of a trace.
func rows(
    _ text: String, _ findings: SequenceFindings = SequenceFindings(),
    _ selection: SequenceSelection = SequenceSelection()
) throws -> [SequenceRow] {
    let events = try trace(text)
    var participants = Participants()
    for event in events { participants.take(event) }
    var maker = SequenceMaker(
        findings, selection: selection, participants: participants.all.count)
    return events.flatMap { maker.take($0) } + maker.finish(at: events.last?.time ?? .zero)
}
