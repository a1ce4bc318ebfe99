import Campaigns
import DeviceLink
import Foundation
import Orchestration
import Reports

/// Plays a campaign: hands lots to workers, keeps what comes of them, and watches itself.
package final class Soak {
    package struct Limits: Sendable {
        /// By the wall clock, for this sitting alone.
        package var seconds: Double
        /// Runs of the whole campaign, of all its shards.
        ///
        /// Which lots that are follows from their numbers; those without anything to do, such as mutations before the
        /// first failure, make it fewer.
        package var runs: Int
        /// Groups of failures with different fingerprints.
        package var groups: Int

        /// The number of the first lot that is not played.
        var lots: Int { runs / Exploration.lotSize + (runs % Exploration.lotSize == 0 ? 0 : 1) }
    }

    package let plan: SoakPlan
    package private(set) var progress: SoakProgress
    /// Seconds of all sittings so far.
    package var seconds: Double { spent + (clock.now - begin) / .seconds(1) }
    private(set) var samples: [SampleRecord]

    private let settings: RunSettings
    let shard: Shard
    private let limits: Limits
    private let history: History
    /// Shows how far it is, now and then.
    private let show: (Soak) -> Void
    private let explorations: [SoakArm: Exploration]
    private let clock = ContinuousClock()
    private let begin: ContinuousClock.Instant
    private let spent: Double
    private var next = 0
    /// The lots that were given to workers and are not taken.
    private var given: Set<Int> = []
    /// Mutations that wait for lots before them.
    private var waiting: [Int] = []
    private var crashed = CrashedLots()
    /// What was wrong with our own workers, each in a sentence; what they had in hand was played again.
    package private(set) var troubles: [String] = []
    private var watch = SelfWatch()
    private var latest: ContinuousClock.Instant?

    /// A sitting that goes on where `resumed` stopped, which was read of a file; `sweeps` are what the sweep strikes
    /// with.
    ///
    /// - Throws: ``DamagedRow`` where what was kept cannot be read.
    init(
        _ plan: SoakPlan, resuming resumed: ResumedCampaign, of file: String, sweeps: [FaultSweep],
        settings: RunSettings, shard: Shard, limits: Limits, history: History,
        show: @escaping (Soak) -> Void
    ) throws {
        self.plan = plan
        progress = try SoakProgress(resumed, in: file)
        samples = resumed.samples
        (self.settings, self.shard, self.limits) = (settings, shard, limits)
        (self.history, self.show) = (history, show)
        var explorations: [SoakArm: Exploration] = [:]
        for arm in SoakArm.allCases where arm != .mutation {
            explorations[arm] = try plan.exploration(of: arm)
        }
        explorations[.sweep]?.sweep(over: sweeps.map { .success($0) })
        self.explorations = explorations
        begin = clock.now
        spent = resumed.seconds
    }

    // MARK: Playing

    /// Plays until a limit is reached, or the user interrupts.
    package func play(jobs: Int) throws {
        let workers = Dictionary(
            uniqueKeysWithValues: SoakArm.allCases.map {
                ($0.rawValue, plan.settings(of: $0, from: settings))
            })
        troubles += try WorkerPool<SoakLot>.run(
            jobs: jobs, ahead: 1, silence: settings.mostSilence,
            executable: "\(settings.processes.programs)/anechoic",
            arguments: try WorkerName.soak.arguments(workers)
        ) { [self] in
            try nextLot()
        } onResult: { [self] given, line in
            let result = try LotResult.answered(line)
            let settings = plan.settings(of: given.arm, from: settings)
            if let done = crashed.take(result, of: given.lot, with: settings) {
                try take(done.result, of: done.lot)
            }
            try look()
        }
        try look(now: true)
    }

    private var isOver: Bool {
        progress.groups.count >= limits.groups
            || (clock.now - begin) / .seconds(1) >= limits.seconds
    }

    /// The next lot; nil where the sitting is over, or results are missing on which it depends.
    private func nextLot() throws -> SoakLot? {
        if let single = crashed.next() { return prepared(single) }
        guard !isOver else { return nil }
        while let number = nextNumber() {
            guard let lot = try lot(number) else {
                try skip(number)
                continue
            }
            given.insert(number)
            return prepared(lot)
        }
        return nil
    }

    /// The number of the next lot that can be played; a mutation that depends on lots that are not done waits for them,
    /// while others go on.
    private func nextNumber() -> Int? {
        if let place = waiting.firstIndex(where: { !dependsOnOthers($0) }) {
            return waiting.remove(at: place)
        }
        while next < limits.lots {
            defer { next += 1 }
            guard shard.has(plan.strand(of: next)), !progress.done.contains(next) else { continue }
            guard dependsOnOthers(next) else { return next }
            waiting.append(next)
        }
        return nil
    }

    private func dependsOnOthers(_ number: Int) -> Bool {
        let (strand, horizon) = (plan.strand(of: number), plan.horizon(of: number))
        func isBefore(_ other: Int) -> Bool {
            other < horizon && plan.strand(of: other) == strand
        }
        return plan.arm(of: number) == .mutation
            && (given.contains(where: isBefore) || waiting.contains(where: isBefore))
    }

    /// One lot in so many has new device processes, drawn by its number.
    private static let renewal: UInt64 = 8

    private func prepared(_ lot: Lot) -> SoakLot {
        let draw = Keyed(plan.firstSeed).with("renewal").with(UInt64(lot.number)).value
        return SoakLot(
            lot, of: plan.arm(of: lot.number), renewsDevices: draw % Self.renewal == 0)
    }

    /// The lot of a number; nil where there is nothing to do.
    private func lot(_ number: Int) throws -> Lot? {
        let (arm, ordinal) = (plan.arm(of: number), plan.ordinal(of: number))
        var lot: Lot?
        switch arm {
        case .mutation:
            let known = progress.failures(
                in: plan.strand(of: number), before: plan.horizon(of: number))
            lot = known.isEmpty ? nil : try plan.mutation(number, of: known[ordinal % known.count])
        case .sweep: lot = explorations[arm]?.sweep(ordinal)
        case .plain, .portfolio, .faults, .canary: lot = explorations[arm]?.seeds(ordinal)
        }
        lot?.number = number
        lot?.countsOccasions = arm != .canary
        return lot
    }

    /// A lot without runs is done, and kept, so that a frontier can pass it.
    private func skip(_ number: Int) throws {
        let record = LotRecord(
            number: number, arm: plan.arm(of: number).rawValue, strand: plan.strand(of: number),
            topology: "", firstSeed: 0, runs: 0)
        progress.done.insert(number)
        try history.take(record)
    }

    private func take(_ result: LotResult, of lot: Lot) throws {
        given.remove(lot.number)
        // One that was not done to its end is done again when the campaign goes on.
        guard result.runs == lot.count else { return }
        try history.take(progress.take(result, of: lot, in: plan))
    }

    // MARK: Watching

    /// How often it looks at itself, and shows how far it is.
    private static let pace = Duration.seconds(10)

    private func look(now: Bool = false) throws {
        show(self)
        guard now || latest.map({ clock.now - $0 >= Self.pace }) ?? true else { return }
        latest = clock.now
        let sample = SampleRecord(
            seconds: seconds, runs: progress.played, covered: progress.coverage.count,
            values: watch.values(of: history))
        samples.append(sample)
        try history.take(sample)
    }
}
