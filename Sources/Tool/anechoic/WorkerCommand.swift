import ArgumentParser
import Campaigns
import Diagnosis
import Orchestration
import Soaks

/// `anechoic worker`: does what another `anechoic` gives it, a task a line.
struct WorkerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: WorkerName.command, abstract: "Do runs for another anechoic.",
        shouldDisplay: false)

    @Argument(help: "What kind of work it does.")
    var kind: WorkerName

    @Argument(help: "Settings as base64 of JSON.")
    var settings: String

    func run() throws {
        switch kind {
        case .runs: try serve(settings) { (runner, task: RunTask) in runner.run(task) }
        case .lots:
            let player = LotPlayer()
            try serve(settings) { (runner, lot: Lot) in try player.play(lot, on: runner) }
        case .samples:
            try serve(settings) { (runner, sampling: Sampling) in try sampling.play(runner) }
        case .repetitions:
            try serve(settings) { (runner, repetition: Repetition) in repetition.play(runner) }
        case .recordings:
            try serve(settings) { (runner, recorded: RecordedTask) in recorded.play(runner) }
        case .soak:
            try SoakWorker.with(settings) { worker in
                try serve { (lot: SoakLot) in try worker.play(lot) }
            }
        }
    }
}

extension WorkerName: ExpressibleByArgument {}
