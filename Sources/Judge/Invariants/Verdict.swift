package import DeviceLink
package import Monitors
package import Promises
package import Scenarios

/// What a run has shown.
package struct Verdict: Equatable, Sendable {
    /// What became of one promise.
    package struct PromiseResult: Equatable, Sendable {
        package let about: PromiseDescription
        /// What became of it.
        package let outcome: Outcome
        /// Whether the topology expects it to be broken.
        package let isMeantToBreak: Bool
        /// What was counted and found.
        package let record: Record
        /// The least time that was left before a deadline; nil where none was told.
        package let closestCall: Nanoseconds?
        /// How many obligations the end of the run left undecided.
        package let undecided: Int
        /// The time bounds it worked with.
        package let bounds: [Bound]
    }

    /// What became of one expectation.
    package struct ExpectationResult: Equatable, Sendable {
        package let expectation: Expectation
        /// What became of it; never `vacuous`.
        package fileprivate(set) var outcome: Outcome
        /// What was seen instead, in one sentence; nil where it was held.
        package fileprivate(set) var sentence: String?
        /// How much of it was seen, without times; nil unless it was violated.
        package let progress: String?
        /// The events that prove that it was violated.
        package let events: [Citation]
    }

    /// What the run has shown in one word, never `vacuous`; nil where a device failed, or the harness did.
    package var outcome: Outcome?
    /// Why the run could not be judged; nil where there is an outcome.
    package var error: String?
    /// When the run ended.
    package let end: VirtualTime
    /// How many events its trace has.
    package let eventCount: UInt64
    /// The promises, in the order of the catalogue.
    package internal(set) var promises: [PromiseResult]
    /// The goals, in the order of the library.
    package let goals: [GoalProgress]
    /// The expectations, in the order of the file.
    package internal(set) var expectations: [ExpectationResult]
    /// What the topology wanted broken and was not, in sentences.
    package internal(set) var unbroken: [String]
    /// The ids of the messages that R4 does not know, in ascending order.
    package let otherMessages: [UInt8]

    /// All violations that are held against the run, in the order of time.
    package var violations: [Violation] {
        promises.filter { !$0.isMeantToBreak }.flatMap(\.record.violations)
            .enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
            .map(\.element)
    }

    /// How many violations there were, also those beyond what is kept and those that were meant.
    package var violationCount: Int { promises.reduce(0) { $0 + $1.record.violationCount } }
}

extension Verdict {
    /// The verdict where a judge with longer bounds has seen the same: what only the shorter ones find broken is
    /// undecided.
    func excused(by lenient: Verdict) -> Verdict {
        var verdict = self
        verdict.promises = zip(promises, lenient.promises).map { $0.excused(by: $1) }
        verdict.expectations = zip(expectations, lenient.expectations).map { $0.excused(by: $1) }
        return verdict
    }
}

extension Verdict.PromiseResult {
    fileprivate func excused(by lenient: Self) -> Self {
        guard outcome == .violated, lenient.outcome != .violated else {
            return outcome == .violated ? lenient : self
        }
        return Self(
            about: about, outcome: .inconclusive, isMeantToBreak: isMeantToBreak,
            record: lenient.record, closestCall: nil, undecided: record.violationCount,
            bounds: bounds)
    }
}

extension Verdict.ExpectationResult {
    /// What was found by the end of a run.
    init(_ expectation: Expectation, _ findings: Findings) {
        let (body, breach) = (expectation.property.body, findings.breaches.first)
        self.expectation = expectation
        outcome = findings.verdict == .vacuous ? .held : findings.verdict
        sentence =
            breach.map(body.sentence)
            ?? (findings.open > 0 ? "The run did not come to its end." : nil)
        progress = breach.map(body.progress)
        events = breach?.events ?? []
    }

    fileprivate func excused(by lenient: Self) -> Self {
        guard outcome == .violated, lenient.outcome != .violated else {
            return outcome == .violated ? lenient : self
        }
        var undecided = self
        undecided.outcome = .inconclusive
        undecided.sentence? +=
            " That may be in time: the device goes by the wall clock, and was behind."
        return undecided
    }
}
