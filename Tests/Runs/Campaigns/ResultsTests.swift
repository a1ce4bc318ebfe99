import Reports
import RunSupport
import Testing

@testable import Campaigns

/// Many runs, of which few are kept.
struct ResultsTests {
    private func report(_ seed: UInt64, _ status: Reports.ExitStatus) -> RunReport {
        .of("t", seed: seed, status: status)
    }

    @Test func theFirstOfThoseThatFailAreKeptInWhicheverOrderTheyCome() {
        var results = Results(total: 10_000, most: 5)
        for index in (0..<10_000).reversed() {
            results.take(report(UInt64(index), index % 2 == 0 ? .held : .violated), at: index)
        }
        #expect(results.reports.map(\.seed) == [1, 3, 5, 7, 9])
        #expect(results.counts == [.held: 5_000, .violated: 5_000])
        #expect(results.failing == 5_000 && results.status == .violated)
    }

    @Test func ofFewRunsAllAreKept() {
        var results = Results(total: 2, most: nil)
        results.take(report(2, .violated), at: 1)
        results.take(report(1, .held), at: 0)
        #expect(results.reports.map(\.seed) == [1, 2])
        #expect(
            Console.summary(results.counts, of: 2) == "2 runs: 1 held, 1 violated")
    }
}
