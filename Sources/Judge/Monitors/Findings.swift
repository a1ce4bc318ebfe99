package import DeviceLink
import Traces

/// What a monitor has found so far.
package struct Findings: Equatable, Sendable {
    /// One way in which the property was broken, with its proof.
    package struct Breach: Equatable, Sendable {
        /// The instance's values, in the order of the property's keys.
        package let binding: [Field.Value]
        /// When it was broken: the time of the event, or of the deadline that passed.
        package let time: VirtualTime
        /// The events that prove it, oldest first.
        package let events: [Citation]
        /// How many events had been counted, or how many of those in order had been seen.
        package let seen: Int
        /// The state that a machine was in; empty for any other property.
        package var state = ""
        /// What is to be seen of the event that broke it; empty where one was missing.
        package var fields: [Field] = []
    }

    /// How often the property was put to the test.
    package private(set) var exercised = 0
    /// Whether the property itself says what puts it to the test.
    private let isByStimulus: Bool
    /// How often it was let go.
    package var excused = 0
    package var breachCount = 0
    /// The first breaches; later ones are only counted, so that memory stays flat.
    package var breaches: [Breach] = []
    /// The least time that was left when an obligation was discharged; nil where none had a deadline.
    package var closestCall: Nanoseconds?
    /// How many obligations the end of the trace left open.
    package var open = 0

    /// How many breaches are kept whole.
    package static let kept = Record.kept

    /// The verdict on the property, after the last event.
    package var verdict: Outcome {
        Outcome(broken: breachCount, open: open, exercised: exercised)
    }

    init(isByStimulus: Bool) { self.isByStimulus = isByStimulus }

    /// The body of the property was put to the test, which counts unless the property names its stimuli.
    mutating func exercise() { if !isByStimulus { exercised += 1 } }

    mutating func stimulate() { exercised += 1 }

    mutating func breach(
        _ values: [Field.Value], at time: VirtualTime, citing events: [Citation], seen: Int = 0,
        state: String = "", by event: TraceEvent? = nil
    ) {
        breachCount += 1
        guard breaches.count < Self.kept else { return }
        breaches.append(
            Breach(
                binding: values, time: time, events: events, seen: seen, state: state,
                fields: event?.fields ?? []))
    }

    mutating func discharge(before deadline: VirtualTime, at time: VirtualTime) {
        guard deadline != .never else { return }
        let rest = deadline - time
        closestCall = min(closestCall ?? rest, rest)
    }
}
