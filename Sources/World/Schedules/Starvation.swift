package import Choices

/// For a while a random few of the devices get nothing until its latest moment, then another few.
///
/// The rest is a random walk. It finds what hangs on one side being slow for long. It has no bound.
package struct Starvation: Scheduler {
    /// How long one choice lasts: 2 to this power nanoseconds, 1 ms to 2 s.
    private var exponent: UInt64?

    package mutating func pick(
        among heads: inout [Head], eligible: Range<Int>, drawing decisions: inout Decisions
    ) -> Int {
        let exponent = exponent ?? 20 + decisions.below(12, .schedule, 0, .starvation)
        self.exponent = exponent
        // By the last head: the first may be starved, and then stands still.
        let period = heads[eligible.upperBound - 1].earliest >> exponent
        let fed = eligible.filter { !isStarved(heads[$0], within: period, drawing: &decisions) }
        let best = strongest(
            of: fed.isEmpty ? Array(eligible) : fed, in: heads, drawing: &decisions)
        for index in eligible { heads[index].looks += 1 }
        return best
    }

    /// Whether a device is one of the quarter that gets nothing in this period.
    private func isStarved(
        _ head: Head, within period: UInt64, drawing decisions: inout Decisions
    ) -> Bool {
        guard head.device >= 0 else { return false }
        return decisions.below(4, deviceOf: head, period, .starvation) == 3
    }
}
