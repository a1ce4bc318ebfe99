package import DeviceLink

/// What is known about a run beside its trace: what was broken, and which events it matters to look at.
package struct SequenceFindings: Equatable, Sendable {
    package struct Violation: Equatable, Sendable {
        package let promise: String
        /// Where it is written; empty where nowhere.
        package let clause: String
        /// The device that broke it; empty where no one device did.
        package let device: String
        /// When it was broken; nil where the end of the run did.
        package let time: VirtualTime?
        /// What happened, in one sentence with devices and times.
        package let sentence: String
        /// The numbers of the events that prove it.
        package let events: [UInt64]
        /// Whether the topology wants it broken.
        package let isExpected: Bool

        package init(
            promise: String, clause: String, device: String, time: VirtualTime?, sentence: String,
            events: [UInt64], isExpected: Bool = false
        ) {
            self.promise = promise
            self.clause = clause
            self.device = device
            self.time = time
            self.sentence = sentence
            self.events = events
            self.isExpected = isExpected
        }
    }

    /// An event of a pair of which it matters which is first.
    package struct Turned: Encodable, Equatable, Sendable {
        /// Its number in the trace.
        package let event: UInt64
        /// What to say beside it.
        package let words: String

        package init(event: UInt64, words: String) {
            (self.event, self.words) = (event, words)
        }
    }

    /// In the order of time, those at the end last.
    package let violations: [Violation]
    /// What the two siblings of a run have the other way round.
    package var turned: [Turned]
    /// What else went wrong, drawn at the end of the run: a device that died, an expectation that was not met.
    package let ending: [String]

    /// What is known; what is omitted is empty.
    package init(violations: [Violation] = [], turned: [Turned] = [], ending: [String] = []) {
        self.violations = violations.enumerated().sorted {
            ($0.element.time ?? .never, $0.offset) < ($1.element.time ?? .never, $1.offset)
        }.map(\.element)
        self.turned = turned
        self.ending = ending
    }

    /// What to say beside each event, by its number; looked up only.
    var marks: [UInt64: [SequenceRow.Mark]] {
        var marks: [UInt64: [SequenceRow.Mark]] = [:]
        for violation in violations {
            for event in violation.events {
                let mark = SequenceRow.Mark.evidence(promise: violation.promise)
                if marks[event]?.contains(mark) != true { marks[event, default: []].append(mark) }
            }
        }
        for event in turned { marks[event.event, default: []].append(.turned(words: event.words)) }
        return marks
    }
}
