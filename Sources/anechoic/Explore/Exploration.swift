import Foundation
import Orchestration
import Reports
import Simulation

/// How far an exploration is and what it has found; `explore.json` keeps it, so that it can go on.
struct Exploration: Codable, Equatable {
    /// What is explored: an exploration goes on only where it is the same.
    struct Plan: Codable, Equatable {
        /// The tool, whose version decides what a seed means.
        var tool: String
        var strategy: Strategy
        var hosting: RunSettings.Hosting
        var defects: [RunSettings.Defect]
        /// The topologies, whole.
        var topologies: [RunTask]
        var firstSeed: UInt64
    }

    /// What one strategy has done.
    struct Arm: Codable, Equatable {
        let strategy: Strategy
        var runs: UInt64 = 0
        var failing: UInt64 = 0
    }

    /// A way to fail.
    struct Failure: Codable, Equatable {
        let fingerprint: String
        /// How many runs failed in this way.
        var runs: UInt64 = 1
        /// The first of them, in the order of lots and seeds.
        var first: RunReport
        var task: RunTask
        fileprivate var lot: Int
    }

    /// The version of this document.
    var schema = 1
    let plan: Plan
    private(set) var runs: UInt64 = 0
    private(set) var undecided: UInt64 = 0
    private(set) var arms: [Arm]
    /// In the order in which they were found.
    private(set) var failures: [Failure] = []
    /// All lots below are done.
    private var frontier = 0
    /// Lots that are done beyond it.
    private var beyond: [Int] = []
    /// The wall-clock time spent, in seconds.
    var seconds = 0.0

    /// How many runs a lot has.
    static let lotSize: UInt64 = 16

    init(_ plan: Plan) {
        self.plan = plan
        let strategies = plan.strategy == .portfolio ? Strategy.arms : [plan.strategy]
        arms = strategies.map { Arm(strategy: $0) }
    }

    // MARK: What is to do

    /// The lot of a number; topologies take turns.
    func lot(_ number: Int) -> Lot {
        let (round, place) = number.quotientAndRemainder(dividingBy: plan.topologies.count)
        var first = plan.topologies[place]
        first.seed = plan.firstSeed + UInt64(round) * Self.lotSize
        return Lot(number: number, first: first, count: Self.lotSize)
    }

    /// The lots that are not done yet, without end.
    var rest: some Sequence<Lot> {
        (frontier...).lazy.filter { [beyond] in !beyond.contains($0) }.map { [self] in lot($0) }
    }

    // MARK: What is done

    /// Takes a lot's result; one that was not done to its end is done again when the exploration goes on.
    mutating func take(_ result: LotResult, of lot: Lot) {
        guard result.runs == lot.count else { return }
        runs += result.runs
        undecided += result.undecided
        for seed in lot.seeds { count(seed, \.runs) }
        for report in result.failures {
            count(report.seed, \.failing)
            take(report, of: lot)
        }
        finish(lot.number)
    }

    private mutating func finish(_ lot: Int) {
        beyond.append(lot)
        while let place = beyond.firstIndex(of: frontier) {
            beyond.remove(at: place)
            frontier += 1
        }
    }

    private mutating func count(_ seed: UInt64, _ what: WritableKeyPath<Arm, UInt64>) {
        let strategy = plan.strategy.arm(of: seed)
        guard let place = arms.firstIndex(where: { $0.strategy == strategy }) else { return }
        arms[place][keyPath: what] += 1
    }

    private mutating func take(_ report: RunReport, of lot: Lot) {
        let fingerprint = report.fingerprint ?? report.failure ?? report.verdict
        let task = lot.run(report.seed)
        guard let place = failures.firstIndex(where: { $0.fingerprint == fingerprint }) else {
            failures.append(
                Failure(fingerprint: fingerprint, first: report, task: task, lot: lot.number))
            return
        }
        failures[place].runs += 1
        // Which lot is ready first is chance; which failure is the first is not.
        guard (lot.number, report.seed) < (failures[place].lot, failures[place].first.seed) else {
            return
        }
        (failures[place].first, failures[place].task) = (report, task)
        failures[place].lot = lot.number
    }

    // MARK: Keeping it

    /// Reads what an exploration has left; nil where there is none of this plan.
    init?(resuming plan: Plan, from file: String) throws {
        guard let data = FileManager.default.contents(atPath: file) else { return nil }
        guard let kept = try? JSONDecoder().decode(Exploration.self, from: data),
            kept.schema == 1, kept.plan == plan
        else {
            throw WrongUse(
                description: "\(file) is of another exploration: --resume goes on with the same "
                    + "topologies, strategy, hosting, defects, first seed and version; without it "
                    + "this one begins anew")
        }
        self = kept
    }

    func keep(in file: String) throws { try json(self).write(to: URL(filePath: file)) }
}
