import Foundation
import Orchestration
import Reports
import Simulation

/// Explores with worker processes, and confirms what they find.
final class Explorer {
    /// When it is enough.
    struct Limits {
        let runs: UInt64
        /// By the wall clock, this time.
        let seconds: Double
        /// Different ones.
        let failures: Int
    }

    private(set) var exploration: Exploration
    private let settings: RunSettings
    private let file: String
    private let limits: Limits
    private let clock = ContinuousClock()
    private let begin: ContinuousClock.Instant
    /// The seconds that earlier explorations took.
    private let spent: Double
    private var kept: ContinuousClock.Instant?
    /// Why not all of it could be written down; what was found is found none the less.
    private(set) var trouble: String?
    private var shown: ContinuousClock.Instant?

    init(
        _ exploration: Exploration, settings: RunSettings, file: String, limits: Limits
    ) {
        self.exploration = exploration
        self.settings = settings
        self.file = file
        self.limits = limits
        (begin, spent) = (clock.now, exploration.seconds)
    }

    // MARK: Exploring

    /// Explores until it is enough, or somebody asks us to end.
    ///
    /// - Throws: Before the first run where how far it is cannot be kept.
    func explore(jobs: Int) throws {
        try keep()
        /// Runs of a lot that took its worker with it, one by one, and what became of them so far.
        var singles: [Lot] = []
        var pieces: [Int: LotPieces] = [:]
        var begun = exploration.runs
        _ = try WorkerPool<Lot>.run(
            jobs: jobs, executable: "\(settings.programs)/anechoic",
            arguments: ["explore-worker", try settings.argument]
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
                piece.take(crashed: lot.variations[0], lot, settings, death.reason)
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
        try exploration.keep(in: file)
    }

    // MARK: Progress

    private func showProgress() {
        guard isatty(2) == 1, hasPassed(.milliseconds(200), since: shown) else { return }
        shown = clock.now
        let count = exploration.failures.count
        var parts = [
            progress, "\(Int(Double(exploration.runs) / (spent + seconds)))/s",
            "\(count) different failure\(count == 1 ? "" : "s")",
            "\(exploration.coverage.count) covered (news: run \(exploration.latestNews))",
        ]
        if let left = secondsLeft { parts.append("\(Int(left)) s left") }
        try? write(Data("\r\u{1B}[K\(parts.joined(separator: ", "))".utf8), to: STDERR_FILENO)
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
        guard shown != nil else { return }
        try? write(Data("\r\u{1B}[K".utf8), to: STDERR_FILENO)
    }

    // MARK: Confirming

    /// How often a failure has to repeat by processes.
    static let repeats = 3

    /// Repeats the first run of every failure by processes; it leaves its artifacts in `folder`.
    ///
    /// Where a disk is full the run is repeated all the same. Once somebody has asked us to end, nothing is
    /// repeated any more, and nothing is said of what was not.
    func confirm(into folder: String) throws -> [Finding] {
        guard !exploration.failures.isEmpty else { return [] }
        var confirming = settings
        confirming.hosting = .process
        var writing = confirming
        writing.output = folder
        let written = try LocalRunner.with(writing) { runner in
            exploration.failures.map { runner.run($0, writing) }
        }
        return try LocalRunner.with(confirming) { runner in
            try zip(exploration.failures, written).map { failure, report in
                try finding(failure, report, confirming, runner)
            }
        }
    }

    private func finding(
        _ failure: Exploration.Failure, _ written: RunReport, _ settings: RunSettings,
        _ runner: LocalRunner
    ) throws -> Finding {
        var report = written
        if let unwritten = report.unwritten {
            trouble = unwritten
            report = runner.run(failure, settings)
        }
        let others = (1..<Self.repeats).map { _ in runner.run(failure, settings) }
        guard !Interruption.isHere else { return Finding(interrupted: failure) }
        var finding = Finding(failure, report: report)
        finding.confirmations = ([report] + others).count { finding.isRepeated(by: $0) }
        guard finding.confirmations < Self.repeats else { return finding }
        do { finding.divergence = try divergence(of: failure, runner) } catch is Interruption {
            return Finding(interrupted: failure)
        }
        return finding
    }

    /// Where a run by processes first differs from the one that was found.
    private func divergence(
        of failure: Exploration.Failure, _ byProcess: LocalRunner
    ) throws -> String {
        guard !failure.first.digest.isEmpty else {
            // It would take us along as it took a worker.
            return "it was \(failure.first.failure ?? failure.first.verdict)"
        }
        let order = failure.afters.map { Order.schedule(Schedule(afters: $0)) } ?? .ofTheSeed
        let found = try LocalRunner.with(settings) { try $0.study(failure.task, order).steps }
        return firstDifference(found, try byProcess.study(failure.task, order).steps)
            ?? "both runs take the same steps"
    }
}

extension LocalRunner {
    /// The first run of a failure once more.
    ///
    /// Where that run took its worker along, this may have been the run before it, in which strategies count.
    fileprivate func run(_ failure: Exploration.Failure, _ settings: RunSettings) -> RunReport {
        let report = repeated(failure, settings)
        guard failure.first.digest.isEmpty, report.status != .deviceFailed,
            (try? failsPlainly(failure.task)) == true
        else { return report }
        var plain = failure
        plain.afters = []
        return repeated(plain, settings)
    }

    private func repeated(_ failure: Exploration.Failure, _ settings: RunSettings) -> RunReport {
        let replay = failure.afters.map { afters in
            var replay = Replay(failure.task, settings, decisions: [])
            replay.afters = afters
            return replay
        }
        return run(failure.task, repeating: replay)
    }
}
