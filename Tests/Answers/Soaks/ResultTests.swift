import Reports
import Testing

@testable import Soaks

/// What a campaign says in the morning.
struct ResultTests {
    @Test func aRateHasWilsonsInterval() {
        // Newcombe 1998, table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
        let known: [(Int, Int, Double, Double)] = [
            (81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ]
        for (hits, of, low, high) in known {
            let interval = Rate(hits, of: of).interval
            #expect(abs(interval.lowerBound - low) < 0.0001)
            #expect(abs(interval.upperBound - high) < 0.0001)
        }
        #expect(Rate(17, of: 36_120).text == "0.0471 % (0.0294 % to 0.0754 %)")
    }

    @Test func theCanaryIsFoundUndecidedOrMissed() {
        #expect(Canary.patience == 918)
        #expect(Canary.outcome(failing: 1, of: 3) == .found)
        #expect(Canary.outcome(failing: 0, of: 917) == .undecided)
        #expect(Canary.outcome(failing: 0, of: 918) == .missed)
    }

    @Test func aGroupThatIsNotSeenIsRareOrGone() throws {
        // Two campaigns of 1,000 runs: the first has seen it ten times, the second not.
        let records = [
            record("a", 1, "", 0, of: 1_000), record("a", 1, "quiet", 10, of: 1_000),
            record("b", 2, "", 0, of: 1_000),
        ]
        let past = try #require(GroupPast.all(in: records)["quiet"])
        #expect(past.nights == [10, 0])
        #expect(past.rate == Rate(10, of: 2_000))
        // (1 - 0.005)^500 is 8 %, ^1,000 is 0.7 %.
        #expect(past.state(unseenIn: 500) == .rare)
        #expect(past.state(unseenIn: 1_000) == .gone)
    }

    private func record(
        _ campaign: String, _ begun: Int, _ fingerprint: String, _ runs: Int, of all: Int
    ) -> GroupRecord {
        GroupRecord(
            campaign: campaign, begun: begun, tool: "anechoic 1", fingerprint: fingerprint,
            runs: runs, of: all)
    }

    // MARK: Growth

    private func samples(
        _ name: String, minutes: Int, _ value: (Int) -> Double
    ) -> [(seconds: Double, values: [String: Double])] {
        (0...minutes).map { (Double($0) * 60, [name: value($0)]) }
    }

    @Test func whatGrowsSteadilyIsTold() {
        // A mebibyte a minute is 60 an hour.
        let growing = samples("orchestrator-memory", minutes: 60) { Double($0) * 1_048_576 }
        #expect(
            Growth.all(in: growing).map(\.text) == [
                "orchestrator-memory grows by 60.0 MiB an hour; at most 16.0 MiB is allowed"
            ])
    }

    @Test func aBeginningAndASingleHighMomentAreNoGrowth() {
        let settled = samples("orchestrator-memory", minutes: 60) {
            Double(min($0, 20)) * 1e7 + ($0 == 50 ? 1e9 : 0)
        }
        #expect(Growth.all(in: settled).isEmpty)
        let short = samples("processes", minutes: 9) { Double($0) }
        #expect(Growth.all(in: short).isEmpty)
    }

    /// An arm that waits for a first failure begins late, with devices of its own.
    @Test(arguments: [31, 40, 45, 50, 59]) func aStepIsNoGrowth(minute: Int) {
        let step = samples("processes", minutes: 60) { 78 + ($0 < minute ? 0 : 3) + Double($0 % 2) }
        #expect(Growth.all(in: step).isEmpty)
    }

    // MARK: What a team knows

    private func known(_ text: String) throws -> Acknowledgements {
        try Acknowledgements(parsing: Array(text.utf8), file: "known.yaml")
    }

    @Test func aKnownFailureCountsNoMoreUntilItsLastDayIsOver() throws {
        let known = try known(
            "known:\n  - {failure: \"quiet: a → b\", reason: Ticket 7, until: 2026-12-31}\n")
        #expect(known.entry(for: "quiet: a → b", on: "2026-12-31")?.reason == "Ticket 7")
        #expect(known.entry(for: "quiet: a → b", on: "2027-01-01") == nil)
        #expect(known.entry(for: "quiet: a", on: "2026-01-01") == nil)
    }

    @Test(arguments: [
        ("known: [{failure: a, reason: b}]", "a known failure without `until`"),
        ("known: [{failure: a, reason: b, until: tomorrow}]", "`until` cannot be `tomorrow`"),
        ("known: [{failure: a, reason: b, until: 2026-13-01}]", "`until` cannot be `2026-13-01`"),
        ("knwon: []", "knwon"),
    ])
    func aWrongFileSaysWhereAndWhatWasExpected(_ text: String, _ words: String) {
        let error = #expect(throws: (any Error).self) { try known(text) }
        #expect("\(error as Any)".contains(words))
        #expect("\(error as Any)".contains("known.yaml:1"))
    }
}
