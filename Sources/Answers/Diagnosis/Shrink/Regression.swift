import Choices
import Orchestration
package import Reports
import Topologies
import YAML

/// A shrunk scenario as a topology to keep: it says where it comes from, and expects the failure where it
/// fails by itself.
package struct Regression {
    private let task: RunTask
    private let settings: RunSettings
    /// The promise that is broken; nil for another failure.
    private let promise: String?
    private let failure: String
    private let place: String

    /// Of the scenario that failed as `report` says, and that `run` became.
    package init(_ scenario: Scenario, failing report: RunReport, of run: FailingRun) {
        task = scenario.task
        var settings = run.settings
        settings.scheduler = .random
        self.settings = settings
        promise = report.firstBroken
        failure =
            promise.map { "Breaks \($0)" } ?? "Fails (\(report.fingerprint ?? report.verdict))"
        place = "found in \(run.recording.name) with seed \(task.seed)."
    }

    package func text() throws -> String {
        guard let parts = TopologyParts(task.text) else { return task.text }
        var kept = task
        kept.text = parts.text(
            about: "\(failure) by the schedule of replay.json; \(place)", breaking: nil)
        if let promise {
            let text = parts.text(about: "\(failure); \(place)", breaking: promise)
            if try isCertain(text) { kept.text = text }
        }
        return kept.textToKeep
    }

    /// Whether what the text expects holds whoever picks: first come, first served, and the scheduler of
    /// `run` with its first seeds.
    private func isCertain(_ text: String) throws -> Bool {
        var task = task
        task.text = text
        return try LocalRunner.with(settings) { runner in
            guard try holds(task, by: .schedule(Schedule()), on: runner) else { return false }
            return try (1...Self.seeds).allSatisfy { seed in
                task.seed = seed
                return try holds(task, by: .ofTheSeed, on: runner)
            }
        }
    }

    private func holds(_ task: RunTask, by picking: Picking, on runner: LocalRunner) throws
        -> Bool
    {
        do {
            return try runner.study(task, by: picking).report.status == .held
        } catch is DocumentError {
            // Where the expectation itself is none, nothing holds.
            return false
        } catch is Interruption {
            // What was not played to its end is not certain; the scenario is kept all the same.
            return false
        }
    }

    private static let seeds: UInt64 = 10
}
