import Artifacts
import Choices
import Foundation
package import Reports
import Scenarios

/// Why a run fails: `explanation.json`.
package struct Explanation: Codable {
    /// Two events of which it matters which is first.
    struct Race: Codable {
        /// The one that is first where it fails.
        let first: Moment
        /// The one that is first where it holds.
        let second: Moment
        /// What the defects that are switched on declare to race.
        let declared: [Declaration]
        /// What was played to know it.
        let proof: Proof
    }

    /// The two orders of a pair at one time with nothing else changed, one of which fails and one of which holds,
    /// and what the first event does among the neighbours of the second.
    struct Proof: Codable {
        /// Whether it was the first event of the pair that was moved, and not the second.
        let movesFirst: Bool
        /// Where it fails in another way right behind the boundary, and in this way only further on: that other way.
        let otherwise: String?
        /// Whether right behind the boundary what is left unanswered further on is not even asked; nil for no.
        var isUnasked: Bool?
        /// What happens before and after the other one, where to be before or after that makes no difference.
        let neighbours: [Moment]
        /// What it was moved by where it is no event of the two that was put behind another one.
        var moved: Moved?
    }

    /// A step of the script, the start of a device or a delay, with two times of which one breaks and one holds.
    struct Moved: Codable {
        /// What was moved, in words: `a delay of timer ni (ben)`.
        let what: String
        /// The time at which the run breaks, in nanoseconds.
        let breaks: UInt64
        /// In nanoseconds: one more or less.
        let holds: UInt64
    }

    /// With what the two runs part at a device that the proof of the failure is about.
    struct Effect: Codable {
        /// The one that is first where it fails.
        let first: Moment
        /// The one that is first where it holds.
        let second: Moment
        /// Whether the first one happens where it holds, if later.
        let isKept: Bool
    }

    /// The race that a defect declares.
    struct Declaration: Codable {
        let defect: String
        let devices: [String]
        /// Kinds of events, or beginnings of kinds, that race with the other ones.
        let one: [String]
        let other: [String]
        /// Whether the two events are of its two sides, at these devices.
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
        /// What the trace has of it.
        let happens: [Happening]
        /// What the trace has of what it is about, and of what it brings about at once.
        let about: [Happening]
        /// What the trace of the run that holds has of both; nil where it was not looked up.
        var inPassing: [Happening]?
    }

    /// What an event of the trace is, in short.
    struct Happening: Codable {
        /// Its place in the trace of its run.
        let number: UInt64
        let kind: String
        /// Where it happens, and with whom.
        let devices: [String]
        /// What is sent or received, where that is an attribute's PDU.
        let pdu: String?
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
        /// The share of failures before the step.
        let before: Likelihood
        /// The share of failures after it.
        let after: Likelihood
    }

    /// The version of this document.
    var schema = 5
    package let fingerprint: String
    /// The pair that is proven to race: it is the other way round in the nearest run that holds.
    var race: Race?
    /// What that run, or another one that holds where no pair is proven, puts the other way round where the failure
    /// shows; nil where it is the two of the race themselves.
    var effect: Effect?
    /// The steps of its script, where it fails in every order; nil where it is not known to.
    var needs: [String]?
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
    package var isExhausted = false
}

extension Explanation {
    /// The first line of its text: what races, or that nothing is known to.
    package var headline: String {
        if let race { return "race: \(race.first.words) against \(race.second.words)" }
        if isInEveryOrder {
            let runs = underRandomDelivery?.runs ?? 0
            return
                "no race: it fails in every order (in \(runs) of \(runs) runs under random delivery)"
        }
        guard !hasPassed else { return "no pair of events is proven to race; the run holds" }
        return "no passing run was found in \(candidates) tries"
            + (isExhausted ? "; more with --replays" : "")
    }

    /// Whether no order holds, as far as is known.
    package var isInEveryOrder: Bool { needs != nil }

    /// What it takes to pass, where no pair is proven.
    package var remedy: String? { race == nil ? difference.first : nil }

    /// Whether a run was found that passes.
    private var hasPassed: Bool { parting != nil || !difference.isEmpty }

