package import Choices
package import Reports
package import Simulation
package import Traces

/// A run that was looked at.
package struct Study: Sendable {
    package let report: RunReport
    package let steps: [World.StepRecord]
    /// What gives it again.
    package let schedule: Schedule
    /// Its picks, one for each step where a schedule or a random scheduler picked.
    package let picks: [Pick]
    package let events: [TraceEvent]
    /// The random faults that it drew.
    package let randomFaults: [DrawnFault]

    /// After how many steps a run that is much like it has gone astray.
    package static func mostSteps(of study: Study) -> UInt64 {
        2 * UInt64(study.steps.count) + 1_000
    }
}

final class EventList: RunSink {
    private(set) var events: [TraceEvent] = []

    func take(_ event: TraceEvent) { events.append(event) }
}
