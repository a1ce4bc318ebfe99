package import Artifacts
import Choices
package import Foundation
package import Orchestration
package import Reports
import Schedules
package import Topologies

/// What distinguishes a run from the others of its topology.
package struct Variation: Codable, Equatable {
    package var seed: UInt64
    /// The end of its name, where the seed does not distinguish it.
    package var name: String?
    /// What strikes in it beside the script.
    package var faults: AddedFaults?
    /// Which fault of a sweep that is.
    var sweptFault: RunReport.SweptFault?
    /// The afters of its schedule, if it follows one.
    var afters: [After]?
}

extension Variation {
    /// A run of a seed, with a name of its own.
    package init(seed: UInt64, name: String) { (self.seed, self.name) = (seed, name) }
}

extension Variation {
    /// The same first come, first served, with nothing drawn: the run in which strategies count.
    var withNothingDrawn: Variation {
        Variation(seed: 0, name: "plain", faults: faults, sweptFault: sweptFault, afters: [])
    }

    /// First come, first served, with all else drawn by a seed: the run that a sweep strikes in.
    package static func plain(of seed: UInt64) -> Variation { Variation(seed: seed, name: "plain") }
}

/// Runs of one topology that a worker gets at a time: to send each run alone would take as long as the run.
package struct Lot: Codable, Equatable, TopologyTask {
    /// Its place among the lots of the exploration.
    package var number: Int
    /// What all of its runs have in common.
    package var task: RunTask
    package var variations: [Variation]
    /// Whether what all of its runs have shown is counted.
    var counts = false
    /// Whether it is counted how often they put each promise to the test.
    package var countsOccasions = false

    package var document: TopologyDocument { task.document }

    package var count: Int { variations.count }

    /// The lots of one run each.
    package var singles: [Lot] {
        variations.map {
            Lot(
                number: number, task: task, variations: [$0], counts: counts,
                countsOccasions: countsOccasions)
        }
    }
}

extension RunTask {
    /// The run of the same topology that a variation distinguishes.
    package func varied(by variation: Variation) -> RunTask {
        RunTask(
            name: variation.name.map { "\(name)/\($0)" } ?? name, file: file,
            document: variation.faults.map(document.adding) ?? document, seed: variation.seed,
            folder: folder, wayBack: wayBack, sweptFault: variation.sweptFault)
    }
}

/// What became of a lot.
package struct LotResult: Codable {
    package struct Failure: Codable {
        package let variation: Variation
        package let report: RunReport
    }

    /// How many of its runs were done.
    package var runs = 0
    /// How many of them ended before something was decided.
    package var undecided = 0
    /// The runs that failed, in the sequence of the lot.
    package var failures: [Failure] = []
    /// The plain run of the topology, where a device failed in it before anything could be counted in it.
    package var plainFailure: Failure?
    /// What its runs have shown that this worker had not seen before.
    package var coverage = Coverage()
    /// The orders of those that went by a schedule.
    var orders: [OrderSearch.Visit] = []
    /// What all of its runs have shown, where it is counted.
    package var counts = SuiteCounts()
    /// How often they put each promise to the test, where it is counted.
    package var occasions = Occasions()
    /// The virtual time of its runs, in nanoseconds.
    package var simulated: UInt64 = 0
}

extension LotResult {
    /// What a worker has answered.
    package static func answered(
        _ line: Result<Data, WorkerDied>
    ) throws -> Result<LotResult, WorkerDied> {
        switch line {
        case .success(let line): .success(try WorkerLine.decode(LotResult.self, from: line))
        case .failure(let death): .failure(death)
        }
    }
}

extension Lot {
    /// Runs that differ in seeds and names alone.
    package init(number: Int, task: RunTask, variations: [Variation]) {
        (self.number, self.task, self.variations) = (number, task, variations)
    }
}

extension LotResult {
    mutating func take(_ report: RunReport, of variation: Variation) {
        guard report.status != .interrupted else { return }
        runs += 1
        simulated += report.simulated
        if report.status == .inconclusive { undecided += 1 }
        guard report.status != .held, report.status != .inconclusive else { return }
        var brief = report
        brief.goals = []
        brief.promises.removeAll { $0.verdict != .violated }
        failures.append(Failure(variation: variation, report: brief))
    }

    /// Takes a plain run, which is none of the lot's.
    mutating func take(_ report: RunReport, ofPlain variation: Variation) {
        var other = LotResult()
        other.take(report, of: variation)
        plainFailure = plainFailure ?? other.failures.first
    }

    /// Takes a run that ended its worker.
    package mutating func take(
        crashed variation: Variation, of lot: Lot, with settings: RunSettings,
        by death: WorkerDied
    ) {
        take(
            RunReport(lot.task.varied(by: variation), with: settings, ending: death), of: variation)
        if let afters = variation.afters { orders.append(OrderSearch.Visit(afters, nil)) }
    }

    package mutating func add(_ piece: LotResult) {
        runs += piece.runs
        undecided += piece.undecided
        failures += piece.failures
        plainFailure = plainFailure ?? piece.plainFailure
        coverage.add(piece.coverage)
        orders += piece.orders
        counts.add(piece.counts)
        occasions.add(piece.occasions)
        simulated += piece.simulated
    }
}

/// What is known of a lot whose runs are done one by one.
package struct LotPieces {
    package let lot: Lot
    private var results: [LotResult?]

    package init(of lot: Lot) {
        self.lot = lot
        results = Array(repeating: nil, count: lot.count)
    }

    /// Takes the result of a lot of one run.
    package mutating func add(_ result: LotResult, of single: Lot) {
        guard let place = lot.variations.firstIndex(of: single.variations[0]) else { return }
        results[place] = result
    }

    /// What became of the whole lot, in the order of its runs; nil while some are missing.
    package var result: LotResult? {
        guard results.allSatisfy({ $0?.runs == 1 }) else { return nil }
        return results.compactMap(\.self).reduce(into: LotResult()) { $0.add($1) }
    }
}
