import Basics
import Monitors

/// The results of the promises that topologies bring along.
///
/// One that is never exercised says nothing, and its author cannot see that from a run that held.
package struct OwnPromises {
    /// In the order in which they came.
    private var keys: [PromiseKey] = []
    private var tallies: [PromiseKey: PromiseTally] = [:]

    package init() {}

    /// Counts the promises of a run that come from its topology.
    package mutating func take(_ report: RunReport) {
        for promise in report.promises {
            let key = PromiseKey(promise, in: report.topology)
            guard key.topology != nil else { continue }
            if tallies[key] == nil { keys.append(key) }
            tallies[key, default: PromiseTally()].take(promise)
        }
    }

    /// A line each, such as `hall: promise mine: held, exercised 143 times`; at most `limit`, and then how
    /// many more there are.
    package func lines(atMost limit: Int) -> [String] {
        keys.map(line).capped(at: limit) { "… \($0) promises of topologies" }
    }

    private func line(_ key: PromiseKey) -> String {
        let tally = tallies[key] ?? PromiseTally()
        let name = "\(key.topology ?? ""): promise \(key.promise)"
        guard tally.exercised > 0 else { return "\(name): never exercised, so it says nothing" }
        let order: [Outcome] = [.violated, .inconclusive, .held, .vacuous]
        let parts = order.compactMap { verdict in
            tally.verdicts[verdict].map { count in
                tally.verdicts.count == 1 ? verdict.rawValue : "\(count) \(verdict.rawValue)"
            }
        }
        return "\(name): \(parts.joined(separator: ", ")), exercised \(tally.exercised.times)"
    }
}
