package import DeviceLink
package import Traces

/// Which events of a run are drawn.
package struct SequenceSelection: Sendable {
    /// Events at these devices, and those that concern no device; of all devices where it is empty.
    package var devices: [String] = []
    /// Events that one of these means; empty: whatever is usual.
    package var patterns: [EventPattern] = []
    /// Events of these kinds, or below these beginnings of kinds; empty: whatever is usual.
    package var kinds: [String] = []
    package var from = VirtualTime.zero
    package var until = VirtualTime.never

    /// The usual ones of a whole run.
    package init() {}

    /// Whether the user has chosen which events are drawn.
    var isChosen: Bool { !patterns.isEmpty || !kinds.isEmpty }

    /// What stands among kinds for the lines of logs, which are no events.
    package static let logs = "log"

    var includesLogs: Bool { !isChosen || patterns.isEmpty && kinds.contains(Self.logs) }

    func includes(_ time: VirtualTime) -> Bool { from <= time && time <= until }

    /// Whether a device has a line.
    package func includes(_ participant: Participant) -> Bool { includes(device: participant.name) }

    func includes(device: String) -> Bool { devices.isEmpty || devices.contains(device) }

    /// Whether an event is drawn; `isMarked` where something is to be said about it.
    func includes(_ event: TraceEvent, isMarked: Bool) -> Bool {
        guard includes(event.time), event.device.isEmpty || includes(device: event.device) else {
            return false
        }
        guard isChosen else { return isMarked || Self.isUsual(event) }
        return (patterns.isEmpty || patterns.contains { $0.matches(event) })
            && (kinds.isEmpty || kinds.contains { EventPattern(kind: $0).matches(event) })
    }
}

extension SequenceSelection {
    /// Whether an event is drawn unless the user asks for others: what people draw by hand, messages, links, what sessions and apps go through, and what was done to them.
    package static func isUsual(_ event: TraceEvent) -> Bool {
        switch event.kind {
        // A device's own kinds are few, and somebody wanted to see them.
        case nil: true
        // Devices that are there from the beginning go without saying.
        case .deviceStarted: event.time > .zero
        // Radios that agree are seen in the distances; one that ranges with nobody is seen in nothing else.
        case .uwbRound: event.text("outcome") == "missed"
        case .some(let kind): isUsual(kind)
        }
    }

    /// Whether events of a kind are drawn unless the user asks for others.
    package static func isUsual(_ kind: EventKind) -> Bool {
        switch kind.family {
        case "script", "msg", "system", "fault": true
        case "device": ![.deviceStale, .deviceTurn].contains(kind)
        case "link": [.linkUp, .linkDown].contains(kind)
        case "uwb": kind != .uwbStarting
        case "ni": kind != .niCreated
        case "app":
            [
                .appLaunched, .appTerminated, .appForeground, .appBackground, .appStop, .appAttempt,
                .appGaveUp, .appNotification,
            ].contains(kind)
        case "accessory": [.accessoryRejected, .accessoryError].contains(kind)
        default: kind == .runEnded
        }
    }
}
