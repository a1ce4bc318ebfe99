import ArgumentParser
import Campaigns
import Diagnosis
import Foundation
import Orchestration
import Reports
import Simulation

struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Say which two events raced, and from which step on every try failed.",
        discussion: """
            Searches for the closest run that passes: with two events swapped, with one event no longer \
            put off, or with a step of the script, a delay or the start of a device moved. Names the two \
            events that race where it has proven it, and what their order changes where the failure \
            shows. Also reports where the two runs part, how likely the failure is under random \
            delivery, and from which step on every try failed. Works best on what shrink has left.

            Leaves explanation.json beside the replay file, in explained, with both runs: failing and \
            passing. Exit status: 0 explained, 2 no passing run was found, 70 the failure does not \
            repeat.
            """)

    @OptionGroup var failed: FailureOptions

    @Option(help: ArgumentHelp("How many candidates may be played.", valueName: "n"))
    var replays = 500

    @Option(
        help: ArgumentHelp(
            "How many runs under random delivery. (default: 400, or 100 where devices have processes)",
            valueName: "n"))
    var runs: Int?

    @Option(
        help: ArgumentHelp(
            "Folder of the result. (default: explained, beside the replay file)",
            valueName: "folder"))
    var out: String?

    @OptionGroup var colour: ColourOption

    @OptionGroup var json: JSONOption

    func validate() throws {
        for (name, value) in [("--replays", replays), ("--runs", runs ?? 1)] where value < 1 {
            throw ValidationError("\(name) \(value): expected at least 1")
        }
    }

    func run() throws {
        guard json.isOn else { return try finish(explain { try show(raw: $0) }) }
        try json.answer(as: "explain") { document in try explain(into: document) }
    }

    private func explain(
        into document: ResultsDocument? = nil, _ tell: (String) throws -> Void = { _ in }
    ) throws -> ExitStatus {
        let failure = try failed.failure()
        var status = ExitStatus.held
        try failure.leaving(["explanation.json"], in: out, or: "explained") {
            status = try run(failure, into: $0, document: document, tell: tell)
        }
        return status
    }

    /// What `--json` reports.
    private struct Answer: Encodable {
        let folder: String
        let explanation: Explanation
        let failing: RunReport
        let passing: RunReport?
    }

    private func run(
        _ failure: FailingRun, into folder: OutputFolder, document: ResultsDocument?,
        tell: (String) throws -> Void
    ) throws -> ExitStatus {
        let explainer = try LocalRunner.with(failure.settings) { runner in
            let study = try failure.study(runner)
            var explainer = Explainer(
                failure.task, failing: study, on: runner, defects: try failure.defects(),
                mostReplays: replays,
                randomRuns: runs ?? (failure.settings.hosting == .inline ? 400 : 100))
            do { try explainer.explain() } catch is Interruption {
                // What it has found is kept.
                explainer.explanation.isExhausted = true
            }
            return explainer
        }
        let pair = try runs(of: explainer, failure, in: folder)
        try folder.write(Reports.json(explainer.explanation), to: "explanation.json")
        let text = explainer.explanation.text(
            pair.failing, failing: pair.failing.replay, passing: pair.passing?.replay,
            ink: colour.ink)
        try document?.add(
            Answer(
                folder: folder.path, explanation: explainer.explanation, failing: pair.failing,
                passing: pair.passing))
        guard !Interruption.isHere else {
            try tell("interrupted; so far:\n" + text)
            return .interrupted
        }
        try tell(text)
        guard pair.failing.fingerprint == explainer.explanation.fingerprint else {
            printError(
                "the failing run did not repeat by processes: it is \(described(pair.failing))")
            return .harnessError
        }
        if let passing = pair.passing, passing.status != .held {
            printError(
                "the run that holds did not repeat by processes: it is \(described(passing))")
            return .harnessError
        }
        return pair.passing == nil ? .inconclusive : .held
    }

    /// Leaves both runs; after an interruption, what repeats them.
    private func runs(
        of explainer: Explainer, _ failure: FailingRun, in folder: OutputFolder
    ) throws -> (failing: RunReport, passing: RunReport?) {
        // That of an earlier explanation does not belong to this one.
        try RunArtifacts.remove("\(folder.path)/passing")
        let failing = try run(explainer.breaking, of: failure, into: "\(folder.path)/failing")
        let passing = try explainer.passing.map {
            try run($0, of: failure, into: "\(folder.path)/passing")
        }
        return (failing, passing)
    }

    private func run(
        _ played: Explainer.Played, of failure: FailingRun, into path: String
    ) throws -> RunReport {
        let folder = try OutputFolder(path, for: RunArtifacts.parts)
        defer { folder.close() }
        let (schedule, task) = (played.sibling.schedule, played.sibling.task)
        if !Interruption.isHere {
            let report = try failure.write(schedule, of: task, into: folder)
            guard Interruption.isHere else { return report }
        }
        try failure.keep(schedule, of: task, in: folder)
        var known = played.words.study.report
        known.replay = "\(path)/replay.json"
        return known
    }

    private func described(_ report: RunReport) -> String {
        "\(report.verdict) (\(report.fingerprint ?? report.failure ?? "nothing was broken"))"
    }
}
