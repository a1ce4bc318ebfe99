import Testing

@testable import Choices

/// What is drawn in a run, and how a recording says it again.
@Suite struct DecisionsTests {
    private let link = Decisions.Owner("link ben/0-lock/0 1 to ben")
    private let name = "link ben/0-lock/0 1 to ben #12 delay"

    @Test func aDecisionFollowsFromTheSeedAndWhoseItIsAndFromNothingElse() {
        var (alone, later) = (Decisions(seed: 7), Decisions(seed: 7))
        for ordinal in 0..<12 { _ = later.below(1_000, link, UInt64(ordinal), .delay) }
        var other = Decisions(seed: 8)
        let drawn = alone.below(.max, link, 12, .delay)
        let (again, elsewhere) = (
            later.below(.max, link, 12, .delay), other.below(.max, link, 12, .delay)
        )
        #expect(drawn == again)
        #expect(drawn != elsewhere)
    }

    @Test func whatIsRecordedGivesTheSameValueWhateverTheSeed() {
        var run = Decisions(seed: 7, records: true)
        let drawn = run.below(1_000, link, 12, .delay)
        #expect(run.recorded == [RecordedDecision(identity: name, value: drawn)])
        var replay = Decisions(seed: 8, replaying: run.recorded, isComplete: true)
        let said = replay.below(1_000, link, 12, .delay)
        #expect(said == drawn)
        #expect(replay.unusedIdentities.isEmpty)
    }

    @Test func whatACompleteRecordingDoesNotMentionIsPlainButForKeys() {
        var (run, replay) = (Decisions(seed: 7), Decisions(seed: 7, isComplete: true))
        let (delay, key) = (replay.below(1_000, link, 12, .delay), replay.number(link, 0, .key))
        let own = run.number(link, 0, .key)
        #expect(delay == 0)
        #expect(key == own)
    }

    @Test func whatNobodyAsksForIsNamed() {
        let replay = Decisions(
            seed: 1, replaying: [RecordedDecision(identity: name, value: 3)], isComplete: true)
        #expect(replay.unusedIdentities == [name])
    }

    @Test func aLossThatIsUnlikelyEnoughNeverHappensAndIsNoDecision() {
        var run = Decisions(seed: 7, records: true)
        let isLost = run.happens(0, outOf: 100, link, 0, .loss)
        #expect(!isLost)
        #expect(run.recorded.isEmpty)
    }
}

/// Who goes first.
@Suite struct ScheduledOrderTests {
    private func heads(_ channels: String...) -> [Head] {
        channels.enumerated().map { place, channel in
            Head(
                earliest: 0, latest: 10, order: UInt64(place),
                owner: Decisions.Owner(channel).key, ordinal: 0, cause: noCause,
                channel: Int32(place), device: 0)
        }
    }

    @Test func anEventWaitsForTheOneThatItsAfterNames() throws {
        let wait = After(
            event: try #require(EventID("a #0")), after: try #require(EventID("b #0")))
        var order = ScheduledOrder([wait])
        var decisions = Decisions(seed: 1)
        var both = heads("a", "b")
        let first = order.pick(among: &both, eligible: 0..<2, drawing: &decisions)
        #expect(first == 1)
        #expect(order.idle.isEmpty)
        var alone = heads("a")
        let next = order.pick(among: &alone, eligible: 0..<1, drawing: &decisions)
        #expect(next == 0)
    }

    @Test func anAfterThatHeldNobodyUpIsIdle() throws {
        let wait = After(
            event: try #require(EventID("b #0")), after: try #require(EventID("a #0")))
        var order = ScheduledOrder([wait])
        var decisions = Decisions(seed: 1)
        var both = heads("a", "b")
        let first = order.pick(among: &both, eligible: 0..<2, drawing: &decisions)
        #expect(first == 0)
        #expect(order.idle == [wait])
    }

    @Test func anEventIsNamedByItsChannelAndItsPlaceThere() throws {
        let event = try #require(EventID("timer ben/0 scan #3"))
        #expect(event == EventID(channel: "timer ben/0 scan", ordinal: 3))
        #expect(event.text == "timer ben/0 scan #3")
        #expect(EventID("timer ben/0 scan") == nil)
    }
}
