package import DeviceLink
package import Traces

/// Makes the rows of a diagram from a trace, one event after the other.
///
/// What is drawn is decided here, once, for whoever draws it. It keeps no more of a run than what is under way.
package struct SequenceMaker {
    let selection: SequenceSelection
    let namesPeers: Bool
    private let marks: [UInt64: [SequenceRow.Mark]]
    private let ending: [String]
    /// Those that have not been reported yet, the next one first.
    private var violations: ArraySlice<SequenceFindings.Violation>
    private var toldPromises: [String] = []
    private var underWay = MessagesUnderWay()
    var queue = SequenceQueue()
    /// The step of the script that was drawn last: what it does is not drawn once more.
    var scriptStep: UInt64?
    /// When the last row that has left was over.
    private var last: VirtualTime?

    /// - Parameters:
    ///   - findings: What is known of the run.
    ///   - selection: Which events are drawn.
    ///   - participants: How many devices there are: where there are more than two, labels name the peer.
    package init(
        _ findings: SequenceFindings, selection: SequenceSelection = SequenceSelection(),
        participants: Int
    ) {
        self.selection = selection
        namesPeers = participants > 2
        marks = findings.marks
        ending = findings.ending
        violations = findings.violations[...]
    }

    /// Takes the next event; returns the rows that are settled.
    package mutating func take(_ event: TraceEvent) -> [SequenceRow] {
        tell { $0 < event.time }
        let marks = marks[event.number] ?? []
        if selection.includes(event, isMarked: !marks.isEmpty) { draw(event, marked: marks) }
        for message in underWay.lost(with: event) { drawLost(message, for: event) }
        while let next = violations.first, next.time == event.time,
            next.events.max() == event.number
        {
            tellNext(at: event.time)
        }
        return spaced(queue.leave())
    }

    /// Takes a line of a device's log, in its place among the events; returns the rows that are settled.
    package mutating func take(log text: String, of device: String, at time: VirtualTime)
        -> [SequenceRow]
    {
        guard selection.includesLogs, selection.includes(time), selection.includes(device: device)
        else { return [] }
        tell { $0 < time }
        queue.interrupt(device)
        queue.add(SequenceRow(time: time, event: nil, body: .log(device: device, text: text)))
        return spaced(queue.leave())
    }

    /// The trace is at its end; returns the rows that are left.
    package mutating func finish(at end: VirtualTime) -> [SequenceRow] {
        tell { _ in true }
        while !violations.isEmpty { tellNext(at: end) }
        for sentence in ending {
            queue.add(SequenceRow(time: end, event: nil, body: .failure(sentence)))
        }
        return spaced(queue.leave(all: true))
    }

    private mutating func tell(_ isDue: (VirtualTime) -> Bool) {
        while let time = violations.first?.time, isDue(time) { tellNext(at: time) }
    }

    private mutating func tellNext(at time: VirtualTime) {
        guard let violation = violations.popFirst(), selection.includes(time) else { return }
        let isFirst = !toldPromises.contains(violation.promise)
        if isFirst { toldPromises.append(violation.promise) }
        queue.add(
            SequenceRow(time: time, event: nil, body: .violation(violation, isFirst: isFirst)))
    }

    private mutating func drawLost(_ message: MessagesUnderWay.Message, for event: TraceEvent) {
        guard !selection.isChosen, selection.includes(event.time),
            selection.includes(device: event.device)
        else { return }
        queue.interrupt(event.device)
        queue.add(
            SequenceRow(
                time: event.time, event: event.number,
                body: .note(
                    device: event.device, label: "\(message.label) from \(message.from) is lost")))
    }

    /// A pause at least this long, in nanoseconds, is drawn.
    private static let pause: Nanoseconds = 1_000_000_000

    private mutating func spaced(_ rows: [SequenceRow]) -> [SequenceRow] {
        var spaced: [SequenceRow] = []
        for row in rows {
            if let last, row.time - last >= Self.pause {
                spaced.append(SequenceRow(time: last, event: nil, body: .gap(row.time - last)))
            }
            spaced.append(row)
            last = max(last ?? .zero, row.end)
        }
        return spaced
    }
}

/// Messages that have left and have not arrived.
private struct MessagesUnderWay {
    struct Message {
        let label: String
        let link: Int64?
        let from: String
    }

    /// By where they go, oldest first; looked up only.
    private var messages: [String: [Message]] = [:]

    /// Takes the next event; returns the messages that never arrive because of it.
    mutating func lost(with event: TraceEvent) -> [Message] {
        if let label = event.message, let peer = event.text("peer") {
            follow(event, label: String(label), peer: peer)
            return []
        }
        guard event.kind == .linkDown || event.kind == .deviceDied,
            let here = messages[event.device]
        else { return [] }
        let lost = here.filter { event.kind == .deviceDied || $0.link == event.number("link") }
        messages[event.device] = here.filter { message in
            event.kind != .deviceDied && message.link != event.number("link")
        }
        return lost
    }

    private mutating func follow(_ event: TraceEvent, label: String, peer: String) {
        let link = event.number("link")
        guard event.name.hasSuffix(".received") else {
            messages[peer, default: []].append(
                Message(label: label, link: link, from: event.device))
            return
        }
        let place = messages[event.device]?.firstIndex {
            $0.label == label && $0.link == link && $0.from == peer
        }
        if let place { messages[event.device]?.remove(at: place) }
    }
}
