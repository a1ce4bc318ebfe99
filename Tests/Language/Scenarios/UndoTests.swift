import DeviceLink
import Notation
import Scenarios
import Testing

/// Which verb ends what another one began.
struct UndoTests {
    private static let pair = DevicePair("ben", "lock")
    private static let back = DevicePair("lock", "ben")

    @Test(arguments: [
        (Verb.hold(pair), Verb.release(pair)), (.kill("lock", afterAnswers: 2), .restart("lock")),
        (.partition(pair, oneWay: true, duration: nil), .repair(pair)),
        (.obstruct(pair, on: true), .obstruct(pair, on: false)), (.freeze("ben"), .thaw("ben")),
    ])
    func whatBeginsSomethingHasItsEnd(verb: Verb, end: Verb) {
        #expect(verb.undo == end)
        #expect(verb.isUndone(by: end))
        #expect(end.undo == nil && !end.isUndone(by: verb))
    }

    @Test func whatLastsForATimeNeedsNone() {
        #expect(Verb.busy("lock", by: 1, duration: nil).undo == nil)
        #expect(Verb.disconnect(Self.pair, reason: 0x13).undo == nil)
    }

    @Test func aHoldHasADirectionAndAPartitionHasNone() {
        #expect(!Verb.hold(Self.pair).isUndone(by: .release(Self.back)))
        #expect(
            Verb.partition(Self.pair, oneWay: false, duration: nil).isUndone(by: .repair(Self.back))
        )
        #expect(Verb.obstruct(Self.pair, on: true).isUndone(by: .obstruct(Self.back, on: false)))
    }
}
