internal import DeviceLink

/// An event of a run by its channel and its place there: `CHANNEL #ORDINAL`.
package struct EventID: Hashable, Sendable, Codable {
    let channel: String
    let ordinal: UInt64

    init(channel: String, ordinal: UInt64) {
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

    /// Its text.
    package var text: String { "\(channel) #\(ordinal)" }

    /// From its text.
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

    /// As its text.
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
}

/// A schedule as what differs from the plain one: it says what matters, and survives that something else
/// is taken out of the run.
package struct Schedule: Hashable, Sendable {
    /// Whose turn it is not yet; at most one for each event.
    package var afters: [After]
    /// Every decision that is not the plainest, delays among them.
    package var decisions: [RecordedDecision]

    /// A schedule.
    package init(afters: [After] = [], decisions: [RecordedDecision] = []) {
        self.afters = afters
        self.decisions = decisions
    }
}

/// First come, first served, but for what a schedule says.
package struct ScheduledOrder: Scheduler {
    package let isPlain: Bool
    private var waits: [Key: Key]
    /// Who is waited for and has not happened yet; looked up only.
    private var awaited: [Key: Bool]

    /// An event by its channel's key.
    private struct Key: Hashable {
        let channel: Keyed
        let ordinal: UInt64

        init(_ event: EventID) {
            (channel, ordinal) = (Keyed(0).with(event.channel), event.ordinal)
        }

        init(_ head: Head) { (channel, ordinal) = (head.owner, head.ordinal) }
    }

    /// The order of these afters.
    package init(_ afters: [After]) {
        waits = Dictionary(
            afters.map { (Key($0.event), Key($0.after)) }, uniquingKeysWith: { $1 })
        awaited = Dictionary(waits.values.map { ($0, true) }, uniquingKeysWith: { $1 })
        // Delays may be decided even where no order is.
        isPlain = false
    }

    package mutating func pick(
        among heads: inout [Head], eligible: Range<Int>, drawing decisions: inout Decisions
    ) -> Int {
        let index =
            eligible.first { index in
                guard let other = waits[Key(heads[index])] else { return true }
                return awaited[other] != true
            } ?? eligible.lowerBound
        awaited[Key(heads[index])] = nil
        return index
    }

    package mutating func delay(
        of head: Head, room: UInt64, drawing decisions: inout Decisions
    ) -> UInt64 { decisions.moment(of: head, within: room) }
}

/// Notes the schedule of a run while it goes on, whoever picks.
struct ScheduleNotes: Sendable {
    /// For each event that was overtaken, the last one that did; looked up only.
    private var overtaker: [UInt64: (event: EventID, after: EventID)] = [:]
    private(set) var delays: [RecordedDecision] = []

    /// A head was picked among the eligible ones, and happens `delay` later than it could.
    mutating func take(
        _ index: Int, of heads: [Head], _ eligible: Range<Int>, delay: UInt64,
        label: (Head) -> String
    ) {
        func event(_ head: Head) -> EventID {
            EventID(channel: label(head), ordinal: head.ordinal)
        }
        let picked = event(heads[index])
        for place in eligible.lowerBound..<index {
            overtaker[heads[place].order] = (event(heads[place]), picked)
        }
        guard delay > 0 else { return }
        delays.append(
            RecordedDecision(identity: "\(picked.text) \(Purpose.delay)", value: delay))
    }

    /// In the order in which the waiting events were created.
    var afters: [After] {
        overtaker.sorted { $0.key < $1.key }.map {
            After(event: $0.value.event, after: $0.value.after)
        }
    }
}

extension Purpose {
    /// Whether it is a matter of who happens when, which a schedule says by itself.
    var isOfTheOrder: Bool {
        switch self {
        case .delay, .pick, .priority, .changePoint, .spread, .clog, .starvation: true
        case .loss, .advertisingDelay, .phase, .initiator, .noise, .key, .spoil, .fault: false
        }
    }
}

extension World {
    /// The schedule of the run so far, where the options asked for it.
    ///
    /// Together with the plan it gives the same run again, step by step.
    package var schedule: Schedule? {
        notes.map { notes in
            let ofTheOrder = Purpose.allCases.filter(\.isOfTheOrder).map { "\($0)" }
            let others = decisions.recorded.filter { decision in
                let words = decision.identity.split(separator: " ")
                // A pick says at its end how often the event was looked at.
                return !words.suffix(2).contains { ofTheOrder.contains(String($0)) }
            }
            return Schedule(afters: notes.afters, decisions: notes.delays + others)
        }
    }
}
