package import Artifacts
import Campaigns
import Choices
package import Orchestration
import Reports

/// Runs of one scenario by seed after seed, of which none depends on another one.
///
/// A worker can play a part of them.
package struct Sampling: Codable, TopologyTask {
    /// What of a run tells how likely a failure is.
    package struct Verdict: Codable, Equatable {
        let status: ExitStatus
        let fingerprint: String?
    }

    /// What an improvisation follows.
    private struct Theme: Codable {
        let decisions: [Replay.Decision]
        let events: [EventID]
        let delays: [UInt64]
    }

    private let task: RunTask
    /// Nil for the strategies of the portfolio.
    private let theme: Theme?
    private var seeds: ClosedRange<UInt64>
    private let mostSteps: UInt64

    package var document: TopologyDocument { task.document }

    /// By the portfolio.
    init(of task: RunTask, seeds: ClosedRange<UInt64>, mostSteps: UInt64) {
        (self.task, self.seeds, self.mostSteps) = (task, seeds, mostSteps)
        theme = nil
    }

    /// Behind the first picks of a run.
    init(
        of task: RunTask, on study: Study, following count: Int, seeds: ClosedRange<UInt64>,
        mostSteps: UInt64
    ) {
        (self.task, self.seeds, self.mostSteps) = (task, seeds, mostSteps)
        let picks = study.picks.prefix(count)
        theme = Theme(
            decisions: study.schedule.besideTheOrder.decisions.map(Replay.Decision.init),
            events: picks.map(\.event), delays: picks.map(\.delay))
    }

    private var picking: Picking {
        guard let theme else { return .portfolio }
        return .improvised(
            Schedule(
                decisions: theme.decisions.map {
                    RecordedDecision(identity: $0.identity, value: $0.value)
                }),
            zip(theme.events, theme.delays).map { Pick(event: $0, delay: $1) })
    }

    /// Plays them here, until somebody interrupts.
    ///
    /// - Parameters:
    ///   - runner: Who plays them.
    ///   - onRun: Hears of each run, by its number.
    /// - Returns: What became of each, in the sequence of their seeds.
    /// - Throws: `Interruption` where one was cut short.
    package func play(
        _ runner: LocalRunner, onRun: (Int) -> Void = { _ in }
    ) throws -> [Verdict] {
        let picking = picking
        var verdicts: [Verdict] = []
        for seed in seeds where !runner.isInterrupted {
            let report = try runner.judge(task, by: picking, seed: seed, mostSteps: mostSteps)
                .report
            verdicts.append(Verdict(status: report.status, fingerprint: report.fingerprint))
            onRun(verdicts.count)
        }
        return verdicts
    }

    /// How many runs tell how long the others take.
    private static let trial = 4
    /// From how many seconds of work on a crew is called: it needs some time to be there.
    private static let worth = 2.0

    /// Plays them here, or those that take long by a crew.
    ///
    /// - Returns: What became of each; nil where an interruption, or the end of the time, came before the last one.
    func play(
        by crew: Crew?, or runner: LocalRunner, onRun: (Int) -> Void = { _ in }
    ) throws -> [Verdict]? {
        guard let crew, crew.parts > 1, seeds.count > Self.trial else {
            return whole(try play(runner, onRun: onRun))
        }
        let clock = ContinuousClock()
        let begin = clock.now
        var (head, rest) = (self, self)
        head.seeds = seeds.lowerBound...seeds.lowerBound + UInt64(Self.trial) - 1
        rest.seeds = head.seeds.upperBound + 1...seeds.upperBound
        let first = try head.play(runner, onRun: onRun)
        let seconds = (clock.now - begin) / .seconds(1) / Double(Self.trial)
        guard seconds * Double(rest.seeds.count) > Self.worth else {
            return whole(first + (try rest.play(runner) { onRun(Self.trial + $0) }))
        }
        let answers: [[Verdict]?] = try crew.play(
            rest.split(into: crew.parts), by: WorkerName.samples
        ) { runner.isInterrupted }
        try Interruption.check()
        return whole(first + answers.compactMap(\.self).flatMap(\.self))
    }

    private func whole(_ verdicts: [Verdict]) -> [Verdict]? {
        verdicts.count == seeds.count ? verdicts : nil
    }

    /// At most so many parts one after another, each of four runs at least.
    func split(into count: Int) -> [Sampling] {
        let parts = UInt64(max(1, min(count, seeds.count / 4)))
        let all = UInt64(seeds.count)
        return (0..<parts).map { place in
            var part = self
            part.seeds =
                seeds.lowerBound + all * place / parts...seeds.lowerBound + all * (place + 1)
                / parts - 1
            return part
        }
    }
}
