import Testing

@testable import Diagnosis

/// Shares that were measured, and how sure they are.
struct LikelihoodTests {
    @Test func theIntervalIsWilsons() {
        #expect(
            Likelihood(hits: 44, runs: 400).sentence == "11 % of 400 runs (95 %: 8.3–14.4 %)")
        #expect(Likelihood(hits: 60, runs: 60).sentence == "100 % of 60 runs (95 %: 94–100 %)")
    }

    @Test func withoutARunNothingIsKnown() {
        let nothing = Likelihood(hits: 0, runs: 0)
        #expect(nothing.share == 0)
        #expect(nothing.bounds.low == 0 && nothing.bounds.high == 1)
    }
}
