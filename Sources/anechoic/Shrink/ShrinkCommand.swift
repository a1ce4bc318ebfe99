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
            leaves out of schedule and topology whatever is not needed for the failure. The result \
            stands beside the replay file, in shrunk: topology.yaml, and what every run leaves, with a \
            replay file of its own. Exit status: that of the shrunk run, so 1 for a violation; 70 \
            where the failure does not repeat.
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

    func validate() throws {
        if replays < 1 { throw ValidationError("--replays \(replays): expected at least 1") }
    }

    func run() throws {
        let recording = try Replay.read(file)
        var settings = RunSettings.ofThisProgram
        settings.scheduler = try Strategy(of: recording, file)
        settings.hosting = .inline
        let task = try settings.take(recording)
        let shrunk = try LocalRunner.with(settings) { runner in
            let (scenario, failure) = try scenario(task, Order(recording), runner)
            return try shrink(scenario, failure, runner)
        }
        let report = try write(shrunk.shrinker.scenario, recording, settings)
        try show(text(shrunk) + "\n" + (Console.story(report) ?? "") + "\n")
        if shrunk.isInterrupted { return try finish(.interrupted) }
        try finish(
            report.fingerprint == shrunk.shrinker.fingerprint ? report.status : .harnessError)
    }

    /// The recorded run as a scenario, and how it fails.
    private func scenario(
        _ task: RunTask, _ order: Order, _ runner: LocalRunner
    ) throws -> (Scenario, Study) {
        let original = try runner.study(task, order)
        guard original.report.fingerprint != nil else {
            throw WrongUse(
                description: "\(file): this run is \(original.report.verdict); there is nothing to "
                    + "shrink but for a run that failed")
        }
        let again = try runner.study(task, .schedule(original.schedule))
        if let difference = firstDifference(original.steps, again.steps) {
            throw HarnessError(
                description:
                    "\(file): the schedule of this run does not give it again: \(difference)")
        }
        return (Scenario(task: task, schedule: original.schedule), original)
    }

    /// What shrinking led to.
    private struct Shrunk {
        let before: Scenario.Size
        let shrinker: Shrinker
        let certificate: [(item: String, failsWithout: Bool)]?
        let isInterrupted: Bool
    }

    private func shrink(
        _ scenario: Scenario, _ failure: Study, _ runner: LocalRunner
    ) throws -> Shrunk {
        var budget = Shrinker.Budget(replays: replays)
        if let time { budget.seconds = time.seconds }
        budget.isStopped = { [unowned runner] in runner.isInterrupted }
        // Without one thing the rest may go round and round; what is smaller is not much longer.
        let mostSteps = 2 * UInt64(failure.steps.count) + 1_000
        let shrinker = Shrinker(
            scenario, fingerprint: failure.report.fingerprint ?? "", budget: budget
        ) { candidate in
            do {
                let (report, unused) = try runner.judge(
                    candidate.task, by: candidate.schedule, mostSteps: mostSteps)
                return Shrinker.Outcome(fingerprint: report.fingerprint, unused: unused)
            } catch {
                // Without a part it may be no topology any more.
                guard error is TopologyError || error is WrongDefect else { throw error }
                return nil
            }
        }
        try shrinker.shrink()
        return Shrunk(
            before: scenario.size, shrinker: shrinker, certificate: try shrinker.certificate(),
            isInterrupted: runner.isInterrupted)
    }

    /// Plays the smallest scenario by processes and leaves what every run leaves.
    private func write(
        _ scenario: Scenario, _ recording: Replay, _ settings: RunSettings
    ) throws -> RunReport {
        let folder =
            out
            ?? URL(filePath: file).deletingLastPathComponent().appending(path: "shrunk")
            .relativePath
        var replay = recording
        replay.topology = scenario.task.text
        replay.seed = scenario.task.seed
        replay.defects = settings.defects.map { Replay.Defect(device: $0.device, name: $0.name) }
        replay.decisions = scenario.schedule.decisions.map(Replay.Decision.init)
        replay.afters = scenario.schedule.afters
        replay.digest = ""
        var writing = settings
        writing.hosting = .process
        writing.output = folder
        writing.folder = folder
        try RunArtifacts.prepare(folder)
        try scenario.task.text.write(
            toFile: "\(folder)/topology.yaml", atomically: true, encoding: .utf8)
        return try LocalRunner.with(writing) { $0.run(scenario.task, repeating: replay) }
    }

    /// The most that a person reads of a schedule.
    private static let shown = 20

    private func text(_ shrunk: Shrunk) -> String {
        let (before, shrinker) = (shrunk.before, shrunk.shrinker)
        let (scenario, after) = (shrinker.scenario, shrinker.scenario.size)
        let lines =
            scenario.schedule.afters.map { "after: \($0.sentence)" }
            + scenario.schedule.decisions.map { "decided: \($0.sentence)" }
        var text = scenario.task.text + "\n"
        for line in lines.prefix(Self.shown) { text += line + "\n" }
        if lines.count > Self.shown {
            text += "… and \(lines.count - Self.shown) more, in replay.json\n"
        }
        text +=
            "\n\(before.lines) lines, \(before.afters) afters, \(before.decisions) decisions became "
            + "\(after.lines), \(after.afters), \(after.decisions) in \(shrinker.replays) replays "
            + String(format: "(%.1f s)\n", shrinker.seconds)
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

extension RunSettings {
    /// The run of a replay file, with its defects written into the topology where that names the device;
    /// those of the others stay in the settings.
    mutating func take(_ recording: Replay) throws -> RunTask {
        var task = RunTask(
            name: recording.name, file: recording.file, text: recording.topology,
            seed: recording.seed)
        defects = []
        for defect in recording.defects {
            if let text = TopologyParts(task.text)?
                .text(switchingOn: defect.name, of: defect.device)
            {
                task.text = text
            } else {
                defects.append(Defect(device: defect.device, name: defect.name))
            }
        }
        return task
    }
}
