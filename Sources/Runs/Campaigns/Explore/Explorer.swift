import Artifacts
import Basics
import Foundation
package import Orchestration
import Reports
import Schedules

/// Explores with worker processes, and confirms what they find.
package final class Explorer {
    package struct Limits {
        package let runs: UInt64
        /// By the wall clock, for this command alone.
        package let seconds: Double
        /// The most failures with different fingerprints.
        package let failures: Int
        /// The part that is explored; the runs are those of all parts together.
        package let shard: Shard

        package init(runs: UInt64, seconds: Double, failures: Int, shard: Shard = .all) {
            self.shard = shard
            self.runs = runs
            self.seconds = seconds
            self.failures = failures
        }
    }

    package private(set) var exploration: Exploration
    private let settings: RunSettings
    /// Where it is kept; nil where it is not.
    private let file: String?
    private let limits: Limits
    private let clock = ContinuousClock()
    private let begin: ContinuousClock.Instant
    /// The seconds that earlier explorations took.
    private let spent: Double
    private var kept: ContinuousClock.Instant?
    /// Why a file could not be written; the findings are kept.
    package private(set) var trouble: String?
    /// What was wrong with a worker of ours, whose runs were played again; nil where nothing was.
    package private(set) var workerTrouble: String?
    /// Hears how far it is when that is kept, and what was found and not repeated yet.
    package var onKeep: (ExplorationReport) throws -> Void = { _ in }
    private let display = ProgressDisplay()

    package init(
        _ exploration: Exploration, settings: RunSettings, file: String?, limits: Limits
    ) {
        self.exploration = exploration
        self.settings = settings
        self.file = file
        self.limits = limits
        (begin, spent) = (clock.now, exploration.seconds)
    }

    // MARK: Exploring

    /// Explores until a limit is reached, or the user interrupts.
    ///
    /// - Throws: Before the first run, if explore.json cannot be written.
    package func explore(jobs: Int) throws {
        try keep()
        var crashed = CrashedLots()
        var begun = exploration.runs
        let troubles = try WorkerPool<Lot>.run(
            jobs: jobs, silence: settings.mostSilence,
            executable: "\(settings.processes.programs)/anechoic",
            arguments: try WorkerName.lots.arguments(settings.searching)
        ) { [self] in
            if let single = crashed.next() { return single }
            guard !isEnough, begun < limits.runs else { return nil }
            guard let lot = exploration.next(in: limits.shard) else { return nil }
            // Of a part, what counts is how many runs come before in all parts.
            let first = UInt64(lot.number * Exploration.lotSize)
            guard limits.shard == .all || first < limits.runs else { return nil }
            begun += UInt64(lot.count)
            return lot
        } onResult: { [self] lot, line in
            let result = try LotResult.answered(line)
            if let done = crashed.take(result, of: lot, with: settings) {
                take(done.result, of: done.lot)
            }
        }
        workerTrouble = troubles.first
        do { try keep() } catch let error as ArtifactError { trouble = "\(error)" }
        display.end()
    }

    private var isEnough: Bool {
        exploration.failures.count >= limits.failures || seconds >= limits.seconds
    }

    /// The wall-clock time since this exploration began.
    private var seconds: Double { (clock.now - begin) / .seconds(1) }

    private func hasPassed(
        _ duration: Duration, since instant: ContinuousClock.Instant?
    ) -> Bool { instant.map { clock.now - $0 > duration } ?? true }

    private func take(_ result: LotResult, of lot: Lot) {
        exploration.take(result, of: lot)
        // What there is no room for is kept in a while, and told at the end.
        if hasPassed(.seconds(10), since: kept) { try? keep() }
        showProgress()
    }

    private func keep() throws {
        exploration.seconds = spent + seconds
        kept = clock.now
        guard let file else { return }
        try exploration.keep(in: file)
        try onKeep(
            ExplorationReport(
                exploration, findings: exploration.examples.map(Finding.init(interrupted:))))
    }

    // MARK: Progress

    private func showProgress() {
        display.show(line)
    }

    private var line: String {
        let count = exploration.failures.count
        var parts = [
            progress, "\(Int(Double(exploration.runs) / (spent + seconds)))/s",
            count.counted("different failure"),
            "\(exploration.coverage.count) covered (latest: run \(exploration.latestNews))",
        ]
        if let left = secondsLeft { parts.append("about \(ProgressDisplay.span(left)) left") }
        return parts.joined(separator: ", ")
    }

    private var progress: String {
        if let orders = exploration.orders {
            return "\(orders.played) of \(orders.total) schedules"
        }
        return "\(exploration.runs)\(exploration.total.map { " of \($0)" } ?? "") runs"
    }

    private var secondsLeft: Double? {
        let ofTime = limits.seconds - seconds
        let rate = Double(exploration.runs) / max(spent + seconds, 0.001)
        let most = min(limits.runs, exploration.total.map { UInt64($0) } ?? .max)
        let ofRuns =
            most == .max || rate == 0
            ? .infinity
            : Double(most - min(exploration.runs, most)) / rate
        let left = min(ofTime, ofRuns)
        return left.isFinite ? max(left, 0) : nil
    }

    // MARK: Confirming

    /// Repeats the first run of every failure by processes, and of every promise where runs are counted; it leaves
    /// its artifacts in `folder`.
    package func confirm(into folder: String) throws -> [Finding] {
        var confirmation = Confirmation(settings, into: folder)
        defer { trouble = trouble ?? confirmation.trouble }
        let examples = exploration.examples
        defer { display.end() }
        return try examples.enumerated().map { place, example in
            display.show("repeats by processes what failed: \(place + 1) of \(examples.count)")
            return try confirmation.finding(example)
        }
    }
}
