package import DeviceLink
package import Traces

/// What became of a promise, of an expectation, or of a whole run.
package enum Outcome: String, Codable, Sendable {
    /// All that was put to the test was kept.
    case held
    /// A promise was broken, or an expectation was not met.
    case violated
    /// The run ended before everything was decided.
    case inconclusive
    /// No event put the promise to the test; a run and an expectation are held then.
    case vacuous

    /// What these counts come to.
    package init(broken: Int, open: Int, exercised: Int) {
        self =
            if broken > 0 {
                .violated
            } else if open > 0 {
                .inconclusive
            } else {
                exercised == 0 ? .vacuous : .held
            }
    }
}

/// An event that a violation points to.
package struct Citation: Equatable, Sendable {
    /// Its number in the trace.
    package let number: UInt64
    package let time: VirtualTime
    /// The name of the kind of event: `link.up`.
    package let kind: String
    /// The device that it happened to; empty where it concerns none.
    package let device: String

    package init(_ event: TraceEvent) {
        number = event.number
        time = event.time
        kind = event.name
        device = event.device
    }
}

/// A broken promise: the proof.
package struct Violation: Equatable, Sendable {
    /// The promise's name: `message-order`.
    package let promise: String
    package let device: String
    /// When it was broken: the time of the event, or of the deadline that passed.
    package let time: VirtualTime
    /// Which session, link or pair it is about: `ben – lock, link 3`.
    package let key: String
    /// What happened, in plain words with devices and times.
    package let sentence: String
    /// The events that prove it, oldest first.
    package let events: [Citation]

    package init(
        promise: String, device: String, time: VirtualTime, key: String, sentence: String,
        events: [Citation]
    ) {
        self.promise = promise
        self.device = device
        self.time = time
        self.key = key
        self.sentence = sentence
        self.events = events
    }
}

/// What a promise has seen so far.
package struct Record: Equatable, Sendable {
    /// How often the promise was put to the test.
    package private(set) var exercised = 0
    /// How often it was let go because of something the keeper is not to blame for.
    package private(set) var excused = 0
    package private(set) var violationCount = 0
    /// The first violations; later ones are only counted, so that memory stays flat.
    package private(set) var violations: [Violation] = []

    /// How many violations are kept whole.
    package static let kept = 20

    package init() {}

    package init(exercised: Int, excused: Int, violationCount: Int, violations: [Violation]) {
        self.exercised = exercised
        self.excused = excused
        self.violationCount = violationCount
        self.violations = violations
    }

    /// The promise was put to the test.
    package mutating func exercise(_ count: Int = 1) { exercised += count }

    /// The promise was let go.
    package mutating func excuse(_ count: Int = 1) { excused += count }

    package mutating func violate(_ violation: Violation) {
        violationCount += 1
        if violations.count < Self.kept { violations.append(violation) }
    }
}
