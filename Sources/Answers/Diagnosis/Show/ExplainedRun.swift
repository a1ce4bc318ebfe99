import Artifacts
import DeviceLink
import Foundation
package import Reports
package import Sequences

/// A recorded run with what was found, and which pair of events an explanation beside it names.
package struct ExplainedRun {
    package let run: RecordedRun
    /// What the run was found to be, with the marks of the explanation.
    package private(set) var findings: SequenceFindings
    /// The folder with the explanation and the two runs that show it, one of which this may be; nil where
    /// there are no two.
    package private(set) var siblings: String?
    /// Where else to look, a line each.
    package private(set) var hints: [String] = []

    /// The run that a path means; of the folder of an explanation the one that fails.
    ///
    /// - Throws: `InputError` and `Replay.ReadError` where it is none.
    package init(_ path: String) throws {
        let folder =
            path.hasSuffix("/\(Self.name)") ? String(path.dropLast(Self.name.count + 1)) : path
        let isExplanation =
            InputFile.exists("\(folder)/\(Self.name)") && !InputFile.exists("\(folder)/trace.jsonl")
        run = try RecordedRun(isExplanation ? "\(folder)/failing" : path)
        findings = run.report.map(SequenceFindings.init) ?? SequenceFindings()
        try explain()
    }

    private static let name = "explanation.json"

    private mutating func explain() throws {
        let url = URL(filePath: run.folder)
        let above = url.deletingLastPathComponent().relativePath
        let below = "\(run.folder)/explained"
        switch url.lastPathComponent {
        case "failing" where InputFile.exists("\(above)/\(Self.name)"):
            findings.turned = try Self.explanation(in: above).pair(isPassing: false)
            guard InputFile.exists("\(above)/passing/trace.jsonl") else { return }
            siblings = above
            hints.append("the nearest run that holds: \(above)/passing")
        case "passing" where InputFile.exists("\(above)/\(Self.name)"):
            findings.turned = try Self.explanation(in: above).pair(isPassing: true)
            siblings = above
            hints.append("the run that breaks: \(above)/failing")
        default:
            guard InputFile.exists("\(below)/\(Self.name)") else { return }
            if try isExplained(by: "\(below)/failing") {
                findings.turned = try Self.explanation(in: below).pair(isPassing: false)
            }
            if InputFile.exists("\(below)/passing/trace.jsonl") { siblings = below }
            hints.append("the two runs that explain it: \(below)/failing and \(below)/passing")
        }
    }

    /// Whether the run that was explained is this one, step by step.
    private func isExplained(by folder: String) throws -> Bool {
        guard let digest = run.report?.digest, InputFile.exists("\(folder)/trace.jsonl") else {
            return false
        }
        return try RecordedRun(folder).report?.digest == digest
    }

    /// What stands in the folder of an explanation.
    package static func explanation(in folder: String) throws -> Explanation {
        try InputFile.decode(Explanation.self, from: "\(folder)/\(name)", as: "an explanation")
    }
}

extension Explanation {
    /// The two events that race, and the two that they turn round, with what to say beside each.
    fileprivate func pair(isPassing: Bool) -> [SequenceFindings.Turned] {
        let (result, other) = isPassing ? ("holds", "breaks") : ("breaks", "holds")
        var words: [(Moment, String)] = []
        if let race {
            let (early, late) = isPassing ? (race.second, race.first) : (race.first, race.second)
            words += [
                (early, "raced with \(late.words): \(early.named)first here, and it \(result)"),
                (late, "raced: where \(late.named)first, it \(other)"),
            ]
        }
        if let effect {
            let (early, late) =
                isPassing ? (effect.second, effect.first) : (effect.first, effect.second)
            words += [
                (early, order(of: effect, before: late, isPassing: isPassing)),
                (late, "first in the run that \(other)"),
            ]
        }
        return words.compactMap { moment, words in
            moment.shown(isPassing: isPassing).map {
                SequenceFindings.Turned(event: $0, words: words)
            }
        }
    }
}

/// What to say beside the event that is first here.
private func order(
    of effect: Explanation.Effect, before late: Explanation.Moment, isPassing: Bool
) -> String {
    switch (isPassing, effect.isKept) {
    case (false, true): "before \(late.words) here; the other way round in the run that holds"
    case (false, false): "before \(late.words) here; in the run that holds it never comes"
    case (true, true): "before \(late.words) here; the other way round in the run that breaks"
    case (true, false): "without \(late.words), which comes before it in the run that breaks"
    }
}

extension Explanation.Moment {
    /// What was first: the trace may show only what an event brings about.
    fileprivate var named: String {
        happens.isEmpty ? "\(words), which brings this about, is " : "this is "
    }

    /// The number of the event that stands for it in a diagram; nil where the trace is silent.
    fileprivate func shown(isPassing: Bool) -> UInt64? {
        let all = isPassing ? inPassing ?? [] : happens + about
        let usual = all.first { happening in
            EventKind(named: happening.kind).map(SequenceSelection.isUsual) ?? true
        }
        return (usual ?? all.first)?.number
    }
}
