import ArgumentParser
import Artifacts
import Basics
import Diagnosis
import Foundation
import Orchestration
import Reports

struct ShrinkCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shrink",
        abstract: "Make the smallest scenario that breaks the same promise in the same way.",
        discussion: """
            Removes from the topology and the schedule of a failing run what the failure does not need, \
            and makes the rest plainer: random faults become steps, faults become weaker, times rounder. \
            It keeps the parameters of devices, because changing them changes the device.

            The result stands beside the replay file, in shrunk: what every run leaves, with a replay \
            file of its own, and topology.yaml. If the failure needs no particular schedule, \
            topology.yaml expects it, and is a regression test. A scenario that fails in many more \
            orders than the failing run is another finding; it stands in any-order.yaml.

            One candidate is tried after another, because each depends on whether the one before was taken. \
            --jobs applies only to the runs that measure how often it fails under random delivery, where \
            devices have processes and these runs take longer than two seconds; the result is the same.

            Exit status: that of the shrunk run, so 1 for a violation; 70 if the failure does not \
            repeat.
            """)

    @OptionGroup var failed: FailureOptions

    @Option(help: ArgumentHelp("The most runs that it may take.", valueName: "n"))
    var replays = 2_000

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("The most time that it may take.", valueName: "time"),
        transform: WallTime.init)
    var time: WallTime?

    @Option(
        help: ArgumentHelp(
            "Folder of the result. (default: shrunk, beside the replay file)", valueName: "folder"))
    var out: String?

    @OptionGroup var atOnce: JobsOption

    @OptionGroup var colour: ColourOption

    @OptionGroup var json: JSONOption

    func validate() throws {
        if replays < 1 { throw ValidationError("--replays \(replays): expected at least 1") }
    }

    func run() throws {
        guard json.isOn else { return try finish(shrink { try show(raw: $0) }) }
        try json.answer(as: "shrink") { document in try shrink(into: document) }
    }

    private func shrink(
        into document: ResultsDocument? = nil, _ tell: (String) throws -> Void = { _ in }
    ) throws -> ExitStatus {
        let failure = try failed.failure()
        var status = ExitStatus.held
        try failure.leaving(ShrunkRun.parts, in: out, or: "shrunk") { folder in
            var budget = Shrinker.Budget(replays: replays)
            if let time { budget.seconds = time.seconds }
            let run = try ShrunkRun(
                of: failure, into: folder, budget: budget,
                jobs: atOnce.number)
            try document?.add(
                Answer(
                    folder: folder.path, reduction: run.shrunk.reduction, topology: run.topology,
                    run: run.report))
            let story = colour.ink.story(plain(Console.story(run.report) ?? ""))
            try tell(plain(run.topology + "\n" + text(run.shrunk) + "\n") + story + "\n")
            if let trouble = run.trouble { printError(trouble) }
            let isWhole = run.trouble == nil && run.isRepeated
            status =
                Interruption.isHere
                ? .interrupted : isWhole ? run.report.status : .harnessError
        }
        return status
    }

    /// What `--json` reports.
    private struct Answer: Encodable {
        let folder: String
        let reduction: Shrunk.Reduction
        let topology: String
        let run: RunReport
    }

    /// The most that a person reads of a schedule.
    private static let shown = 20

    private func text(_ shrunk: Shrunk) -> String {
        let (before, shrinker) = (shrunk.before, shrunk.shrinker)
        let (schedule, after) = (shrinker.scenario.schedule, shrinker.scenario.size)
        let lines =
            schedule.afters.map { "after: \($0.sentence)" }
            + schedule.decisions.map { "decided: \($0.sentence)" }
        var text = lines.capped(at: Self.shown) { "… \($0), in replay.json" }
            .map { $0 + "\n" }.joined()
        text +=
            (lines.isEmpty ? "" : "\n") + before.text(becoming: after)
            + " in \(shrinker.replays) replays "
            + String(format: "(%.1f s)\n", shrinker.seconds)
        if Interruption.isHere {
            return text
                + "interrupted: it may become smaller; replay.json and topology.yaml are kept\n"
        }
        let shares = [shrunk.delivery.before, shrunk.delivery.after]
            .map { "\($0.hits) of \($0.runs)" }
        text += "under random delivery it fails in \(shares[0]) runs → \(shares[1])\n"
        if let raceless = shrinker.raceless {
            text +=
                "a scenario of \(raceless.size.lines.counted("line")) fails in many more orders; it is another "
                + "finding: any-order.yaml\n"
        }
        guard let certificate = shrunk.certificate else {
            return text
                + "the budget ended first, so it may become smaller; --replays and --for give more\n"
        }
        let superfluous = certificate.filter(\.failsWithout)
        let otherwise =
            shrunk.delivery.before.isCertain
            ? ", or not in every order" : shrinker.raceless == nil ? "" : ", or in many more orders"
        return text
            + (superfluous.isEmpty
                ? "certificate: without any one of these \(certificate.count) items it does not fail "
                    + "in this way\(otherwise)\n"
                : "no certificate: it also fails without \(superfluous[0].item)\n")
    }
}
