import ArgumentParser
import Foundation
import Notation
import Orchestration
import Reports
import Simulation
import YAML

/// `anechoic shrink`.
struct ShrinkCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shrink",
        abstract: "Make the smallest scenario that breaks the same promise in the same way.",
        discussion: """
            Turns the schedule of a failing run into what differs from first come, first served, and \
            its random faults into steps; leaves out of schedule and topology whatever is not needed \
            for the failure, and says the rest more plainly: weaker faults, round times. The result \
            stands beside the replay file, in shrunk: what every run leaves, with a replay file of its \
            own, and topology.yaml, which expects the promise to be broken if that takes no particular \
            schedule. What holds in other orders goes on doing so: a scenario that fails in many more \
            orders is another finding, and left in any-order.yaml. Exit status: that of the shrunk run, so 1 for a violation; 70 where the failure \
            does not repeat.
            """)

    @Argument(
        help: "A replay.json of a run that failed.", completion: .file(extensions: ["json"]))
    var file: String

    @Option(help: ArgumentHelp("How many runs it may take.", valueName: "n"))
    var replays = 2_000

    @Option(
        name: .customLong("for"), help: ArgumentHelp("How long it may take.", valueName: "time"),
        transform: WallTime.init)
    var time: WallTime?

    @Option(
        help: ArgumentHelp(
            "Folder of the result. (default: shrunk, beside the replay file)", valueName: "folder"))
    var out: String?

    @OptionGroup var patience: WatchdogOption

    @OptionGroup var trust: TrustOption

    func validate() throws {
        if replays < 1 { throw ValidationError("--replays \(replays): expected at least 1") }
    }

    func run() throws {
        let failure = try FailingRun(file, watchdog: patience.milliseconds)
        try trust.demand(for: file, [failure.task])
        try failure.leaving(Self.parts, in: out, or: "shrunk") { try run(failure, into: $0) }
    }

    /// What stands in the folder of a result.
    private static let parts =
        RunArtifacts.parts + ["topology.yaml", "any-order.yaml", "reduction.json"]

    private func run(_ failure: FailingRun, into folder: OutputFolder) throws {
        let shrunk = try LocalRunner.with(failure.settings) { runner in
            try shrink(failure.task, try failure.study(runner), runner)
        }
        let scenario = shrunk.shrinker.scenario
        var report = shrunk.report
        if !Interruption.isHere {
            report = try failure.write(scenario.schedule, of: scenario.task, into: folder)
        }
        if Interruption.isHere {
            report = shrunk.report
            try failure.keep(scenario.schedule, of: scenario.task, in: folder)
        }
        let topology = try Regression(scenario, report, of: failure).text()
        try folder.write(Data(topology.utf8), to: "topology.yaml")
        try folder.write(json(shrunk.reduction), to: "reduction.json")
        try write(shrunk.shrinker.raceless, into: folder)
        try show(topology + "\n" + text(shrunk) + "\n" + (Console.story(report) ?? "") + "\n")
        if Interruption.isHere { return try finish(.interrupted) }
        try finish(
            report.fingerprint == shrunk.shrinker.fingerprint ? report.status : .harnessError)
    }

    /// What shrinking led to.
    private struct Shrunk {
        let before: Scenario.Size
        let shrinker: Shrinker
        let certificate: [(item: String, failsWithout: Bool)]?
        let delivery: Delivery
        /// What became of the run that failed.
        let report: RunReport

        var reduction: Reduction {
            Reduction(
                before: before, after: shrinker.scenario.size, replays: shrinker.replays,
                seconds: shrinker.seconds, certified: certificate?.map(\.item),
                superfluous: certificate?.filter(\.failsWithout).map(\.item),
                delivery: delivery)
        }
    }

    /// `reduction.json`.
    private struct Reduction: Encodable {
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

    /// How often it fails under random delivery.
    private struct Delivery: Encodable {
        let before: Likelihood
        let after: Likelihood
        /// How many runs were played to know, and to keep it so.
        let runs: Int
    }

    /// Leaves the scenario that fails in many more orders beside the other one.
    private func write(_ raceless: Scenario?, into folder: OutputFolder) throws {
        let name = "any-order.yaml"
        guard let raceless else {
            // That of an earlier time does not belong to this one.
            folder.removeFiles { $0 == name }
            return
        }
        try folder.write(Data(raceless.task.movedText.utf8), to: name)
    }

    private func shrink(
        _ task: RunTask, _ failure: Study, _ runner: LocalRunner
    ) throws -> Shrunk {
        let scenario = Scenario(task: task, schedule: failure.schedule)
        var budget = Shrinker.Budget(replays: replays)
        if let time { budget.seconds = time.seconds }
        budget.isStopped = { Interruption.isHere }
        // Without one thing the rest may go round and round; what is smaller is not much longer.
        let mostSteps = Study.mostSteps(of: failure)
        let fingerprint = failure.report.fingerprint ?? ""
        let delivery = RandomDelivery(runner, fingerprint: fingerprint, mostSteps: mostSteps)
        // Where nothing was seen of what was expected, it is asked how far the run came instead.
        let milestones = failure.report.lacksEverything ? Milestones() : nil
        runner.observer = milestones
        if milestones != nil { _ = try runner.judge(task, by: .schedule(failure.schedule)) }
        var bound: RandomDelivery.Bound?
        let shrinker = Shrinker(
            scenario, fingerprint: fingerprint, progress: milestones?.highest ?? 0, budget: budget,
            races: { scenario in try bound.map { try delivery.races(scenario, within: $0) } ?? true
            },
            overtakers: {
                try runner.study($0.task, .schedule($0.schedule)).overtakers(of: $1.event)
            }
        ) { candidate in
            do {
                let (report, idle) = try runner.judge(
                    candidate.task, by: .schedule(candidate.schedule), mostSteps: mostSteps)
                return Shrinker.Outcome(
                    fingerprint: report.fingerprint, idle: idle, progress: milestones?.highest ?? 0)
            } catch {
                // Without a part it may be no topology any more.
                guard error is DocumentError || error is WrongDefect else { throw error }
                return nil
            }
        }
        var certificate: [(item: String, failsWithout: Bool)]?
        // Nothing is known of it yet.
        var (before, after) = (Likelihood(hits: 0, runs: 0), Likelihood(hits: 0, runs: 0))
        do {
            try shrinker.spell(failure.randomFaults)
            // Faults that were drawn are steps now: what is left to chance is the order.
            before = try delivery.likelihood(of: shrinker.scenario, in: Self.samples)
            after = before
            bound = RandomDelivery.Bound(before)
            try shrinker.shrink()
            certificate = try shrinker.certificate()
            after = try delivery.likelihood(of: shrinker.scenario, in: Self.samples)
        } catch is Interruption {
            // It is as small as it has become.
        }
        return Shrunk(
            before: scenario.size, shrinker: shrinker, certificate: certificate,
            delivery: Delivery(before: before, after: after, runs: delivery.runs),
            report: failure.report)
    }

    /// How many runs tell how often it fails under random delivery.
    private static let samples = 16

    private func sentence(of delivery: Delivery) -> String {
        let shares = [delivery.before, delivery.after].map { "\($0.hits) of \($0.runs)" }
        return "under random delivery it fails in \(shares[0]) runs → \(shares[1])\n"
    }

    /// The most that a person reads of a schedule.
    private static let shown = 20

    private func text(_ shrunk: Shrunk) -> String {
        let (before, shrinker) = (shrunk.before, shrunk.shrinker)
        let (schedule, after) = (shrinker.scenario.schedule, shrinker.scenario.size)
        let lines =
            schedule.afters.map { "after: \($0.sentence)" }
            + schedule.decisions.map { "decided: \($0.sentence)" }
        var text = lines.capped(at: Self.shown) { "… and \($0) more, in replay.json" }
            .map { $0 + "\n" }.joined()
        text +=
            (lines.isEmpty ? "" : "\n") + before.text(becoming: after)
            + " in \(shrinker.replays) replays "
            + String(format: "(%.1f s)\n", shrinker.seconds)
        if Interruption.isHere {
            return text
                + "interrupted: it may become smaller; replay.json and topology.yaml are kept\n"
        }
        text += sentence(of: shrunk.delivery)
        if let raceless = shrinker.raceless {
            text +=
                "it also fails in many more orders, as \(raceless.size.lines) lines, which is another "
                + "finding: any-order.yaml\n"
        }
        guard let certificate = shrunk.certificate else {
            return text
                + "the budget ended first: it may become smaller; --replays and --for give more\n"
        }
        let superfluous = certificate.filter(\.failsWithout)
        return text
            + (superfluous.isEmpty
                ? "certificate: without any one of these \(certificate.count) items it does not fail "
                    + "in this way\(shrinker.raceless == nil ? "" : ", or in many more orders")\n"
                : "no certificate: it fails as well without \(superfluous[0].item)\n")
    }
}
