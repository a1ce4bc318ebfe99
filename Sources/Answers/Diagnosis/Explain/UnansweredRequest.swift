import Orchestration
import Reports
import Traces
import Vocabulary

/// The message after which what a promise demands did not come in time.
///
/// A run in which nobody makes it holds, but does not show that it would be answered: a phone whose `initialize` was
/// lost sends no shareable data, which then need not be acknowledged.
final class UnansweredRequest: RunSink {
    private let request: TraceEvent
    /// Whether it was made in the run that was played last.
    private(set) var isMade = false

    /// Nil where a promise is broken by what happened, or by what did not follow something else, or none is.
    init?(of study: Study) {
        guard let violation = study.report.firstViolation?.violation,
            let last = violation.events.max(),
            let request = study.events.first(where: { $0.number == last }),
            request.time.nanoseconds < violation.time, request.kind?.family == "msg",
            request.name.hasSuffix(".received")
        else { return nil }
        self.request = request
    }

    func take(_ event: TraceEvent) {
        if event.kind == .runStarted { isMade = false }
        if event.name == request.name && event.device == request.device
            && event.text("peer") == request.text("peer")
        {
            isMade = true
        }
    }
}
