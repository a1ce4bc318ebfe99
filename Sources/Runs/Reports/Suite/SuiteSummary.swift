import Invariants
package import Monitors
package import Promises
import Traces

/// What many runs, of several topologies and seeds, have shown of each promise.
package struct SuiteSummary: Equatable, Sendable {
    /// One promise in all runs.
    ///
    /// A run that expects it to be broken does not count. Nor does one that left it open and expects another
    /// promise to be broken (see `Judge`).
    package struct PromiseSummary: Equatable, Sendable {
        let key: PromiseKey
        package var id: String { key.promise }
        /// The topology that brings it along; nil for a promise of the library.
        package var topology: String? { key.topology }
        package let about: PromiseDescription
        private var tally = PromiseTally()
        /// How many runs have judged it.
        package var runs: Int { tally.runs }
        /// How many of them ended as the verdict says.
        package var agreeing: Int { tally.verdicts[verdict] ?? 0 }
        /// How many of them put it to the test.
        package var exercisingRuns: Int { runs - (tally.verdicts[.vacuous] ?? 0) }
        /// How often it was put to the test.
        package var exercised: Int { tally.exercised }
        /// How often it was excused, because its keeper was not to blame.
        package private(set) var excused = 0
        /// The first run, by topology and then seed, that put it to the test and kept it.
        package private(set) var keeping: RunName?
        private var violated: [RunReport] = []
        private var undecided: [RunReport] = []

        fileprivate init(_ key: PromiseKey, of promise: RunReport.PromiseReport) {
            self.key = key
            about = promise.about
        }

        /// One violation is enough; one run that held it outweighs those that left it open.
        package var verdict: Outcome {
            if !violated.isEmpty || tally.verdicts[.violated] != nil { return .violated }
            let isOpen = tally.verdicts[.inconclusive] != nil
            if isOpen && tally.verdicts[.held] == nil { return .inconclusive }
            return exercised > 0 ? .held : .vacuous
        }

        /// Whether somebody has broken it whom a clause of this keeper binds.
        package func isBroken(by keeper: Property.Keeper) -> Bool {
            guard verdict == .violated, let role = keeper.role else { return verdict == .violated }
            return tally.blamed.isEmpty || tally.blamed.contains(nil) || tally.blamed.contains(role)
        }

        /// The runs that broke it or else left it open, by topology and then seed, each with
        /// nothing but this promise.
        package var failing: [RunReport] {
            switch verdict {
            case .violated: violated
            case .inconclusive: undecided
            case .held, .vacuous: []
            }
        }

        /// What went wrong in the first of them, ending in the command that repeats it.
        package var story: String? { failing.first.flatMap(Console.story) }

        fileprivate mutating func take(_ promise: RunReport.PromiseReport, of run: RunReport) {
            guard promise.counts(in: run) else { return }
            tally.take(promise)
            excused += promise.excused
            if promise.verdict == .held, keeping == nil { keeping = RunName(run) }
            switch promise.verdict {
            case .violated: violated.append(run.only(promise))
            case .inconclusive: undecided.append(run.only(promise))
            case .held, .vacuous: break
            }
        }

        /// Takes a run that has been counted: it shows how the promise was broken.
        fileprivate mutating func retell(_ promise: RunReport.PromiseReport, of run: RunReport) {
            guard promise.verdict == .violated else { return }
            violated.append(run.only(promise))
            tally.blame(promise)
        }

        /// Takes what runs have shown that are not told one by one.
        fileprivate mutating func take(_ count: SuiteCounts.Count) {
            tally.add(count.tally)
            excused += count.excused
        }
    }

    /// The promises, in the order of the reports.
    package let promises: [PromiseSummary]

    /// Combines what the runs have shown, in whatever sequence they come; and what was counted of others, some
    /// of which are told because they failed.
    ///
    /// A promise that a topology brings along is one with those of the runs whose topologies have the same `home`.
    package init(
        _ runs: [RunReport], beside counted: SuiteCounts = SuiteCounts(), told: [RunReport] = [],
        home: (String) -> String = { $0 }
    ) {
        var promises: [PromiseSummary] = []
        var places: [PromiseKey: Int] = [:]
        func place(of key: PromiseKey, as promise: RunReport.PromiseReport) -> Int {
            if let place = places[key] { return place }
            places[key] = promises.count
            promises.append(PromiseSummary(key, of: promise))
            return promises.count - 1
        }
        for run in runs.inOrder {
            for promise in run.promises {
                let key = PromiseKey(promise, in: home(run.topology))
                promises[place(of: key, as: promise)].take(promise, of: run)
            }
        }
        for count in counted.renaming(home).promises {
            promises[place(of: count.key, as: count.promise)].take(count)
        }
        for run in told.inOrder {
            for promise in run.promises where promise.counts(in: run) {
                let key = PromiseKey(promise, in: home(run.topology))
                promises[place(of: key, as: promise)].retell(promise, of: run)
            }
        }
        self.promises = promises
    }

    /// One promise; nil where no run has judged it.
    package subscript(promise: String) -> PromiseSummary? { promises.first { $0.id == promise } }
}

/// Which run of a suite.
package struct RunName: Codable, Equatable, Sendable {
    package let topology: String
    package let seed: UInt64

    package init(_ run: RunReport) { (topology, seed) = (run.topology, run.seed) }
}

extension Property.Keeper {
    /// The role of the devices that it stands for; nil for both.
    fileprivate var role: DeviceRole? {
        switch self {
        case .accessory: .accessory
        case .app, .appleDevice: .appleDevice
        case .link: nil
        }
    }
}

extension [RunReport] {
    /// By topology and then seed.
    var inOrder: [RunReport] {
        sorted { ($0.topology, $0.seed) < ($1.topology, $1.seed) }
    }

    /// The runs of each topology, by seed.
    package var byTopology: [[RunReport]] {
        Dictionary(grouping: self, by: \.topology).sorted { $0.key < $1.key }
            .map { $0.value.inOrder }
    }
}

extension RunReport {
    /// As if it had judged this promise alone.
    fileprivate func only(_ promise: PromiseReport) -> RunReport {
        var run = failing(promise.verdict.rawValue, isOpen: promise.verdict == .inconclusive)
        run.promises = [promise]
        return run
    }

    /// As if it had watched this expectation alone.
    package func only(_ expectation: ExpectationReport) -> RunReport {
        var run = failing(
            expectation.verdict.rawValue, isOpen: expectation.verdict == .inconclusive)
        run.expectations = [expectation]
        return run
    }

    /// Without promises and expectations.
    private func failing(_ verdict: String, isOpen: Bool) -> RunReport {
        var run = self
        run.promises = []
        run.expectations = []
        run.status = isOpen ? .inconclusive : .violated
        run.verdict = verdict
        return run
    }
}
