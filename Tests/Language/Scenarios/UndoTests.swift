import Basics
import DeviceLink
import Scenarios
import Testing

/// Which verb ends what another one began.
struct UndoTests {
    private static let pair = DevicePair("ben", "lock")
    private static let back = DevicePair("lock", "ben")

    @Test(arguments: [
        (Verb.pair(pair, .hold), Verb.pair(pair, .release)),
        (.device("lock", .kill(afterAnswers: 2)), .device("lock", .restart)),
        (.pair(pair, .partition(oneWay: true, duration: nil)), .pair(pair, .repair)),
        (.pair(pair, .obstruct(on: true)), .pair(pair, .obstruct(on: false))),
        (.device("ben", .freeze), .device("ben", .thaw)),
    ])
    func whatBeginsSomethingHasItsEnd(verb: Verb, end: Verb) {
        #expect(verb.undo == end)
        #expect(verb.isUndone(by: end))
        #expect(end.undo == nil && !end.isUndone(by: verb))
    }

    @Test func whatLastsForATimeNeedsNone() {
        #expect(Verb.device("lock", .busy(by: 1, duration: nil)).undo == nil)
        #expect(Verb.pair(Self.pair, .disconnect(reason: 0x13)).undo == nil)
    }

    @Test func aHoldHasADirectionAndAPartitionHasNone() {
        #expect(!Verb.pair(Self.pair, .hold).isUndone(by: .pair(Self.back, .release)))
        #expect(
            Verb.pair(Self.pair, .partition(oneWay: false, duration: nil)).isUndone(
                by: .pair(Self.back, .repair))
        )
        #expect(
            Verb.pair(Self.pair, .obstruct(on: true)).isUndone(
                by: .pair(Self.back, .obstruct(on: false))))
    }
}
