/// What became of each promise in runs that are too many to be told one by one.
package struct PromiseCounts: Codable, Equatable, Sendable {
    /// One promise in all of them.
    package struct Count: Codable, Equatable, Sendable {
        package var key: PromiseKey
        /// As the first of the runs had it, without its violations.
        let promise: RunReport.PromiseReport
        package fileprivate(set) var tally = PromiseTally()
        fileprivate(set) var excused = 0
    }

    /// In the order of the reports.
    package private(set) var counts: [Count] = []
    /// Where each of them stands.
    private var places: [PromiseKey: Int] = [:]

    private enum CodingKeys: CodingKey { case counts }

    package init() {}

    package init(from decoder: any Decoder) throws {
        let keys = try decoder.container(keyedBy: CodingKeys.self)
        for count in try keys.decode([Count].self, forKey: .counts) { add(count) }
    }

    /// Counts what a run has shown, by the rules of ``SuiteSummary``.
    package mutating func take(_ run: RunReport) {
        for promise in run.promises where promise.counts(in: run) {
            let place = place(of: PromiseKey(promise, of: run), as: promise)
            counts[place].tally.take(promise)
            counts[place].excused += promise.excused
        }
    }

    /// Takes what others have counted.
    package mutating func add(_ count: Count) {
        let place = place(of: count.key, as: count.promise)
        counts[place].tally.add(count.tally)
        counts[place].excused += count.excused
    }

    private mutating func place(
        of key: PromiseKey, as promise: RunReport.PromiseReport
    ) -> Int {
        if let place = places[key] { return place }
        var plain = promise
        plain.violations = []
        places[key] = counts.count
        counts.append(Count(key: key, promise: plain))
        return counts.count - 1
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
