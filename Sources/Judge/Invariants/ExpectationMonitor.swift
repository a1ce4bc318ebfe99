import Basics
package import DeviceLink
import Monitors
package import Scenarios
package import Traces

/// Watches one expectation of a topology.
///
/// - `eventually within T`: an event that matches is seen at most T after the run began.
/// - `eventually`: one is seen by the end of the run.
/// - `never`: none is seen.
/// - `exactly n`, `at least n`, `at most n`: so many are seen by the end of the run.
/// - `in order [within T]`: events that match the patterns one after the other are seen, the last at
///   most T after the run began; other events may stand between them, and one event stands for one
///   pattern only.
package struct ExpectationMonitor: Sendable {
    private let expectation: Expectation
    private var outcome: Verdict.Outcome?
    private var sentence = ""
    private var seen: [Citation] = []
    private var count = 0

    /// Events kept of those that were counted.
    private static let kept = 20

    /// A monitor that has seen nothing.
    package init(_ expectation: Expectation) { self.expectation = expectation }

    /// Whether events of this kind can matter.
    package func isAbout(_ kind: String) -> Bool {
        switch expectation.body {
        case .eventually(let pattern, _), .never(let pattern), .count(let pattern, _):
            pattern.matches(kind: kind)
        case .inOrder(let patterns, _): patterns.contains { $0.matches(kind: kind) }
        }
    }

    /// When it will be decided at the latest; `never` where only the end of the run decides, or
    /// something has decided already.
    package var deadline: VirtualTime {
        guard outcome == nil else { return .never }
        switch expectation.body {
        case .eventually(_, let bound?), .inOrder(_, let bound?): return .zero + bound
        default: return .never
        }
    }

    /// What has to be seen yet; nil where it is decided, or only something unwanted decides it.
    var openObligation: OpenObligation? {
        guard outcome == nil else { return nil }
        switch expectation.body {
        case .never: return nil
        case .count(_, let range) where range.contains(count): return nil
        case .eventually, .count, .inOrder: break
        }
        return OpenObligation(
            promise: "expected", about: "line \(expectation.source.line)",
            awaited: expectation.text, deadline: deadline)
    }

    /// Takes the next event of the run, of any kind; deadlines before its time have been decided by
    /// `expire`.
    package mutating func observe(_ event: TraceEvent) {
        guard outcome == nil else { return }
        switch expectation.body {
        case .eventually(let pattern, _):
            guard pattern.matches(event) else { return }
            decide(.held, saying: "It was seen at \(event.time.seconds).", by: event)
        case .never(let pattern):
            guard pattern.matches(event) else { return }
            decide(.violated, saying: "It was seen at \(event.time.seconds).", by: event)
        case .count(let pattern, let range):
            guard pattern.matches(event) else { return }
            count(event, expecting: range)
        case .inOrder(let patterns, _):
            guard patterns[seen.count].matches(event) else { return }
            seen.append(Citation(event))
            guard seen.count == patterns.count else { return }
            outcome = .held
            sentence = "All were seen by \(event.time.seconds)."
        }
    }

    /// Decides what is overdue at `moment`.
    package mutating func expire(before moment: VirtualTime) {
        guard deadline < moment else { return }
        sentence = "\(missing) by \(deadline.seconds)."
        outcome = .violated
    }

    /// The result, at the end of a run; where the run is not whole, what is open stays open.
    package func result(isWhole: Bool) -> Verdict.ExpectationResult {
        let (outcome, sentence) = self.outcome.map { ($0, self.sentence) } ?? atEnd(isWhole)
        return Verdict.ExpectationResult(
            text: expectation.text, source: expectation.source, outcome: outcome,
            sentence: sentence, progress: progress, events: seen)
    }

    /// How much of it was seen: once too often is too often, however often it is after that.
    private var progress: String {
        switch expectation.body {
        case .eventually(_, nil): "not seen"
        case .eventually: "not seen in time"
        case .never: "seen"
        case .count(_, let range):
            count > range.upperBound
                ? "seen more than \(range.upperBound.times)" : "seen \(count.times)"
        case .inOrder(let patterns, _): "seen \(seen.count) of \(patterns.count)"
        }
    }

    private mutating func count(_ event: TraceEvent, expecting range: ClosedRange<Int>) {
        count += 1
        if seen.count < Self.kept { seen.append(Citation(event)) }
        guard count > range.upperBound else { return }
        outcome = .violated
        sentence =
            "It was seen for the \(count)\(Self.ordinalSuffix(count)) time at "
            + "\(event.time.seconds)."
    }

    private mutating func decide(
        _ outcome: Verdict.Outcome, saying sentence: String, by event: TraceEvent
    ) {
        self.outcome = outcome
        self.sentence = sentence
        seen = [Citation(event)]
    }

    /// What the end of the run means for what nothing has decided yet.
    private func atEnd(_ isWhole: Bool) -> (Verdict.Outcome, String) {
        switch expectation.body {
        case .never: (.held, "It was not seen.")
        case .count(_, let range) where range.contains(count):
            (.held, "It was seen \(count.times).")
        case .count where isWhole: (.violated, "It was seen \(count.times).")
        case .eventually, .inOrder, .count:
            isWhole
                ? (.violated, "\(missing) by the end of the run.")
                : (.inconclusive, "\(missing), and the run did not come to its end.")
        }
    }

    private var missing: String {
        guard case .inOrder(let patterns, _) = expectation.body else { return "It was not seen" }
        return switch seen.count {
        case 0: "None of \(patterns.count) was seen"
        case 1: "Only the first of \(patterns.count) was seen"
        default: "Only the first \(seen.count) of \(patterns.count) were seen"
        }
    }

    private static func ordinalSuffix(_ number: Int) -> String {
        switch (number % 10, number % 100) {
        case (_, 11...13): "th"
        case (1, _): "st"
        case (2, _): "nd"
        case (3, _): "rd"
        default: "th"
        }
    }
}
