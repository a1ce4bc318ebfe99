package import Campaigns
package import Choices
import DeviceLink
package import Orchestration
package import Reports
import Schedules
package import Traces

/// How often a scenario fails if everything that a schedule decides is drawn anew, by the strategies of the
/// portfolio; devices keep their keys.
package final class RandomDelivery {
    private let runner: LocalRunner
    private let fingerprint: String
    /// Who shares runs; nil for us alone.
    private let crew: Crew?
    /// After how many steps a run is given up.
    private let mostSteps: UInt64
    package private(set) var runs = 0

    package init(
        _ runner: LocalRunner, fingerprint: String, mostSteps: UInt64, crew: Crew? = nil
    ) {
        (self.runner, self.fingerprint, self.mostSteps) = (runner, fingerprint, mostSteps)
        self.crew = crew
    }

    /// How often a scenario fails in this way.
    package func likelihood(of scenario: Scenario, in count: Int) throws -> Likelihood {
        let sampling = Sampling(
            of: scenario.task, seeds: 1...UInt64(count), mostSteps: mostSteps)
        let verdicts = try sampling.play(by: crew, or: runner) ?? []
        runs += verdicts.count
        return Likelihood(
            hits: verdicts.count { $0.fingerprint == fingerprint }, runs: verdicts.count)
    }

    /// Whether a scenario fails in this way under each strategy of the portfolio.
    package func isCertain(_ scenario: Scenario) throws -> Bool {
        for seed in 1...UInt64(Strategy.arms.count) {
            runs += 1
            let (report, _) = try runner.judge(
                scenario.task, by: .portfolio, seed: seed, mostSteps: mostSteps)
            guard report.fingerprint == fingerprint else { return false }
        }
        return true
    }

    /// How much the order of a scenario has to matter.
    package struct Bound {
        /// It races if this many runs pass.
        let passes: Int
        /// It does not if this many fail before.
        package let failures: Int

        /// Nil for what fails in most orders; what fails seldom goes on doing so.
        init?(_ likelihood: Likelihood) {
            guard 2 * likelihood.hits <= likelihood.runs else { return nil }
            (passes, failures) = 8 * likelihood.hits <= likelihood.runs ? (6, 3) : (5, 8)
        }
    }

    /// Whether a scenario holds often enough for its order to matter.
    package func races(_ scenario: Scenario, within bound: Bound) throws -> Bool {
        var (passes, failures) = (0, 0)
        for seed in 1...UInt64(bound.passes + bound.failures) {
            runs += 1
            let (report, _) = try runner.judge(
                scenario.task, by: .portfolio, seed: seed, mostSteps: mostSteps)
            let isPass = report.fingerprint == nil && report.status != .interrupted
            if isPass { passes += 1 } else { failures += 1 }
            if passes == bound.passes { return true }
            if failures == bound.failures { return false }
        }
        return false
    }
}

/// How far a run came on the way to ranging: what fails because something was not seen fails in another way
/// where nothing was under way at all.
package final class Milestones: RunSink {
    private static let ladder: [EventKind] = [
        .runStarted, .linkUp, .gattSubscribed, .msgInitializeReceived,
        .msgAccessoryConfigurationDataReceived, .msgConfigureAndStartReceived, .uwbStarted,
        .niDidUpdate,
    ]

    /// The highest rung that was seen, from 0.
    private(set) var highest = 0

    package func take(_ event: TraceEvent) {
        if event.kind == Self.ladder[0] { highest = 0 }
        guard highest + 1 < Self.ladder.count else { return }
        for rung in (highest + 1)..<Self.ladder.count where Self.ladder[rung] == event.kind {
            highest = rung
        }
    }
}

extension RunReport {
    /// Whether it fails only because of an expectation of which nothing was seen.
    package var lacksEverything: Bool {
        guard status == .violated, firstViolation == nil,
            let unmet = expectations.first(where: { $0.verdict == .violated })
        else { return false }
        return ["not seen", "seen 0 "].contains { unmet.progress?.hasPrefix($0) == true }
    }
}

extension Study {
    /// The events that happened while this one could have, and for which it matters which of the two is
    /// first.
    package func overtakers(of event: EventID) -> [EventID] {
        picks.prefix { $0.event != event }
            .filter { $0.rivals.contains(event) || $0.others.contains(event) }.map(\.event)
    }
}
