import Orchestration
import Reports

/// A run, and its text with fewer and fewer parameters for a device that refuses them.
struct Trial {
    var task: RunTask
    var simpler: [String]
}

/// Does the runs of a conformance test.
struct TrialPlayer {
    let settings: RunSettings
    let jobs: Int?
    /// Where runs that fail leave their files.
    let output: String

    /// Plays all, with fewer parameters where a device refuses them; failing runs once more with files.
    func play(
        _ trials: [Trial], _ outcome: inout ConformanceSuite.Outcome
    ) throws -> (reports: [RunReport], trials: [Trial]) {
        var trials = trials
        outcome.planned += trials.count
        var reports = try results(of: trials, &outcome)
        while !outcome.isInterrupted {
            let refused = reports.indices.filter {
                reports[$0].isRefusal && !trials[$0].simpler.isEmpty
            }
            if refused.isEmpty { break }
            for index in refused {
                let name = trials[index].task.name
                if !outcome.simplified.contains(where: { $0.name == name }) {
                    outcome.simplified.append((name, reports[index].failure ?? ""))
                }
                trials[index].task.text = trials[index].simpler.removeFirst()
            }
            let again = try results(of: refused.map { trials[$0] }, &outcome)
            for (index, report) in zip(refused, again) { reports[index] = report }
        }
        if !outcome.isInterrupted { try repeatFailures(in: &reports, trials) }
        outcome.isInterrupted = outcome.isInterrupted || Interruption.isHere
        outcome.unwritten = outcome.unwritten ?? reports.compactMap(\.unwritten).first
        // One that was cut short says nothing.
        reports.removeAll { $0.status == .interrupted }
        return (reports, trials)
    }

    private func results(
        of trials: [Trial], _ outcome: inout ConformanceSuite.Outcome
    ) throws -> [RunReport] {
        guard !trials.isEmpty else { return [] }
        let (results, isInterrupted) = try Campaign(settings, jobs: jobs, format: .text)
            .results(of: trials.map(\.task), keepsAll: true)
        outcome.isInterrupted = outcome.isInterrupted || isInterrupted
        return results.reports
    }

    /// The most failing runs that leave their files.
    private static let kept = 40

    private func repeatFailures(
        in reports: inout [RunReport], _ trials: [Trial]
    ) throws {
        let failed = reports.indices.filter {
            reports[$0].status != .held && !reports[$0].isRefusal
        }.prefix(Self.kept)
        guard !failed.isEmpty else { return }
        var settings = settings
        settings.output = output
        let (again, isInterrupted) = try Campaign(settings, jobs: jobs, format: .text)
            .results(of: failed.map { trials[$0].task }, keepsAll: true)
        guard !isInterrupted else { return }
        for (index, second) in zip(failed, again.reports) {
            let first = reports[index]
            guard second.unwritten == nil else {
                reports[index].unwritten = second.unwritten
                continue
            }
            reports[index] = second
            // A run that was given up stops wherever its devices were.
            guard first.digest != second.digest, second.status != .interrupted,
                first.ended != "abandoned", second.ended != "abandoned"
            else { continue }
            reports[index].status = .harnessError
            reports[index].verdict = ExitStatus.harnessError.word
            reports[index].failure =
                "the run did not repeat: digest \(first.digest), then \(second.digest); a device "
                + "that reads a clock, or draws numbers of its own, answers differently"
        }
    }
}
