import ArgumentParser
import Foundation
import Orchestration
import Reports
import Simulation
import Topologies

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
            schedule. Exit status: that of the shrunk run, so 1 for a violation; 70 where the failure \
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
        let failure = try FailingRun(file, watchdog: patience.watchdog)
        try trust.demand(for: file, [failure.task])
        try failure.leaving(Self.parts, in: out, or: "shrunk") { try run(failure, into: $0) }
    }

    /// What stands in the folder of a result.
    private static let parts = RunArtifacts.parts + ["topology.yaml", "reduction.json"]

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
        /// What became of the run that failed.
        let report: RunReport

        var reduction: Reduction {
            Reduction(
                before: before, after: shrinker.scenario.size, replays: shrinker.replays,
                seconds: shrinker.seconds, certified: certificate?.map(\.item),
                superfluous: certificate?.filter(\.failsWithout).map(\.item))
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
    }

    private func shrink(
        _ task: RunTask, _ failure: Study, _ runner: LocalRunner
    ) throws -> Shrunk {
        let scenario = Scenario(task: task, schedule: failure.schedule)
        var budget = Shrinker.Budget(replays: replays)
        if let time { budget.seconds = time.seconds }
        budget.isStopped = { [unowned runner] in runner.isInterrupted }
        // Without one thing the rest may go round and round; what is smaller is not much longer.
        let mostSteps = Study.mostSteps(of: failure)
        let shrinker = Shrinker(
            scenario, fingerprint: failure.report.fingerprint ?? "", budget: budget
        ) { candidate in
            do {
                let (report, idle) = try runner.judge(
                    candidate.task, by: .schedule(candidate.schedule), mostSteps: mostSteps)
                return Shrinker.Outcome(fingerprint: report.fingerprint, idle: idle)
            } catch {
                // Without a part it may be no topology any more.
                guard error is TopologyError || error is WrongDefect else { throw error }
                return nil
            }
        }
        var certificate: [(item: String, failsWithout: Bool)]?
        do {
            try shrinker.spell(failure.randomFaults)
            try shrinker.shrink()
            certificate = try shrinker.certificate()
        } catch is Interruption {
            // It is as small as it has become.
        }
        return Shrunk(
            before: scenario.size, shrinker: shrinker, certificate: certificate,
            report: failure.report)
    }

    /// The most that a person reads of a schedule.
    private static let shown = 20

    private func text(_ shrunk: Shrunk) -> String {
        let (before, shrinker) = (shrunk.before, shrunk.shrinker)
        let (schedule, after) = (shrinker.scenario.schedule, shrinker.scenario.size)
        let lines =
            schedule.afters.map { "after: \($0.sentence)" }
            + schedule.decisions.map { "decided: \($0.sentence)" }
        var text = ""
        for line in lines.prefix(Self.shown) { text += line + "\n" }
        if lines.count > Self.shown {
            text += "… and \(lines.count - Self.shown) more, in replay.json\n"
        }
        text +=
            (lines.isEmpty ? "" : "\n") + before.text(becoming: after)
            + " in \(shrinker.replays) replays "
            + String(format: "(%.1f s)\n", shrinker.seconds)
        if Interruption.isHere {
            return text
                + "interrupted: it may become smaller; replay.json and topology.yaml are kept\n"
        }
        guard let certificate = shrunk.certificate else {
            return text
                + "the budget ended first: it may become smaller; --replays and --for give more\n"
        }
        let superfluous = certificate.filter(\.failsWithout)
        return text
            + (superfluous.isEmpty
                ? "certificate: without any one of these \(certificate.count) items it does not fail "
                    + "in this way\n"
                : "no certificate: it fails as well without \(superfluous[0].item)\n")
    }
}
