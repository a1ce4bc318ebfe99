package import Artifacts
import Campaigns
import Choices
import Foundation
import Orchestration
package import Reports

/// Why a run fails, as it stands in a folder with the two runs that show it.
package struct ExplainedFailure {
    package let explanation: Explanation
    /// What became of the run that fails and is nearest to one that passes.
    package let failing: RunReport
    /// What became of the one that passes; nil where none was found.
    package let passing: RunReport?
    /// Why its folder is not whole; nil where it is.
    package private(set) var trouble: String?

    /// What stands in the folder.
    package static let parts = ["explanation.json"]

    /// Looks for the reason in at most `replays` plays and `seconds` of the wall clock, and leaves what it finds.
    ///
    /// `jobs` workers share the runs of which none depends on another. Of these plays `runs` are under random delivery; nil for 400 where devices live inline, and 100 elsewhere.
    package init(
        of failure: FailingRun, into folder: OutputFolder, replays: Int, runs: Int?,
        seconds: Double = .infinity, jobs: Int = 1
    ) throws {
        let clock = ContinuousClock()
        let begin = clock.now
        let crew = try Crew(jobs: jobs, settings: failure.settings)
        let (explainer, schedules) = try LocalRunner.with(failure.settings) { runner in
            runner.isTimeUp = { (clock.now - begin) / .seconds(1) >= seconds }
            let study = try failure.study(runner)
            var explainer = Explainer(
                failure.task, failing: study, on: runner, defects: try failure.defects(),
                mostReplays: replays,
                randomRuns: runs ?? (failure.settings.hosting == .inline ? 400 : 100), crew: crew)
            do { try explainer.explain() } catch is Interruption {
                // What it has found is kept.
                explainer.explanation.isExhausted = true
            }
            explainer.display.end()
            let runs = [explainer.breaking, explainer.passing].compactMap(\.self)
            return (explainer, try runs.map { try Self.schedule(of: $0, on: runner) })
        }
        explanation = explainer.explanation
        // That of an earlier explanation does not belong to this one.
        try RunArtifacts.remove("\(folder.path)/passing")
        failing = try Self.run(
            explainer.breaking, by: schedules[0], of: failure, into: "\(folder.path)/failing")
        passing = try explainer.passing.map {
            try Self.run($0, by: schedules[1], of: failure, into: "\(folder.path)/passing")
        }
        trouble = failing.unwritten ?? passing?.unwritten
        do {
            try folder.write(Artifacts.json(explanation), to: "explanation.json")
        } catch let error as ArtifactError { trouble = trouble ?? "\(error)" }
    }

    /// What gives a run again: without what the run from which its schedule comes had to decide, and this one has
    /// not.
    private static func schedule(
        of played: Explainer.Played, on runner: LocalRunner
    ) throws -> Schedule {
        var schedule = played.sibling.schedule
        guard !Interruption.isHere else { return schedule }
        do {
            let (_, idle) = try runner.judge(played.sibling.task, by: .schedule(schedule))
            schedule.subtract(idle)
        } catch is Interruption {}
        return schedule
    }

    /// Leaves a run; after an interruption, what repeats it.
    ///
    /// Where it cannot be written, that is in the report.
    private static func run(
        _ played: Explainer.Played, by schedule: Schedule, of failure: FailingRun,
        into path: String
    ) throws -> RunReport {
        var known = played.words.study.report
        do {
            let folder = try OutputFolder(path, for: RunArtifacts.parts)
            defer { folder.close() }
            let report = try left(played, by: schedule, of: failure, in: folder)
            if let report, report.unwritten == nil { return report }
            known.unwritten = report?.unwritten
            if report == nil { known.replay = "\(path)/replay.json" }
        } catch let error as ArtifactError { known.unwritten = "\(error)" }
        return known
    }

    /// What became of a run that was left in a folder; nil where, after an interruption, there is just what repeats it.
    private static func left(
        _ played: Explainer.Played, by schedule: Schedule, of failure: FailingRun,
        in folder: OutputFolder
    ) throws -> RunReport? {
        let task = played.sibling.task
        if !Interruption.isHere {
            let report = try failure.write(schedule, of: task, into: folder)
            guard Interruption.isHere else { return report }
        }
        try failure.keep(schedule, of: task, in: folder)
        return nil
    }

    /// What did not repeat by processes; nil where all did.
    package var doubt: String? {
        if failing.fingerprint != explanation.fingerprint {
            return "the failing run did not repeat by processes: it is \(Self.described(failing))"
        }
        guard let passing, passing.status != .held else { return nil }
        return "the run that holds did not repeat by processes: it is \(Self.described(passing))"
    }

    private static func described(_ report: RunReport) -> String {
        "\(report.verdict) (\(report.fingerprint ?? report.failure ?? "nothing was broken"))"
    }
}
