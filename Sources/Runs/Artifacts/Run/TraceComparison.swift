package import Traces

/// Where two traces first differ.
package struct TraceDifference: Equatable, Sendable {
    /// The event of the one; nil where it is at its end.
    package let expected: TraceEvent?
    /// The event of the other; nil where it is at its end.
    package let found: TraceEvent?
    /// The event before, in both; nil where they differ from the first on.
    package let before: TraceEvent?

    /// `event 12, step 34`.
    package var place: String {
        (expected ?? found).map { "event \($0.number), step \($0.step)" } ?? "the end"
    }

    /// An event as the pattern that means just it: `0.812 s  link.up on ben with peer = lock`.
    package static func picture(_ event: TraceEvent?) -> String {
        guard let event else { return "the end of the trace" }
        let pattern = EventPattern(
            kind: event.name, device: event.device.isEmpty ? nil : event.device,
            having: event.fields)
        return "\(event.time.seconds)  \(pattern)"
    }
}

/// Compares a trace on disk with events that should be the same, one by one.
///
/// Neither is held in memory as a whole.
package final class TraceComparison {
    private let trace: TraceFileReader
    private var last: TraceEvent?
    package private(set) var count: UInt64 = 0
    /// Where they first differ; nil as long as they do not.
    package private(set) var difference: TraceDifference?

    /// A comparison with a trace of which nothing was read.
    package init(_ trace: TraceFileReader) { self.trace = trace }

    package var header: TraceHeader? { trace.header }

    /// Takes the next event of the other; what comes after the first difference is not looked at.
    ///
    /// - Throws: `DocumentError` where the trace on disk is none.
    package func take(_ event: TraceEvent) throws {
        guard difference == nil else { return }
        try hold(event)
    }

    package func finish() throws {
        if difference == nil { try hold(nil) }
    }

    private func hold(_ found: TraceEvent?) throws {
        let expected = try trace.next()
        guard !Self.isSame(expected, as: found) else {
            if let found { (last, count) = (found, count + 1) }
            return
        }
        difference = TraceDifference(expected: expected, found: found, before: last)
    }

    /// Roles do not count: they are not written with each event, but once, elsewhere in the trace.
    private static func isSame(_ one: TraceEvent?, as other: TraceEvent?) -> Bool {
        guard var one, let other else { return one == nil && other == nil }
        one.role = other.role
        return one == other
    }
}
