import ArgumentParser
import Artifacts
import Diagnosis
import Foundation
import Orchestration
import Reports

struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Say which two events raced, and from which step on every try failed.",
        discussion: """
            Searches for the closest run that passes: with two events swapped, with one event no longer \
            delayed, or with a step of the script, a delay or the start of a device moved. Names the two \
            events that race if it has proven that, and the first effect of their order at the device \
            that fails. Also reports where the two runs diverge, how likely the failure is under random \
            delivery, and from which step on every try failed. Works best on a shrunk run.

            If devices are processes, --jobs applies to the runs under random delivery, which are most of \
            them, if they take longer than two seconds; siblings are played one after another. The result is \
            the same.

            Leaves explanation.json beside the replay file, in explained, with both runs: failing and \
            passing. Exit status: 0 explained, or no race; 2 no passing run was found, 70 the failure \
            does not repeat.
            """)

    @OptionGroup var failed: FailureOptions

    @Option(help: ArgumentHelp("How many candidates may be played.", valueName: "n"))
    var replays = 500

    @Option(
        help: ArgumentHelp(
            "How many runs under random delivery. (default: 400, or 100 where devices have processes)",
            valueName: "n"), transform: wholeNumber)
    var runs: Int?

    @Option(
        help: ArgumentHelp(
            "Folder of the result. (default: explained, beside the replay file)",
            valueName: "folder"))
    var out: String?

    @OptionGroup var atOnce: JobsOption

    @OptionGroup var colour: ColourOption

    @OptionGroup var json: JSONOption

    func validate() throws {
        for (name, value) in [("--replays", replays), ("--runs", runs ?? 1)] where value < 1 {
            throw ValidationError("\(name) \(value): expected at least 1")
        }
    }

    func run() throws {
        guard json.isOn else { return try finish(explain { try show(raw: $0) }) }
        try json.answer(as: "explain") { document in try explain(into: document) }
    }

    private func explain(
        into document: ResultsDocument? = nil, _ tell: (String) throws -> Void = { _ in }
    ) throws -> ExitStatus {
        let failure = try failed.failure()
        var status = ExitStatus.held
        try failure.leaving(ExplainedFailure.parts, in: out, or: "explained") { folder in
            let explained = try ExplainedFailure(
                of: failure, into: folder, replays: replays, runs: runs,
                jobs: atOnce.number)
            let (failing, passing) = (explained.failing, explained.passing)
            let text = explained.explanation.text(
                failing, failing: failing.replay, passing: passing?.replay, ink: colour.ink)
            try document?.add(
                Answer(
                    folder: folder.path, explanation: explained.explanation, failing: failing,
                    passing: passing))
            guard !Interruption.isHere else {
                try tell("interrupted; so far:\n" + text)
                return status = .interrupted
            }
            try tell(text)
            if let trouble = explained.trouble ?? explained.doubt {
                printError(trouble)
                return status = .harnessError
            }
            let isExplained = passing != nil || explained.explanation.isInEveryOrder
            status = isExplained ? .held : .inconclusive
        }
        return status
    }

    /// What `--json` reports.
    private struct Answer: Encodable {
        let folder: String
        let explanation: Explanation
        let failing: RunReport
        let passing: RunReport?
    }
}
