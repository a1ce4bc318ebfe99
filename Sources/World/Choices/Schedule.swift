import Basics

/// An event of a run by its channel and its place there: `CHANNEL #ORDINAL`.
package struct EventID: Hashable, Sendable, Codable {
    package let channel: String
    package let ordinal: UInt64

    package init(channel: String, ordinal: UInt64) {
        self.channel = channel
        self.ordinal = ordinal
    }

    /// From its text; nil where it is none.
    package init?(_ text: String) {
        guard let mark = text.lastIndex(of: "#"), let ordinal = UInt64(text[mark...].dropFirst()),
            text[..<mark].last == " "
        else { return nil }
        self.init(channel: String(text[..<mark].dropLast()), ordinal: ordinal)
    }

    package static func start(of device: String) -> EventID {
        EventID(channel: startChannel(of: device), ordinal: 0)
    }

    /// The channel in which a device is switched on.
    package static func startChannel(of device: String) -> String {
        String(joining: "power ", device)
    }

    package var text: String { "\(channel) #\(ordinal)" }

    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let event = EventID(text) else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "\"\(text)\" is no CHANNEL #ORDINAL"))
        }
        self = event
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

/// One deviation from first come, first served: an event happens only after another one, or at the
/// latest when nothing else can happen any more.
package struct After: Hashable, Sendable, Codable {
    /// The event that waits.
    package let event: EventID
    /// The event that it waits for.
    package let after: EventID

    package init(event: EventID, after other: EventID) {
        (self.event, after) = (event, other)
    }
}

/// A schedule as what differs from the plain one: it says what matters, and survives that something else
/// is taken out of the run.
package struct Schedule: Hashable, Sendable {
    /// Whose turn it is not yet; at most one for each event.
    package var afters: [After]
    /// Every decision that is not the plainest, delays among them.
    package var decisions: [RecordedDecision]

    package init(afters: [After] = [], decisions: [RecordedDecision] = []) {
        self.afters = afters
        self.decisions = decisions
    }
}
