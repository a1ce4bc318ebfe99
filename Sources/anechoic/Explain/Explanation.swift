import Foundation
import Orchestration
import Reports
import Simulation

/// Why a run fails: `explanation.json`.
struct Explanation: Codable {
    /// Two events of which it matters which is first.
    struct Race: Codable {
        /// The one that is first where it fails.
        let first: Moment
        /// The one that is first where it holds.
        let second: Moment
        /// What it puts the other way round where it matters; nil where that is the two themselves.
        var effect: Effect?
        /// What the defects that are switched on declare to race.
        let declared: [Declaration]
    }

    /// Two events that reach one device, of which one happens with what proves the failure.
    struct Effect: Codable {
        /// The one that is first where it fails.
        let first: Moment
        /// The one that is first where it holds.
        let second: Moment
    }

    /// The race that a defect declares.
    struct Declaration: Codable {
        let defect: String
        /// Kinds of events, or beginnings of kinds, that race with the other ones.
        let one: [String]
        let other: [String]
        /// Whether the two events are of its two sides.
        let isThis: Bool
        /// Whether those of the effect are.
        let isEffect: Bool
    }

    /// An event of the failing run.
    struct Moment: Codable {
        /// Its channel and ordinal.
        let event: EventID
        /// What the trace says of it.
        let words: String
        /// When it happens there, in nanoseconds; nil where it never does.
        let time: UInt64?
    }

    /// Where two runs part.
    struct Parting: Codable {
        let step: Int
        let failing: String
        let passing: String
    }

    /// A step after which it is much likelier that it fails.
    struct Turn: Codable, Equatable {
        let step: Int
        let words: String
        /// Before that step.
        let before: Likelihood
        /// After it.
        let after: Likelihood
    }

    /// The version of this document.
    var schema = 2
    let fingerprint: String
    /// The pair, if one swap is the whole difference.
    var race: Race?
    /// What it takes to pass, over the plain schedule, where no single swap is enough.
    var difference: [String] = []
    var parting: Parting?
    /// From where on it is likelier than not.
    var likely: Turn?
    /// From where on all of the runs failed that were tried.
    var inevitable: Turn?
    /// How often the scenario fails where the order is drawn anew.
    var underRandomDelivery: Likelihood?
    /// How many candidates for a run that passes were played.
    var candidates = 0
    /// Whether there were more of them than might be played.
    var isExhausted = false
}

extension Explanation {
    /// For people.
    func text(_ report: RunReport, passing: String?) -> String {
        var lines: [String] = []
        if let race {
            lines += [
                "race: \(race.first.words) against \(race.second.words)",
                "  breaks when \(race.first.words) is first (this run, \(times(race))); holds when "
                    + "\(race.second.words) is first",
                "  events: \"\(race.first.event.text)\" and \"\(race.second.event.text)\"",
            ]
            if let effect = race.effect {
                lines.append("  so that \(effect.first.words) is before \(effect.second.words)")
            }
            lines += race.declared.map { "  \($0.sentence)" }
        } else if passing != nil {
            lines.append("no single swap explains it; it holds")
            lines += difference.map { "  \($0)" }
        } else {
            lines.append(
                "no run that passes was found beside it"
                    + (isExhausted
                        ? " in \(candidates) tries; more with --replays"
                        : ": this scenario fails in any order"))
        }
        lines += why(report)
        if let parting {
            lines += [
                "first divergence: step \(parting.step)", "  this run: \(parting.failing)",
                "  passing:  \(parting.passing)",
            ]
        }
        if let passing { lines.append("passing sibling: \(passing)") }
        if let likely, likely != inevitable { lines.append("likely from: \(likely.sentence)") }
        if let inevitable { lines.append("inevitable from: \(inevitable.sentence)") }
        if let underRandomDelivery {
            lines.append("under random delivery: it fails in \(underRandomDelivery.sentence)")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func times(_ race: Race) -> String {
        [race.first, race.second].map { $0.time.map(Console.milliseconds) ?? "never" }
            .joined(separator: " and ")
    }

    private func why(_ report: RunReport) -> [String] {
        guard let (promise, violation) = report.firstViolation else {
            return report.failure.map { ["why: \($0)"] } ?? []
        }
        let clause = promise.clause.isEmpty ? "" : ", clause \(promise.clause)"
        return [
            "why: \(violation.sentence)", "  promise: \(promise.promise)\(clause)",
        ]
    }
}

extension Explanation.Declaration {
    fileprivate var sentence: String {
        if isThis { return "this is the race that \(defect) declares" }
        if isEffect { return "these two are the race that \(defect) declares" }
        return "\(defect) declares another race: \(one.joined(separator: ", ")) against "
            + other.joined(separator: ", ")
    }
}

extension Explanation.Turn {
    fileprivate var sentence: String {
        let shares = [before, after].map { String(format: "%.2f", $0.share) }
        return "step \(step), \(words) (likelihood \(shares[0]) → \(shares[1]))"
    }
}
