import Artifacts

/// What runs have shown that are too many to be told one by one.
package struct SuiteCounts: Codable, Equatable, Sendable {
    /// One promise in all of them.
    package struct Count: Codable, Equatable, Sendable {
        fileprivate(set) var key: PromiseKey
        /// As the first of the runs had it, without its violations.
        let promise: RunReport.PromiseReport
        fileprivate(set) var tally = PromiseTally()
        fileprivate(set) var excused = 0
    }

    /// What became of each promise, in the order of the reports.
    package private(set) var promises: [Count] = []
    /// Where each of them stands.
    private var places: [PromiseKey: Int] = [:]
    /// The ids of the messages that R4 does not know.
    package private(set) var otherMessages: Set<UInt8> = []

    private enum CodingKeys: CodingKey { case promises, otherMessages }

    package init() {}

    package init(from decoder: any Decoder) throws {
        let keys = try decoder.container(keyedBy: CodingKeys.self)
        for count in try keys.decode([Count].self, forKey: .promises) { add(count) }
        otherMessages = try keys.decode(Set<UInt8>.self, forKey: .otherMessages)
    }

    /// Counts what a run has shown, by the rules of ``SuiteSummary``.
    package mutating func take(_ run: RunReport) {
        for promise in run.promises where promise.counts(in: run) {
            let place = place(of: PromiseKey(promise, in: run.topology), as: promise)
            promises[place].tally.take(promise)
            promises[place].excused += promise.excused
        }
        otherMessages.formUnion(run.otherMessages ?? [])
    }

    /// Takes what others have counted.
    package mutating func add(_ other: SuiteCounts) {
        for count in other.promises { add(count) }
        otherMessages.formUnion(other.otherMessages)
    }

    /// The same, where the runs of a topology count as those of another one.
    package func renaming(_ topology: (String) -> String) -> SuiteCounts {
        var renamed = SuiteCounts()
        for var count in promises {
            count.key.topology = count.key.topology.map(topology)
            renamed.add(count)
        }
        renamed.otherMessages = otherMessages
        return renamed
    }

    private mutating func add(_ count: Count) {
        let place = place(of: count.key, as: count.promise)
        promises[place].tally.add(count.tally)
        promises[place].excused += count.excused
    }

    private mutating func place(of key: PromiseKey, as promise: RunReport.PromiseReport) -> Int {
        if let place = places[key] { return place }
        var plain = promise
        plain.violations = []
        places[key] = promises.count
        promises.append(Count(key: key, promise: plain))
        return promises.count - 1
    }
}

extension RunReport.PromiseReport {
    /// Whether its verdict says something: not where the run expects it to be broken, nor where it was left
    /// open in a run that expects another one to be broken (see `Judge`).
    func counts(in run: RunReport) -> Bool {
        let isCutShort = verdict == .inconclusive && run.promises.contains { $0.isMeantToBreak }
        return !isMeantToBreak && !isCutShort
    }
}
