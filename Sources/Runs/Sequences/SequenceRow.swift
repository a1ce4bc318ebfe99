package import DeviceLink

/// What one line of a diagram says, without how it looks.
package struct SequenceRow: Equatable, Sendable {
    /// A message, or a link that comes or goes, between two devices.
    package struct Arrow: Equatable, Sendable {
        package enum Part: String, Sendable {
            /// It left and arrived, and nothing came between at the device where it arrives.
            case whole
            /// It left; where it arrives stands further down, or nowhere.
            case departure
            /// It arrived; it left further up.
            case arrival
        }

        /// Who sent it, or learnt of it first.
        package let from: String
        /// The device that got it, or learnt of it second.
        package let to: String
        /// What is written on it: `initialize`.
        package let label: String
        /// Whether it points both ways: a link belongs to both ends.
        package let isMutual: Bool
        package internal(set) var part = Part.departure
        /// When it arrived; nil where another row says so.
        package internal(set) var arrives: VirtualTime?
    }

    /// The same thing at one device, again and again.
    package struct Fold: Equatable, Sendable {
        /// The device at whose line it stands.
        package let device: String
        /// What it was the first time.
        package let label: String
        package internal(set) var count: Int
        package internal(set) var last: VirtualTime
    }

    /// What the row is.
    package enum Body: Equatable, Sendable {
        case arrow(Arrow)
        /// Something at one device.
        case note(device: String, label: String)
        /// A line of a device's own log.
        case log(device: String, text: String)
        case fold(Fold)
        /// A step of the script, or what became of the run: it concerns everybody.
        case across(String)
        /// Nothing that is drawn happened for so long.
        case gap(Nanoseconds)
        case violation(SequenceFindings.Violation, isFirst: Bool)
        case end(String)
        /// What else went wrong in the run.
        case failure(String)
    }

    /// Why a row deserves a look.
    package enum Mark: Equatable, Sendable {
        /// It proves that a promise was broken.
        case evidence(promise: String)
        /// It is one of two events of which it matters which is first.
        case turned(words: String)
    }

    package let time: VirtualTime
    /// The number of the first event that it draws; nil where it draws none.
    package let event: UInt64?
    package internal(set) var body: Body
    /// Why it deserves a look.
    package internal(set) var marks: [Mark] = []

    /// Whether it shows something that happened, and is no remark of ours.
    package var isOfRun: Bool { if case .log = body { true } else { event != nil } }

    /// When what it draws is over.
    var end: VirtualTime {
        switch body {
        case .fold(let fold): fold.last
        case .arrow(let arrow): arrow.arrives ?? time
        default: time
        }
    }
}

extension SequenceRow: Encodable {
    private enum Key: String, CodingKey {
        case kind, time, event, device, from, to, label, part, arrives, count, last, nanoseconds
        case promise, clause, sentence, marks
    }

    /// One flat object whose `kind` says which keys it has; times are nanoseconds.
    package func encode(to encoder: any Encoder) throws {
        var row = encoder.container(keyedBy: Key.self)
        try row.encode(time.nanoseconds, forKey: .time)
        try row.encodeIfPresent(event, forKey: .event)
        if !marks.isEmpty { try row.encode(marks.map(\.words), forKey: .marks) }
        func say(_ kind: String, _ label: String) throws {
            try row.encode(kind, forKey: .kind)
            try row.encode(label, forKey: .label)
        }
        switch body {
        case .arrow(let arrow):
            try say("arrow", arrow.label)
            try row.encode(arrow.from, forKey: .from)
            try row.encode(arrow.to, forKey: .to)
            try row.encode(arrow.part.rawValue, forKey: .part)
            try row.encodeIfPresent(arrow.arrives?.nanoseconds, forKey: .arrives)
        case .note(let device, let label):
            try say("note", label)
            try row.encode(device, forKey: .device)
        case .log(let device, let text):
            try say("log", text)
            try row.encode(device, forKey: .device)
        case .fold(let fold):
            try say("fold", fold.label)
            try row.encode(fold.device, forKey: .device)
            try row.encode(fold.count, forKey: .count)
            try row.encode(fold.last.nanoseconds, forKey: .last)
        case .across(let label): try say("across", label)
        case .gap(let length):
            try row.encode("gap", forKey: .kind)
            try row.encode(length, forKey: .nanoseconds)
        case .violation(let violation, _):
            try row.encode("violation", forKey: .kind)
            try row.encode(violation.promise, forKey: .promise)
            try row.encode(violation.clause, forKey: .clause)
            try row.encode(violation.device, forKey: .device)
            try row.encode(violation.sentence, forKey: .sentence)
        case .end(let label): try say("end", label)
        case .failure(let label): try say("failure", label)
        }
    }
}

extension SequenceRow.Mark {
    package var words: String {
        switch self {
        case .evidence(let promise): "see \(promise)"
        case .turned(let words): words
        }
    }
}
