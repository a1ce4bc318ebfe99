package import Campaigns
import Choices
import DeviceLink
package import Orchestration
package import Reports
import Scenarios
import Topologies
import YAML

/// What shrinking a failing run led to.
package struct Shrunk {
    /// How large the scenario was.
    package let before: Scenario.Size
    /// The shrinker, which has what is left.
    package let shrinker: Shrinker
    /// Everything that is left, and whether the run fails without it; nil where the budget ended first.
    package let certificate: [(item: String, failsWithout: Bool)]?
    /// How often it fails under random delivery.
    package let delivery: Delivery
    /// What became of the run that failed.
    package let report: RunReport
    /// The promises that what is left breaks where it goes on for a while: they have one cause.
    package private(set) var breaks: [String] = []

    /// How often a scenario fails under random delivery.
    package struct Delivery: Encodable {
        /// The one that failed.
        package let before: Likelihood
        /// The one that is left.
        package let after: Likelihood
        /// How many runs were played to know, and to keep it so.
        package let runs: Int
    }

    /// What shrink did, as `reduction.json` has it.
    package struct Reduction: Encodable {
        /// The version of this document.
        let schema = 1
        let before: Scenario.Size
        let after: Scenario.Size
        let replays: Int
        let seconds: Double
        /// Everything that is left; nil where the budget ended first.
        let certified: [String]?
        /// What of it is not needed after all.
        let superfluous: [String]?
        let delivery: Delivery
    }

    /// How many runs estimate how often a scenario fails under random delivery.
    private static let samples = 16
    /// How many tell what fails in every order from what fails in nearly every one.
    private static let manySamples = 100

    /// Makes the scenario of a failing run as small as the budget allows.
    ///
    /// Where somebody interrupts it, it is as small as it has become.
    package init(
        _ task: RunTask, failing failure: Study, on runner: LocalRunner, budget: Shrinker.Budget,
        crew: Crew? = nil
    ) throws {
        let scenario = Scenario(task: task, schedule: failure.schedule)
        // Without one part the rest may loop; what is smaller does not take many more steps.
        let mostSteps = Study.mostSteps(of: failure)
        let random = RandomDelivery(
            runner, fingerprint: failure.report.fingerprint ?? "", mostSteps: mostSteps,
            crew: crew)
        // Where nothing was seen of what was expected, it is asked how far the run came instead.
        let milestones = failure.report.lacksEverything ? Milestones() : nil
        runner.observer = milestones
        if milestones != nil { _ = try runner.judge(task, by: .schedule(failure.schedule)) }
        var (bound, isCertain) = (RandomDelivery.Bound?.none, false)
        shrinker = Shrinker(
            scenario, fingerprint: failure.report.fingerprint ?? "",
            progress: milestones?.highest ?? 0,
            budget: budget,
            races: { scenario in try bound.map { try random.races(scenario, within: $0) } ?? true },
            overtakers: {
                try runner.study($0.task, by: .schedule($0.schedule)).overtakers(of: $1.event)
            },
            play: { scenario in
                let outcome = try Self.play(
                    scenario, on: runner, mostSteps: mostSteps, milestones: milestones)
                guard isCertain, outcome?.fingerprint == failure.report.fingerprint else {
                    return outcome
                }
                // What fails in every order does not become a race.
                return try random.isCertain(scenario)
                    ? outcome : Shrinker.Outcome(fingerprint: nil, idle: Schedule())
            })
        var certificate: [(item: String, failsWithout: Bool)]?
        // Nothing is known of it yet.
        var (before, after) = (Likelihood(hits: 0, runs: 0), Likelihood(hits: 0, runs: 0))
        do {
            try shrinker.spell(failure.randomFaults)
            // Faults that were drawn are steps now: what is left to chance is the order.
            before = try random.likelihood(of: shrinker.scenario, in: Self.samples)
            after = before
            bound = RandomDelivery.Bound(before)
            isCertain = before.isCertain
            try shrinker.shrink()
            // A few runs of each candidate have not shown what fails nearly always.
            if isCertain {
                try shrinker.goBack {
                    try random.likelihood(of: $0, in: Self.manySamples).isCertain
                }
            }
            certificate = try shrinker.certificate()
            after = try random.likelihood(of: shrinker.scenario, in: Self.samples)
            breaks = try Self.broken(by: shrinker.scenario, on: runner)
        } catch is Interruption {}
        self.before = scenario.size
        self.certificate = certificate
        delivery = Delivery(before: before, after: after, runs: random.runs)
        report = failure.report
    }

    /// How much longer a scenario goes on than it takes to fail: two of the longest deadlines.
    private static let sequel = Nanoseconds.seconds(60)

    private static func broken(
        by scenario: Scenario, on runner: LocalRunner
    ) throws -> [String] {
        var task = scenario.task
        if let parts = TopologyParts(task.text) {
            task.text = parts.text(endingAt: (parts.length ?? Topology.standardLength) + sequel)
        }
        do {
            let (report, _) = try runner.judge(task, by: .schedule(scenario.schedule))
            return report.promises.filter { $0.verdict == .violated }.map(\.promise)
        } catch  where error is DocumentError || error is WrongName { return [] }
    }

    /// How a candidate ends; nil where it cannot be played, for without a part it may be no topology any
    /// more.
    private static func play(
        _ candidate: Scenario, on runner: LocalRunner, mostSteps: UInt64, milestones: Milestones?
    ) throws -> Shrinker.Outcome? {
        do {
            let (report, idle) = try runner.judge(
                candidate.task, by: .schedule(candidate.schedule), mostSteps: mostSteps)
            return Shrinker.Outcome(
                fingerprint: report.fingerprint, idle: idle, progress: milestones?.highest ?? 0)
        } catch  where error is DocumentError || error is WrongName {
            return nil
        }
    }

    /// The contents of `reduction.json`.
    package var reduction: Reduction {
        Reduction(
            before: before, after: shrinker.scenario.size, replays: shrinker.replays,
            seconds: shrinker.seconds, certified: certificate?.map(\.item),
            superfluous: certificate?.filter(\.failsWithout).map(\.item),
            delivery: delivery)
    }
}
