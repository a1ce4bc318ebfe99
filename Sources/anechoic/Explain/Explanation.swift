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
        /// What was played to know it; nil where it is only known that the two are the other way round where it holds.
        let proof: Proof?
    }

    /// The two orders of a pair at one time with nothing else changed, one of which fails and one of which holds,
    /// and what the first event does among the neighbours of the second.
    struct Proof: Codable {
        /// Whether it was the first event of the pair that was moved, and not the second.
        let movesFirst: Bool
        /// Where it fails in another way right behind the boundary, and in this way only further on: that other way.
        let otherwise: String?
        /// What happens before and after the other one, where to be before or after that makes no difference.
        let neighbours: [Moment]
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
        /// Whose it is.
        let device: String
        /// Kinds of events, or beginnings of kinds, that race with the other ones.
        let one: [String]
        let other: [String]
        /// Whether the two events are of its two sides, at this device.
        let isThis: Bool
        /// Whether those of the effect are.
        let isEffect: Bool
        /// The share of all pairs of events of the run that would be.
        let chance: Double
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
    var schema = 3
    let fingerprint: String
    /// The pair that is the other way round in the nearest run that holds.
    var race: Race?
    /// What it takes to pass where no pair is proven.
    var difference: [String] = []
    var parting: Parting?
    /// From where on it is likelier than not.
    var likely: Turn?
    /// From where on all of the improvisations failed that were tried.
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
        if let race, let proof = race.proof {
            lines += [
                "race: \(race.first.words) against \(race.second.words)",
                "  breaks when \(race.first.words) is first (this run, \(times(race))); holds when "
                    + "\(race.second.words) is first",
                "  events: \"\(race.first.event.text)\" and \"\(race.second.event.text)\"",
                "  \(race.control(proof))",
            ]
            if let effect = race.effect {
                lines.append("  so that \(effect.first.words) is before \(effect.second.words)")
            }
            lines += race.declared.map { "  \($0.sentence)" }
        } else if passing != nil {
            lines.append("no pair of events is proven to race; it holds")
            lines += difference.map { "  \($0)" }
            if let effect = race?.effect {
                lines.append(
                    "  where \(effect.first.words) is not before \(effect.second.words), as it is here"
                )
            }
            lines +=
                race?.declared.filter { $0.isThis || $0.isEffect }.map { "  \($0.sentence)" } ?? []
        } else {
            lines.append(
                "no run that passes was found beside it in \(candidates) tries"
                    + (isExhausted ? "; more with --replays" : ""))
        }
        lines += why(report)
        if let parting {
            lines += [
                "first divergence: step \(parting.step)", "  this run: \(parting.failing)",
                "  passing:  \(parting.passing)",
            ]
        }
        if let passing { lines.append("passing sibling: \(passing)") }
        if let likely, likely != inevitable {
            lines += ["likelier than not from \(likely.place)", "  \(likely.sentence)"]
        }
        if let inevitable {
            lines += [
                "in every improvisation from \(inevitable.place)", "  \(inevitable.sentence)",
            ]
        }
        if let underRandomDelivery {
            lines.append(
                "under random delivery: it fails in \(underRandomDelivery.sentence), by the strategies of the "
                    + "portfolio")
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

extension Explanation.Race {
    /// What was played, in a sentence.
    fileprivate func control(_ proof: Explanation.Proof) -> String {
        let moved = proof.movesFirst ? first.words : second.words
        var played = "played: both orders at one time, with nothing else changed"
        if let otherwise = proof.otherwise {
            played += "; so near to each other they break in another way (\(otherwise))"
        }
        guard !proof.neighbours.isEmpty else { return played }
        return played + "; that \(moved) is before or after "
            + proof.neighbours.map(\.words).joined(separator: ", or ") + " makes no difference"
    }
}

extension Explanation.Declaration {
    fileprivate var sentence: String {
        let odds = String(format: "%.2g", chance * 100)
        let luck = "(so would be \(odds) % of all pairs of events of this run)"
        if isThis { return "this is the race that \(defect) of \(device) declares \(luck)" }
        if isEffect { return "these two are the race that \(defect) of \(device) declares \(luck)" }
        return
            "\(defect) of \(device) declares another race: \(one.joined(separator: ", ")) against "
            + other.joined(separator: ", ")
    }
}

extension Explanation.Turn {
    fileprivate var place: String { "step \(step), \(words)" }

    /// What was measured; between the two nothing says that there was no such step before.
    fileprivate var sentence: String {
        "of \(after.runs) improvisations behind this step \(after.hits) fail, of \(before.runs) before it "
            + "\(before.hits); sought by halving, so an earlier step may do as well"
    }
}
