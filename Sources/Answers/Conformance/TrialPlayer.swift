import Campaigns
import Orchestration
import Reports

/// Does the runs of a conformance test.
struct TrialPlayer {
    var settings: RunSettings
    let jobs: Int?
    /// Where runs that fail leave their files.
    let output: String
    /// Whether no run begins after one that did not hold.
    let stopsAtFirst: Bool
    let time: TimeLimit
    /// How many runs come behind those that are played now.
    var later = 0

    /// The same with each timer as late as it may be: what a device waits for is pending when a fault strikes.
    var late: TrialPlayer {
        var player = self
        player.settings.scheduler = .late
        return player
    }

    /// Plays all, with fewer parameters where a device refuses them; failing runs once more with files.
    ///
    /// Those that were played before an error are there as well; the outcome has the error.
    func play(
        _ trials: [Trial], noting outcome: inout ConformanceSuite.Outcome
    ) -> [(trial: Trial, report: RunReport)] {
        var trials = trials
        outcome.planned += trials.count
        var reports = trials.play(unless: { outcome.isOver || outcome.isEnded }) { trials in
            let reports = results(
                of: trials, with: settings, noting: &outcome, stopsAtFirst: stopsAtFirst)
            noteEnd(in: reports, noting: &outcome)
            return reports
        } onSimpler: { trial, report in
            let name = trial.task.name
            if !outcome.simplified.contains(where: { $0.name == name }) {
                outcome.simplified.append((name, report.failure ?? ""))
            }
        }
        if !outcome.isOver { repeatFailures(in: &reports, of: trials, noting: &outcome) }
        outcome.unwritten = outcome.unwritten ?? reports.compactMap { $0?.unwritten }.first
        return zip(trials, reports).compactMap { trial, report in
            // One that was cut short says nothing.
            report.flatMap { $0.status == .interrupted ? nil : (trial, $0) }
        }
    }

    /// Notes why some were not played.
    private func noteEnd(
        in reports: [RunReport?], noting outcome: inout ConformanceSuite.Outcome
    ) {
        guard !outcome.isOver, reports.contains(where: { $0 == nil }) else { return }
        if time.leftToPlay <= 0 { outcome.isTimeUp = true } else { outcome.isStopped = true }
    }

    /// The report of each; nil for those that an interruption or an error prevented.
    private func results(
        of trials: [Trial], with settings: RunSettings,
        noting outcome: inout ConformanceSuite.Outcome,
        stopsAtFirst: Bool = false, isRepeating: Bool = false
    ) -> [RunReport?] {
        var reports = [RunReport?](repeating: nil, count: trials.count)
        guard !trials.isEmpty else { return reports }
        var manner = Campaign.Manner()
        (manner.name, manner.later) = isRepeating ? ("what failed, again: ", 0) : ("suite: ", later)
        // A device that refuses a part is asked once more, with fewer parameters.
        manner.stops = { report in
            stopsAtFirst && report.status != .held && !report.isRefusal
                || !isRepeating && time.leftToPlay <= 0
        }
        do {
            _ = try Campaign(settings, jobs: jobs, format: .text, manner: manner)
                .results(of: trials.map(\.task), keepsAll: false) {
                    reports[$1] = $0
                }
        } catch {
            outcome.take(error)
        }
        return reports
    }

    /// The most failing runs that leave their files.
    private static let kept = 40

    private func repeatFailures(
        in reports: inout [RunReport?], of trials: [Trial],
        noting outcome: inout ConformanceSuite.Outcome
    ) {
        let failed = reports.indices.filter { index in
            reports[index].map { $0.status != .held && !$0.isRefusal } ?? false
        }.prefix(Self.kept)
        guard !failed.isEmpty else { return }
        var writing = settings
        writing.files.tree = output
        let again = results(
            of: failed.map { trials[$0] }, with: writing, noting: &outcome, isRepeating: true)
        for (index, second) in zip(failed, again) {
            guard let second, second.status != .interrupted else { continue }
            reports[index]?.take(repetition: second)
        }
    }
}

extension RunReport {
    /// Becomes an error, for this reason.
    mutating func take(doubt reason: String) {
        status = .harnessError
        verdict = status.word
        failure = reason
    }

    /// Takes the report of the same run, played once more with files.
    ///
    /// What the first run showed stands, even if the second shows something else: a failure that comes and
    /// goes is a failure.
    mutating func take(repetition second: RunReport) {
        guard second.unwritten == nil else {
            unwritten = second.unwritten
            return
        }
        let areWhole = !isAbandoned && !second.isAbandoned
        if areWhole, digest != second.digest {
            take(
                doubt: "the run did not repeat: digest \(digest), then \(second.digest); a device "
                    + "that reads a clock, or draws numbers of its own, answers differently")
        } else if second.status == status, second.fingerprint == fingerprint {
            self = second
        } else {
            let (first, other) = (failure ?? verdict, second.failure ?? second.verdict)
            status = status.combined(with: second.status)
            verdict = status.word
            failure = "\(first)\n  it did not happen again: played once more, the run was \(other)"
        }
    }
}