    /// For people.
    ///
    /// - Parameters:
    ///   - report: Of the run that fails and is nearest to one that passes.
    ///   - failing: What repeats that run.
    ///   - passing: What repeats the one that passes.
    ///   - ink: Colours of what was found, and of what was broken.
    /// - Returns: Its lines, each with its end.
    package func text(
        _ report: RunReport, failing: String?, passing: String?, ink: Ink = Ink(.never)
    ) -> String {
        var lines: [String] = []
        if let race {
            let times = [race.first, race.second]
                .map { $0.time.map(Console.milliseconds) ?? "never" }.joined(separator: " and ")
            lines += [
                headline,
                "  breaks when \(race.first.words) is first (\(times)); holds when "
                    + "\(race.second.words) is first",
                "  events: \"\(race.first.event.text)\" and \"\(race.second.event.text)\"",
                "  \(race.control)",
            ]
            if let effect { lines.append("  effect: \(effect.order)") }
            lines += race.declared.map { "  \($0.sentence)" }
        } else {
            lines.append(headline)
            if let needs, !needs.isEmpty {
                lines += ["it takes these steps:"] + needs.map { "  \($0)" }
            }
            if passing != nil {
                lines += difference.map { "  \($0)" }
                if let effect { lines.append("  while here \(effect.order)") }
            }
        }
        lines += why(report)
        if let parting {
            lines += [
                "first divergence: step \(parting.step)", "  this run: \(parting.failing)",
                "  passing:  \(parting.passing)",
            ]
        }
        if let failing, let passing {
            lines += ["failing sibling: \(failing)", "passing sibling: \(passing)"]
        }
        if let likely, likely != inevitable {
            lines += ["it fails more often than not from \(likely.place)", "  \(likely.sentence)"]
        }
        if let inevitable {
            lines += [
                "it fails in every improvisation from \(inevitable.place)",
                "  \(inevitable.sentence)",
            ]
        }
        if let underRandomDelivery, needs == nil {
            lines.append(
                "under random delivery: it fails in \(underRandomDelivery.sentence), by the strategies of the "
                    + "portfolio")
        }
        return lines.enumerated().map { place, line in
            let tone: Ink.Tone = place == 0 ? .bold : line.hasPrefix("why: ") ? .bad : .plain
            return ink(plain(line), as: tone) + "\n"
        }.joined()
    }

    private func why(_ report: RunReport) -> [String] {
        guard let (promise, violation) = report.firstViolation else {
            return report.failure.map { ["why: \($0)"] } ?? []
        }
        let source = promise.about.clause
        let clause = source == .nowhere ? "" : ", clause \(source.text)"
        return [
            "why: \(violation.sentence)", "  promise: \(promise.promise)\(clause)",
        ]
    }
}

extension Explanation.Race {
    /// What was played, in a sentence.
    fileprivate var control: String {
        if let moved = proof.moved {
            let side = moved.breaks < moved.holds ? "later" : "earlier"
            let otherwise = proof.otherwise.map { " in another way (\($0))" } ?? ""
            return
                "played: with \(moved.what) at \(TimedFault.text(moved.breaks)) it breaks\(otherwise), "
                + "and 1 ns \(side) it holds, with nothing else changed"
        }
        let moved = proof.movesFirst ? first.words : second.words
        var played = "played: both orders at one time, with nothing else changed"
        if let otherwise = proof.otherwise {
            played += "; that close together they break in another way (\(otherwise))"
        }
        if proof.isUnasked == true {
            played += "; that close together nobody asks for what does not come"
        }
        guard !proof.neighbours.isEmpty else { return played }
        return played + "; that \(moved) is before or after "
            + proof.neighbours.map(\.words).joined(separator: ", or ") + " makes no difference"
    }
}

extension Explanation.Effect {
    /// `X is before Y`, as it is where it fails.
    fileprivate var order: String {
        "\(first.words) is before \(second.words)"
            + (isKept ? "" : "; where it holds, the first never comes")
    }
}

extension Explanation.Declaration {
    fileprivate var sentence: String {
        let whose = "\(defect) of \(devices.joined(separator: " and "))"
        let odds = String(format: "%.2g", chance * 100)
        let luck = "(as do \(odds) % of all pairs of events of this run)"
        if isThis { return "these two match the race that \(whose) declares \(luck)" }
        if isEffect { return "the effect matches the race that \(whose) declares \(luck)" }
        return "\(whose) declares another race: \(one.joined(separator: ", ")) against "
            + other.joined(separator: ", ")
    }
}

extension Explanation.Turn {
    fileprivate var place: String { "step \(step), \(words)" }

    /// What was measured; between the two nothing says that there was no such step before.
    fileprivate var sentence: String {
        "after this step \(after.hits) of \(after.runs) improvisations fail, before it \(before.hits) of "
            + "\(before.runs); found by halving, so an earlier step may do as well"
    }
}
