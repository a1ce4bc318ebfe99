internal import Choices
internal import Foundation
internal import Notation
package import Orchestration
package import Reports
internal import Schedules
internal import Simulation

/// Explores with worker processes, and confirms what they find.
package final class Explorer {
    /// When an exploration ends.
    package struct Limits {
        package let runs: UInt64
        /// By the wall clock, for this command alone.
        package let seconds: Double
        /// The most failures with different fingerprints.
        package let failures: Int

        package init(runs: UInt64, seconds: Double, failures: Int) {
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
    private var shown: ContinuousClock.Instant?

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
        /// The runs of a lot that ended its worker, one by one, and their results so far.
        var singles: [Lot] = []
        var pieces: [Int: LotPieces] = [:]
        var begun = exploration.runs
        try WorkerPool<Lot>.run(
            jobs: jobs, executable: "\(settings.processes.programs)/anechoic",
            arguments: [WorkerName.lots, try searching.argument]
        ) { [self] in
            if let single = singles.popLast() { return single }
            guard !isEnough, begun < limits.runs else { return nil }
            let lot = exploration.next()
            begun += UInt64(lot?.count ?? 0)
            return lot
        } onResult: { [self] lot, result in
            switch result {
            case .success(let line):
                let result = try JSONDecoder().decode(LotResult.self, from: line)
                guard pieces[lot.number] != nil else { return take(result, of: lot) }
                pieces[lot.number]?.add(result, of: lot)
            case .failure where lot.count > 1:
                singles += lot.singles.reversed()
                pieces[lot.number] = LotPieces(of: lot)
            case .failure(let death):
                var piece = LotResult()
                piece.take(
                    crashed: lot.variations[0], of: lot, with: settings, because: death.reason)
                pieces[lot.number, default: LotPieces(of: lot)].add(piece, of: lot)
            }
            if let whole = pieces[lot.number], let result = whole.result {
                pieces[lot.number] = nil
                take(result, of: whole.lot)
            }
        }
        do { try keep() } catch let error as ArtifactError { trouble = "\(error)" }
        endProgress()
    }

    /// How lots are played; what is found is confirmed with real kills.
    private var searching: RunSettings {
        var searching = settings
        searching.processes.restartsInPlace = true
        return searching
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
        if hasPassed(.seconds(10), since: kept) { try? keep() }
        showProgress()
    }

    private func keep() throws {
        exploration.seconds = spent + seconds
        kept = clock.now
        if let file { try exploration.keep(in: file) }
    }

    // MARK: Progress

    private func showProgress() {
        guard isatty(2) == 1, hasPassed(.milliseconds(200), since: shown) else { return }
        shown = clock.now
        let count = exploration.failures.count
        var parts = [
            progress, "\(Int(Double(exploration.runs) / (spent + seconds)))/s",
            count.counted("different failure"),
            "\(exploration.coverage.count) covered (latest: run \(exploration.latestNews))",
        ]
        if let left = secondsLeft { parts.append("\(Int(min(left, 1e15))) s left") }
        Reports.showProgress(parts.joined(separator: ", "))
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

    private func endProgress() {
        if shown != nil { Reports.showProgress("") }
    }

    // MARK: Confirming

    /// How often a failure has to repeat by processes.
    static let repeats = 3

    /// Repeats the first run of every failure by processes, and of every promise where runs are counted; it leaves
    /// its artifacts in `folder`.
    ///
    /// Workers play them, because the cause may be in our own process. A run is repeated even if the disk is
    /// full. After an interruption nothing more is repeated, and what was not repeated is not judged.
    package func confirm(into folder: String) throws -> [Finding] {
        try exploration.examples.map { try finding($0, into: folder) }
    }

    private func finding(_ failure: Exploration.Failure, into folder: String) throws -> Finding {
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

    private func played(
        _ repetition: Repetition, times: Int, with settings: RunSettings
    ) throws -> [RunReport] {
        var rest = Array(repeating: repetition, count: times)
        var reports: [RunReport] = []
        try WorkerPool<Repetition>.run(
            jobs: 1, executable: "\(settings.processes.programs)/anechoic",
            arguments: [WorkerName.repetitions, try settings.argument]
        ) {
            rest.popLast()
        } onResult: { repetition, result in
            switch result {
            case .success(let line):
                reports.append(try JSONDecoder().decode(RunReport.self, from: line))
            case .failure(let death):
                reports.append(
                    RunReport(crashed: repetition.task, with: settings, because: death.reason))
            }
        }
        return reports
    }

    /// Where a run by processes first differs from the one that was found.
    private func divergence(
        of failure: Exploration.Failure, in reports: [RunReport], byProcess: RunSettings
    ) throws -> String {
        // It would end this process as it ended a worker.
        guard !failure.first.digest.isEmpty else {
            return "it was \(failure.first.failure ?? failure.first.verdict)"
        }
        if let crashed = reports.first(where: \.digest.isEmpty) {
            return "it became \(crashed.failure ?? crashed.verdict)"
        }
        let picking = failure.afters.map { Picking.schedule(Schedule(afters: $0)) } ?? .ofTheSeed
        var asFound = searching
        asFound.scheduler = byProcess.scheduler
        let steps = try [asFound, byProcess].map { settings in
            try LocalRunner.with(settings) { try $0.study(failure.task, by: picking).steps }
        }
        return firstDifference(steps[0], steps[1]) ?? "both runs take the same steps"
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

    init(of failure: Exploration.Failure, _ settings: RunSettings) {
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
