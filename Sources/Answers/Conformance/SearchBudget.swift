/// How long a conformance test looks for orders and faults that break a promise, behind what it always plays.
package enum SearchBudget: String, CaseIterable, Sendable {
    /// For every change: seconds with our devices, about a minute with a program.
    case quick
    /// For a release, or once a night: about ten minutes on two cores with an accessory in Python.
    case standard
    /// For a whole night.
    case night

    /// How many runs it plays at least.
    ///
    /// A number and no time, so that the same devices get the same verdict everywhere.
    private var runs: UInt64 {
        switch self {
        case .quick: 1_024
        case .standard: 20_480
        case .night: 655_360
        }
    }

    /// After how many seconds, by the wall clock, no more of what has failed is made smaller and explained.
    package var secondsOfDiagnosis: Double {
        switch self {
        case .quick: 30
        case .standard: 300
        case .night: 3_600
        }
    }

    /// How many runs it plays of so many topologies, each of which gets as many lots of runs.
    func runs(of topologies: Int, inLotsOf size: Int) -> UInt64 {
        let round = UInt64(topologies * size)
        return max(1, (runs + round - 1) / round) * round
    }
}
