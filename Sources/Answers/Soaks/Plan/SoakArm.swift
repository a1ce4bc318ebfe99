/// What a soak spends its runs on; each arm has a fixed share of the lots.
package enum SoakArm: String, Codable, CaseIterable, Sendable {
    /// Seeds under the plain random walk.
    case plain
    /// Seeds under the strategies of the portfolio, in turn.
    case portfolio
    /// The same with faults at random: a swarm that heals.
    case faults
    /// One fault of every kind at every moment of the plain run, under one schedule after another.
    case sweep
    /// Runs like those that have failed: the same topology and faults, or faults like those, under other seeds and strategies.
    case mutation
    /// A reference device with a known rare defect, which a search that works finds.
    case canary

    /// How many lots of a block are its own.
    var share: Int {
        switch self {
        case .plain: 4
        case .portfolio, .faults: 10
        case .sweep: 4
        case .mutation, .canary: 2
        }
    }

    /// The arms of one block of lots, as evenly mixed as their shares allow.
    static let block: [SoakArm] = {
        var given = [Int](repeating: 0, count: allCases.count)
        let total = allCases.reduce(0) { $0 + $1.share }
        return (1...total).map { place in
            // Who is furthest behind what is due by now.
            let due = allCases.indices.map { allCases[$0].share * place - given[$0] * total }
            let next = due.indices.reduce(0) { due[$1] > due[$0] ? $1 : $0 }
            given[next] += 1
            return allCases[next]
        }
    }()
}
