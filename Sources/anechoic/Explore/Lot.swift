import ArgumentParser
import DeviceKit
import Foundation
import Orchestration
import Reports
import Simulation

/// Runs of one topology with seeds in a row: what a worker of an exploration gets at a time, because to
/// tell it one run at a time would take as long as the run.
struct Lot: Codable, Equatable {
    /// Its place among the lots of the exploration.
    var number: Int
    /// The first of its runs.
    var first: RunTask
    /// How many runs there are.
    var count: UInt64

    var seeds: Range<UInt64> { first.seed..<first.seed + count }

    func run(_ seed: UInt64) -> RunTask {
        var task = first
        task.seed = seed
        return task
    }

    /// The lots of one run each.
    var singles: [Lot] { seeds.map { Lot(number: number, first: run($0), count: 1) } }
}

/// What became of a lot.
struct LotResult: Codable {
    /// How many of its runs were done.
    var runs: UInt64 = 0
    /// How many of them ended before something was decided.
    var undecided: UInt64 = 0
    /// Those that failed.
    var failures: [RunReport] = []
}

extension LotResult {
    mutating func take(_ report: RunReport) {
        guard report.status != .interrupted else { return }
        runs += 1
        if report.status == .inconclusive { undecided += 1 }
        guard report.status != .held, report.status != .inconclusive else { return }
        var brief = report
        brief.goals = []
        brief.promises.removeAll { $0.verdict != "violated" }
        failures.append(brief)
    }

    mutating func add(_ piece: LotResult) {
        runs += piece.runs
        undecided += piece.undecided
        failures += piece.failures
    }
}

/// `anechoic explore-worker`: does the lots that an exploration gives it, one a line.
struct ExploreWorkerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explore-worker", abstract: "Do runs for an exploration.",
        shouldDisplay: false)

    @Argument(help: "Settings as base64 of JSON.")
    var settings: String

    func run() throws {
        try serve(settings) { (runner, lot: Lot) in
            var result = LotResult()
            for seed in lot.seeds where !runner.isInterrupted {
                result.take(runner.run(lot.run(seed)))
            }
            return result
        }
    }
}
