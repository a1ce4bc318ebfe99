import Basics
import Testing

/// Lists as people read them.
struct ListTests {
    @Test func aNounAgreesWithItsNumber() {
        #expect([0, 1, 2].map { $0.counted("run") } == ["0 runs", "1 run", "2 runs"])
        #expect(3.counted("topology", plural: "topologies") == "3 topologies")
    }

    @Test func ofTooManyLinesTheRestIsCounted() {
        #expect(["a", "b", "c"].capped(at: 2) { "… \($0)" } == ["a", "b", "… and 1 more"])
        #expect(["a", "b"].capped(at: 2) { "… \($0)" } == ["a", "b"])
    }

    @Test func whatComesAgainIsNotListedAgain() {
        #expect(["b", "a", "b", "c", "a"].uniqued == ["b", "a", "c"])
    }
}
