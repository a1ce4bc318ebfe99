import Artifacts
import Basics
import Choices
import Foundation
package import Orchestration
package import Reports
import Scenarios
import Schedules

/// How far an exploration is and what it has found; `explore.json` keeps it, so that it can go on.
package struct Exploration: Codable {
    /// What is explored: an exploration goes on only where it is the same.
    package struct Plan: Codable, Equatable {
        /// The tool, whose version decides what a seed means.
        var tool: String
        var search: Search
        var faults: FaultSource?
        var hosting: RunSettings.Hosting
        package var defects: [RunSettings.Defect]
        /// The topologies, each with its whole text.
        package var topologies: [RunTask]
        package var firstSeed: UInt64
        /// Under how many schedules each fault of a sweep is played.
        package var schedules: Int
        /// Whether what all runs have shown is counted, besides what failed.
        package var counts: Bool

        package init(
            tool: String, search: Search, faults: FaultSource?, hosting: RunSettings.Hosting,
            defects: [RunSettings.Defect], topologies: [RunTask], firstSeed: UInt64,
            schedules: Int = 1, counts: Bool = false
        ) {
            self.tool = tool
            self.search = search
            self.faults = faults
            self.hosting = hosting
            self.defects = defects
            self.topologies = topologies
            self.firstSeed = firstSeed
            self.schedules = schedules
            self.counts = counts
        }
    }

    /// What one strategy has done.
    struct Arm: Codable, Equatable {
        let strategy: Strategy
        var runs: UInt64 = 0
        var failing: UInt64 = 0
    }

    /// The first run that broke a promise.
    private struct Breaking: Codable {
        let promise: PromiseKey
        var failure: WayToFail
    }

    var schema = Self.currentSchema
    private static let currentSchema = 5
    package private(set) var plan: Plan
    package private(set) var runs: UInt64 = 0
    private(set) var undecided: UInt64 = 0
    private(set) var arms: [Arm]
    /// In the order in which they were found.
    package private(set) var failures: [WayToFail] = []
    private(set) var coverage = Coverage()
    /// What all runs have shown, where it is counted.
    package private(set) var counts = SuiteCounts()
    /// The first run that broke each promise, in the order of lots, where runs are counted.
    private var breaking: [Breaking] = []
    /// How many runs had been played when something new was last seen.
    private(set) var latestNews: UInt64 = 0
    private(set) var done = DoneLots()
    /// The wall-clock time spent, in seconds.
    package var seconds = 0.0
    /// What is known of schedules, where all are explored.
    private(set) var orders: OrderSearch?
    /// What is swept over, for each topology; it follows from the plan.
    private(set) var sweeps: [FaultSweep] = []

    private var nextLot = 0
    /// The number of the schedule that is handed out next.
    private var nextSchedule = 0
    /// Results that came before those of earlier lots, where their order matters.
    private var early: [Int: (LotResult, Lot)] = [:]

    private enum CodingKeys: CodingKey {
        case schema, plan, runs, undecided, arms, failures, coverage, latestNews, done,
            seconds, orders, counts, breaking
    }

    package static let lotSize = 16

    package init(_ plan: Plan) {
        self.plan = plan
        switch plan.search {
        case .strategy(.portfolio): arms = Strategy.arms.map { Arm(strategy: $0) }
        case .strategy(.sweep): arms = ([.fifo] + Strategy.arms).map { Arm(strategy: $0) }
        case .strategy(let strategy): arms = [Arm(strategy: strategy)]
        case .exhaustive(let most):
            arms = []
            orders = OrderSearch(topologies: plan.topologies.count, most: most)
        }
    }

    // MARK: What is to do

    /// The next lot of a shard that is not done; nil where there is none, or where it waits for results.
    package mutating func next(in shard: Shard = .all) -> Lot? {
        if orders != nil { return nextOrders() }
        while done.contains(nextLot) || !shard.has(nextLot) { nextLot += 1 }
        defer { nextLot += 1 }
        return plan.faults == .sweep ? sweep(nextLot) : seeds(nextLot)
    }

    /// Schedules of one number of afters, which follow from the results of those with one less.
    private mutating func nextOrders() -> Lot? {
        guard let (topology, schedules) = orders?.next(atMost: Self.lotSize) else { return nil }
        let first = nextSchedule
        nextSchedule += schedules.count
        defer { nextLot += 1 }
        return Lot(
            number: nextLot, task: plan.topologies[topology],
            variations: schedules.enumerated().map { place, afters in
                Variation(
                    seed: plan.firstSeed, name: "schedule/\(first + place)", afters: afters)
            })
    }

    // MARK: What is done

    package var failing: UInt64 { failures.reduce(0) { $0 + $1.runs } }

    /// What an exploration shows that has found nothing: it decides nothing where nothing was decided.
    package var emptiness: ExitStatus { runs == undecided ? .inconclusive : .held }

    /// Takes a lot's result; one that was not done to its end is done again when the exploration goes on.
    mutating func take(_ result: LotResult, of lot: Lot) {
        guard result.runs == lot.count else { return }
        guard orders != nil else {
            count(result, of: lot)
            return done.insert(lot.number)
        }
        early[lot.number] = (result, lot)
        while let (result, lot) = early.removeValue(forKey: done.frontier) {
            count(result, of: lot)
            let topology = plan.topologies.firstIndex { $0.name == lot.task.name }
            orders?.take(result.orders, of: topology ?? 0)
            done.insert(done.frontier)
        }
    }

    /// Takes what is swept over, and the plain runs that failed instead: they are findings, too.
    package mutating func sweep(over topologies: [Result<FaultSweep, FaultSweep.PlainFailure>]) {
        sweeps = topologies.map { (try? $0.get()) ?? .ofNothing }
        for (task, swept) in zip(plan.topologies, topologies) {
            guard case .failure(let plain) = swept else { continue }
            let variation = Variation.plain(of: plan.firstSeed)
            var result = LotResult()
            result.take(plain.report, of: variation)
            for failure in result.failures
            where !failures.contains(where: { $0.has(failure.report) }) {
                take(failure, of: Lot(number: 0, task: task, variations: [variation]), runs: 0)
            }
        }
    }

    /// Takes what another part of the same exploration has done, of which nothing is done here.
    mutating func join(_ other: Exploration) {
        runs += other.runs
        undecided += other.undecided
        seconds += other.seconds
        latestNews = max(latestNews, other.latestNews)
        coverage.add(other.coverage)
        for (place, arm) in other.arms.enumerated() where arms.indices.contains(place) {
            arms[place].runs += arm.runs
            arms[place].failing += arm.failing
        }
        counts.add(other.counts)
        for failure in other.failures { take(failure) }
        for one in other.breaking { keep(one.failure) }
        failures.sort { $0.place < $1.place }
        done.formUnion(other.done)
    }

    private mutating func count(_ result: LotResult, of lot: Lot) {
        runs += UInt64(result.runs)
        undecided += UInt64(result.undecided)
        let before = coverage.count
        coverage.add(result.coverage)
        counts.add(result.counts)
        if coverage.count > before { latestNews = runs }
        for variation in lot.variations { count(\.runs, ofSeed: variation.seed) }
        for failure in result.failures {
            count(\.failing, ofSeed: failure.variation.seed)
            take(failure, of: lot)
        }
        // Each worker reports it once more, and it is none of the lot's runs.
        if let plain = result.plainFailure, !failures.contains(where: { $0.has(plain.report) }) {
            take(plain, of: lot, runs: 0)
        }
    }

    private mutating func count(_ what: WritableKeyPath<Arm, UInt64>, ofSeed seed: UInt64) {
        let strategy = plan.search.scheduler.arm(of: seed)
        guard let place = arms.firstIndex(where: { $0.strategy == strategy }) else { return }
        arms[place][keyPath: what] += 1
    }

    private mutating func take(_ failed: LotResult.Failure, of lot: Lot, runs: UInt64 = 1) {
        var failure = WayToFail(failed, of: lot, at: lot.number)
        failure.runs = runs
        if plan.counts { keep(failure) }
        take(failure)
    }

    private mutating func take(_ failure: WayToFail) {
        var failure = failure
        guard let known = failures.firstIndex(where: { $0.fingerprint == failure.fingerprint })
        else {
            return failures.append(failure)
        }
        failures[known].runs += failure.runs
        // Which lot is ready first is chance; which failure is the first is not.
        guard failure.place < failures[known].place else { return }
        failure.runs = failures[known].runs
        failures[known] = failure
    }

    /// Keeps a failure for each promise that it breaks and no earlier one does: a way to fail is known by what it
    /// breaks first, and may break more.
    private mutating func keep(_ failure: WayToFail) {
        for promise in failure.first.promises where promise.verdict == .violated {
            let key = PromiseKey(promise, in: failure.first.topology)
            guard let known = breaking.firstIndex(where: { $0.promise == key }) else {
                breaking.append(Breaking(promise: key, failure: failure))
                continue
            }
            if failure.place < breaking[known].failure.place { breaking[known].failure = failure }
        }
    }

    /// The first run of each way to fail, and those that show what else was broken.
    var examples: [WayToFail] {
        var examples = failures
        for failure in breaking.map(\.failure)
        where !examples.contains(where: { $0.place == failure.place }) {
            examples.append(failure)
        }
        return examples
    }

    // MARK: Keeping it

    /// Reads what an exploration has left; nil where there is none of this plan.
    ///
    /// - Throws: `WrongUse` where it is of another plan, `InputError` or `Replay.ReadError` where it cannot be
    ///   read or is broken.
    package init?(resuming plan: Plan, from file: String) throws {
        guard InputFile.exists(file) else { return nil }
        let data = try InputFile.contents(file)
        guard (try? JSONDecoder().decode(Head.self, from: data))?.isOf(plan) ?? true else {
            throw WrongUse(
                "\(file) is of another exploration: --resume goes on with the same "
                    + "topologies, strategy, faults, hosting, defects, first seed and version; "
                    + "without it this one begins anew")
        }
        do { self = try Self.read(data, of: file) } catch let error as Replay.ReadError {
            throw Replay.ReadError(
                "\(error.description); without --resume this exploration begins anew")
        }
        // It is the same plan, but its topologies have been read.
        self.plan = plan
        nextLot = done.frontier
        nextSchedule = orders?.played ?? 0
    }

    /// Reads what a part of an exploration has left, whichever it is.
    ///
    /// - Throws: `InputError` or `Replay.ReadError` where it cannot be read, is broken, or of another version.
    init(file: String) throws {
        let data = try InputFile.contents(file)
        let head = try? JSONDecoder().decode(Head.self, from: data)
        guard head?.schema == Self.currentSchema else {
            throw Replay.ReadError("\(file): expected an exploration of this version of anechoic")
        }
        self = try Self.read(data, of: file)
    }

    private static func read(_ data: Data, of file: String) throws -> Exploration {
        do {
            let exploration = try JSONDecoder().decode(Exploration.self, from: data)
            for failure in exploration.failures { _ = try PathName(failure.task.name) }
            guard exploration.isPossible else {
                throw Replay.ReadError("\(file) is broken: no exploration has such counts")
            }
            return exploration
        } catch let error where error is DecodingError || error is PathName.Refusal {
            let reason = (error as? DecodingError)?.sentence ?? "the name of a run has \(error)"
            throw Replay.ReadError("\(file) is broken: \(reason)")
        }
    }

    /// Whether its counts are some that an exploration can come to: the file may have been changed.
    private var isPossible: Bool {
        let most: UInt64 = 1 << 43
        let lots = [done.frontier] + done.beyond + failures.map(\.place.lot)
        return runs <= most && undecided <= runs && latestNews <= runs
            && arms.allSatisfy { $0.runs <= most && $0.failing <= most }
            && failures.count <= 1 << 20 && failures.allSatisfy { $0.runs <= runs }
            && lots.allSatisfy { (0...Int(most)).contains($0) }
            && seconds.isFinite && (0...1e12).contains(seconds)
            && orders?.isPossible(topologies: plan.topologies.count, atMost: Int(most)) ?? true
            && (orders.map { plan.search == .exhaustive(most: $0.most) } ?? !plan.search
                .isExhaustive)
    }

    private struct Head: Decodable {
        let schema: Int
        let plan: Plan?

        private enum CodingKeys: CodingKey { case schema, plan }

        init(from decoder: any Decoder) throws {
            let keys = try decoder.container(keyedBy: CodingKeys.self)
            schema = try keys.decode(Int.self, forKey: .schema)
            // A plan of another version may look otherwise.
            plan = try? keys.decode(Plan.self, forKey: .plan)
        }

        func isOf(_ plan: Plan) -> Bool { schema == Exploration.currentSchema && self.plan == plan }
    }

    /// Whether a file is an exploration, of whichever plan and version.
    package static func isKept(in file: String) -> Bool {
        guard let data = try? InputFile.contents(file) else { return false }
        return (try? JSONDecoder().decode(Head.self, from: data)) != nil
    }

    /// Writes it, whole or not at all.
    ///
    /// It survives a loss of power, too. Without runs, or after an interruption, it does not wait for the
    /// disk, which may take seconds.
    package func keep(in file: String) throws {
        let survives = runs > 0 && !Interruption.isHere
        try WholeFile.write(json(self), to: file, survives: survives)
    }
}
