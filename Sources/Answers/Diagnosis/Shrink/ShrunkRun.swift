package import Artifacts
import Basics
import Campaigns
import Foundation
import Orchestration
package import Reports

/// A failing run made smaller, as it stands in a folder.
package struct ShrunkRun {
    package let shrunk: Shrunk
    /// What became of the smaller run, by processes; of the one that failed, after an interruption.
    package let report: RunReport
    /// The text of `topology.yaml`.
    package let topology: String
    /// Why its folder is not whole; nil where it is.
    package private(set) var trouble: String?

    /// What stands in the folder.
    package static let parts =
        RunArtifacts.parts + ["topology.yaml", "any-order.yaml", "reduction.json"]

    /// Makes a run smaller, and leaves the result; `jobs` workers share the runs of which none depends on another.
    ///
    /// What cannot be written, because a disk is full, is found all the same.
    package init(
        of failure: FailingRun, into folder: OutputFolder, budget: Shrinker.Budget,
        jobs: Int = 1
    ) throws {
        var budget = budget
        let display = ProgressDisplay()
        defer { display.end() }
        budget.isStopped = { Interruption.isHere }
        budget.onReplay = { [budget] replays, lines in
            display.show(
                "shrinks: \(replays) of at most \(budget.replays) replays, \(lines().counted("line")) left"
            )
        }
        let crew = try Crew(jobs: jobs, settings: failure.settings)
        shrunk = try LocalRunner.with(failure.settings) { [budget] runner in
            try Shrunk(
                failure.task, failing: try failure.study(runner), on: runner, budget: budget,
                crew: crew)
        }
        let scenario = shrunk.shrinker.scenario
        var (report, trouble) = (shrunk.report, String?.none)
        if !Interruption.isHere {
            let written = try failure.write(scenario.schedule, of: scenario.task, into: folder)
            trouble = written.unwritten
            if trouble == nil { report = written }
        }
        if Interruption.isHere { report = shrunk.report }
        self.report = report
        topology = try Regression(scenario, failing: report, of: failure).text()
        do {
            if Interruption.isHere {
                try failure.keep(scenario.schedule, of: scenario.task, in: folder)
            }
            try folder.write(Data(topology.utf8), to: "topology.yaml")
            try folder.write(Artifacts.json(shrunk.reduction), to: "reduction.json")
            try Self.write(shrunk.shrinker.raceless, into: folder)
        } catch let error as ArtifactError { trouble = trouble ?? "\(error)" }
        self.trouble = trouble
    }

    /// Whether the smaller run fails in the same way by processes.
    package var isRepeated: Bool { report.fingerprint == shrunk.shrinker.fingerprint }

    /// Leaves the scenario that fails in many more orders beside the other one.
    private static func write(_ raceless: Scenario?, into folder: OutputFolder) throws {
        let name = "any-order.yaml"
        guard let raceless else {
            // That of an earlier time does not belong to this one.
            folder.removeFiles { $0 == name }
            return
        }
        try folder.write(Data(raceless.task.textToKeep.utf8), to: name)
    }
}
