import Artifacts
package import Choices
package import Orchestration
import YAML

/// Runs that are like the failing one but for one thing.
extension Explainer {
    package struct Sibling {
        package var task: RunTask
        package var schedule: Schedule
    }

    /// A sibling that has been played, and what its events are called.
    package struct Played {
        package let sibling: Sibling
        package let words: EventWords
    }

    func played(_ sibling: Sibling) throws -> Played {
        Played(
            sibling: sibling,
            words: EventWords(try runner.study(sibling.task, by: .schedule(sibling.schedule))))
    }

    /// What puts two events the other way round.
    struct Swap {
        /// The one that is first in the failing run.
        let first: EventID
        let second: EventID
        /// What is different then, in words.
        let sentence: String
        /// What would prove that these two, or two near them, race.
        let ground: Ground
        let change: (inout Sibling) -> Void
    }

    /// What is moved, and by what.
    enum Ground {
        /// An event waits for others: the first one of a swap longer than before, or the second one no longer.
        case waiting(EventID)
        /// A step, or a start, is on the other side of an event.
        case moving(Crossing)
    }

    var itself: Sibling { Sibling(task: task, schedule: failing.schedule) }

    /// Whether nothing more may be played.
    package var isExhausted: Bool { explanation.candidates >= mostReplays || runner.isInterrupted }

    package enum Outcome: Equatable {
        case holds, fails
        /// It fails in another way, which has this fingerprint.
        case otherwise(String)
        /// It holds because what was left unanswered was never asked.
        case unasked
        case undecided

        var isFailure: Bool { self != .holds && self != .undecided }

        /// The other way in which it fails.
        var other: String? {
            if case .otherwise(let fingerprint) = self { fingerprint } else { nil }
        }
    }

    /// Whether a sibling passes, which then keeps of its schedule only what makes a difference.
    mutating func passes(_ sibling: inout Sibling) throws -> Bool {
        try outcome(of: &sibling) == .holds
    }

    /// What becomes of a sibling; one that holds keeps of its schedule only what makes a difference.
    mutating func outcome(of sibling: inout Sibling) throws -> Outcome {
        guard !isExhausted else { return .undecided }
        explanation.candidates += 1
        display.show(
            "looks for the nearest run that passes: \(explanation.candidates) of at most \(mostReplays) played"
        )
        // A run that a device cut short does not say how long a passing run is.
        let isCut = failing.report.status == .deviceFailed
        do {
            let (report, idle) = try runner.judge(
                sibling.task, by: .schedule(sibling.schedule),
                mostSteps: isCut ? .max : Study.mostSteps(of: failing))
            if let fingerprint = report.fingerprint {
                return fingerprint == explanation.fingerprint ? .fails : .otherwise(fingerprint)
            }
            guard report.status == .held else { return .undecided }
            guard request?.isMade ?? true else { return .unasked }
            sibling.schedule.subtract(idle)
            return .holds
        } catch is DocumentError {
            // A step may now lie behind the end of the run.
            return .undecided
        }
    }

    /// One after of the schedule taken back, the latest first.
    var takenBack: [Swap] {
        failing.schedule.afters.reversed().map { after in
            Swap(
                first: after.after, second: after.event, sentence: "without \(after.sentence)",
                ground: .waiting(after.event)
            ) { sibling in sibling.schedule.afters.removeAll { $0 == after } }
        }
    }

    /// Two events the other way round that could have arrived in either sequence, the latest first.
    func picked(_ rivals: KeyPath<Pick, [EventID]>) -> [Swap] {
        failing.picks.prefix(lastPick + 1).reversed().flatMap { pick in
            pick[keyPath: rivals].filter { words.step(of: $0) != nil && !$0.isEnd }.map { rival in
                putOff(pick.event, behind: rival)
            }
        }
    }

    /// An event only after another one that could have been first.
    func putOff(_ event: EventID, behind rival: EventID) -> Swap {
        let after = After(event: event, after: rival)
        return Swap(
            first: event, second: rival, sentence: "with \(after.sentence)", ground: .waiting(event)
        ) { sibling in
            // Neither waits for anything else any more, least of all for the other one.
            sibling.schedule.afters.removeAll { $0.event == event || $0.event == rival }
            sibling.schedule.afters.append(after)
        }
    }
}
