internal import Topologies

/// What became of the promises that topologies bring along, in all runs that were played: one that nothing
/// puts to the test says nothing, and its author cannot see it from a run that held.
package struct OwnPromises {
    private struct Tally {
        let topology: String
        let promise: String
        var verdicts: [String: Int] = [:]
        var exercised = 0
    }

    private static let library = Set(Topologies.Catalogue.promises.map(\.name))
    /// In the order in which they came.
    private var tallies: [Tally] = []

    /// Nothing was played.
    package init() {}

    /// Takes a run.
    package mutating func take(_ report: RunReport) {
        for promise in report.promises where !Self.library.contains(promise.promise) {
            let known = tallies.firstIndex {
                $0.topology == report.topology && $0.promise == promise.promise
            }
            let place = known ?? tallies.count
            if known == nil {
                tallies.append(Tally(topology: report.topology, promise: promise.promise))
            }
            tallies[place].verdicts[promise.verdict, default: 0] += 1
            tallies[place].exercised += promise.exercised
        }
    }

    /// A line each, such as `hall: promise mine: held, exercised 143 times`; of very many the first ones.
    package func lines(atMost limit: Int) -> [String] {
        let rest = tallies.count - limit
        return tallies.prefix(limit).map(Self.line)
            + (rest > 0 ? ["… and \(rest) more promises of topologies"] : [])
    }

    private static func line(_ tally: Tally) -> String {
        let name = "\(tally.topology): promise \(tally.promise)"
        guard tally.exercised > 0 else { return "\(name): never exercised, so it says nothing" }
        let order = ["violated", "inconclusive", "held", "vacuous"]
        let parts = order.compactMap { verdict in
            tally.verdicts[verdict].map { count in
                tally.verdicts.count == 1 ? verdict : "\(count) \(verdict)"
            }
        }
        let times = tally.exercised == 1 ? "once" : "\(tally.exercised) times"
        return "\(name): \(parts.joined(separator: ", ")), exercised \(times)"
    }
}
