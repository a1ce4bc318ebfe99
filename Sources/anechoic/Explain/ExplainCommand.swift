import ArgumentParser
import Foundation
import Orchestration
import Reports
import Simulation

/// `anechoic explain`.
struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Say which two events raced, and from where on the failure was inevitable.",
        discussion: """
            Looks for the run nearest to a failing one that holds: with one pair of events swapped, one \
            ordering taken back, or a step of the script or the start of a device moved. Says which two \
            events that turns round where the failure shows, where the runs part, how likely the failure \
            is when the order of delivery is random, and from which step on it always comes. Best of what \
            shrink has left. \
            Leaves explanation.json beside the replay file, in explained, with both runs: failing and \
            passing. Exit status: 0 explained, 2 nothing that holds was found beside it, 70 the failure \
            does not repeat.
            """)

    @Argument(
        help: "A replay.json of a run that failed.", completion: .file(extensions: ["json"]))
    var file: String

    @Option(help: ArgumentHelp("How often a candidate may be played.", valueName: "n"))
    var replays = 500

    @Option(
        help: ArgumentHelp(
            "How many runs under random delivery. (default: 400, or 100 where devices have processes)",
            valueName: "n"))
    var runs: Int?

    @Option(
        help: ArgumentHelp(
            "Folder of the result. (default: explained, beside the replay file)",
            valueName: "folder"))
    var out: String?

    @OptionGroup var patience: WatchdogOption

    func validate() throws {
        for (name, value) in [("--replays", replays), ("--runs", runs ?? 1)] where value < 1 {
            throw ValidationError("\(name) \(value): expected at least 1")
        }
    }

    func run() throws {
        let failure = try FailingRun(file, watchdog: patience.watchdog)
        let (explainer, isInterrupted) = try LocalRunner.with(failure.settings) { runner in
            let study = try failure.study(runner)
            var explainer = Explainer(
                failure.task, study, on: runner, defects: try failure.defects(),
                mostReplays: replays,
                randomRuns: runs ?? (failure.settings.hosting == .inline ? 400 : 100))
            try explainer.explain()
            return (explainer, runner.isInterrupted)
        }
        let folder = out ?? failure.folder("explained")
        let report = try failure.write(
            explainer.failing.schedule, of: failure.task, into: "\(folder)/failing")
        // That of an earlier explanation does not belong to this one.
        try? FileManager.default.removeItem(atPath: "\(folder)/passing")
        let passing = try explainer.passing.map {
            try failure.write($0.sibling.schedule, of: $0.sibling.task, into: "\(folder)/passing")
        }
        try json(explainer.explanation).write(to: URL(filePath: "\(folder)/explanation.json"))
        try show(explainer.explanation.text(report, passing: passing?.replay))
        if isInterrupted { return try finish(.interrupted) }
        guard report.fingerprint == explainer.explanation.fingerprint else {
            printError("the failing run did not repeat by processes: it is \(told(report))")
            return try finish(.harnessError)
        }
        if let passing, passing.status != .held {
            printError("the run that holds did not repeat by processes: it is \(told(passing))")
            return try finish(.harnessError)
        }
        try finish(passing == nil ? .inconclusive : .held)
    }

    private func told(_ report: RunReport) -> String {
        "\(report.verdict) (\(report.fingerprint ?? report.failure ?? "nothing was broken"))"
    }
}
