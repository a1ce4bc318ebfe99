import ArgumentParser
import Campaigns
import Diagnosis
import Orchestration

/// What every worker is given.
struct WorkerArguments: ParsableArguments {
    @Argument(help: "Settings as base64 of JSON.")
    var settings: String
}

/// `anechoic worker`: does the runs that another `anechoic` gives it, a task a line.
struct WorkerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: WorkerName.runs, abstract: "Do runs for another anechoic.",
        shouldDisplay: false)

    @OptionGroup var given: WorkerArguments

    func run() throws { try serve(given.settings) { (runner, task: RunTask) in runner.run(task) } }
}

/// `anechoic explore-worker`: does the lots that an exploration gives it, one a line.
struct ExploreWorkerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: WorkerName.lots, abstract: "Do runs for an exploration.", shouldDisplay: false)

    @OptionGroup var given: WorkerArguments

    func run() throws {
        let player = LotPlayer()
        try serve(given.settings) { (runner, lot: Lot) in try player.play(lot, on: runner) }
    }
}

/// `anechoic sample-worker`: plays runs that tell how likely a failure is, some a line.
struct SampleWorkerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: WorkerName.samples, abstract: "Do runs for shrink and explain.",
        shouldDisplay: false)

    @OptionGroup var given: WorkerArguments

    func run() throws {
        try serve(given.settings) { (runner, sampling: Sampling) in try sampling.play(runner) }
    }
}

/// `anechoic repeat-worker`: repeats the runs that an exploration gives it, one a line.
struct RepeatWorkerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: WorkerName.repetitions, abstract: "Repeat runs for an exploration.",
        shouldDisplay: false)

    @OptionGroup var given: WorkerArguments

    func run() throws {
        try serve(given.settings) { (runner, repetition: Repetition) in repetition.play(runner) }
    }
}

/// `anechoic replay-worker`: repeats the recorded runs that a replay gives it, one a line.
struct ReplayWorkerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: WorkerName.recordings, abstract: "Repeat recorded runs for a replay.",
        shouldDisplay: false)

    @OptionGroup var given: WorkerArguments

    func run() throws {
        try serve(given.settings) { (runner, recorded: RecordedTask) in recorded.play(runner) }
    }
}
