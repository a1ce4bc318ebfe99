package import Artifacts
import Choices
import Foundation
package import Orchestration
package import Reports
import Schedules

/// Repeats failures by processes, and leaves their artifacts.
///
/// Workers play them, because the cause may be in our own process. A run is repeated even if the disk is
/// full. After an interruption nothing more is repeated, and what was not repeated is not judged.
package struct Confirmation {
    /// How often a failure has to repeat.
    static let repeats = 3

    /// How the failure was found.
    private let settings: RunSettings
    private let folder: String
    /// Why a file could not be written; the findings are kept.
    package private(set) var trouble: String?

    package init(_ settings: RunSettings, into folder: String) {
        (self.settings, self.folder) = (settings, folder)
    }

    package mutating func finding(_ failure: WayToFail) throws -> Finding {
        var settings = settings
        settings.hosting = .process
        // The plain run of a sweep has another strategy than its other runs.
        settings.scheduler = Strategy(failure.first.scheduler) ?? settings.scheduler
        let repetition = Repetition(of: failure, settings)
        var writing = settings
        writing.files.tree = folder
        var reports = try played(repetition, times: 1, with: writing)
        if let unwritten = reports.first?.unwritten {
            trouble = unwritten
            reports = []
        }
        reports += try played(repetition, times: Self.repeats - reports.count, with: settings)
        guard !Interruption.isHere, let first = reports.first else {
            return Finding(interrupted: failure)
        }
        var finding = Finding(failure, report: first)
        finding.confirmations = reports.count { finding.isRepeated(by: $0) }
        guard finding.confirmations < Self.repeats else { return finding }
        do {
            finding.divergence = try divergence(of: failure, in: reports, byProcess: settings)
        } catch is Interruption {
            return Finding(interrupted: failure)
        }
        return finding
    }
    private mutating func played(
        _ repetition: Repetition, times: Int, with settings: RunSettings
    ) throws -> [RunReport] {
        var rest = Array(repeating: repetition, count: times)
        var reports: [RunReport] = []
        let troubles = try WorkerPool<Repetition>.run(
            jobs: 1, silence: settings.mostSilence,
            executable: "\(settings.processes.programs)/anechoic",
            arguments: try WorkerName.repetitions.arguments(settings)
        ) {
            rest.popLast()
        } onResult: { repetition, result in
            reports.append(try settings.report(result, of: repetition.task))
        }
        trouble = trouble ?? troubles.first
        return reports
    }

    /// Where a run by processes first differs from the one that was found.
    private func divergence(
        of failure: WayToFail, in reports: [RunReport], byProcess: RunSettings
    ) throws -> String {
        // It would end this process as it ended a worker.
        guard !failure.first.digest.isEmpty else {
            return "it was \(failure.first.failure ?? failure.first.verdict)"
        }
        if let crashed = reports.first(where: \.digest.isEmpty) {
            return "it became \(crashed.failure ?? crashed.verdict)"
        }
        guard try settings.hosting == .process || !failure.task.topology().loadsLibraries else {
            return
                "it was found where the program is loaded as a library (--hosting inline), and not "
                + "where it has a process of its own"
        }
        let picking = failure.afters.map { Picking.schedule(Schedule(afters: $0)) } ?? .ofTheSeed
        var asFound = self.settings.searching
        asFound.scheduler = byProcess.scheduler
        let steps = try [asFound, byProcess].map { settings in
            try LocalRunner.with(settings) { try $0.study(failure.task, by: picking).steps }
        }
        return firstDifference(steps[0], steps[1])
            ?? "both runs take the same steps, and are judged otherwise"
    }
}

extension RunSettings {
    /// How lots are played; what is found is confirmed with real kills.
    package var searching: RunSettings {
        var searching = self
        searching.processes.restartsInPlace = true
        return searching
    }
}

/// The first run of a failure, to be played once more.
package struct Repetition: Codable, TopologyTask {
    package let task: RunTask
    package var document: TopologyDocument { task.document }
    /// The schedule to follow; nil to follow the seed.
    private let schedule: Replay?
    /// The plain run that strategies count in: if a worker died, it may have died of that one.
    private let plain: Replay?

    init(of failure: WayToFail, _ settings: RunSettings) {
        task = failure.task
        func replay(_ afters: [After]) -> Replay {
            var replay = Replay(failure.task, with: settings, decisions: [])
            replay.afters = afters
            return replay
        }
        schedule = failure.afters.map(replay)
        plain = failure.first.digest.isEmpty ? replay([]) : nil
    }

    package func play(_ runner: LocalRunner) -> RunReport {
        let report = runner.run(task, repeating: schedule)
        guard let plain, report.status != .deviceFailed, (try? runner.failsPlainly(task)) == true
        else { return report }
        return runner.run(task, repeating: plain)
    }
}
