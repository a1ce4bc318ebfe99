import Testing

@testable import Simulation

/// The life of a channel: open, retiring, free.
@Suite struct AgendaTests {
    private func agenda() -> Agenda<Int> { Agenda(devices: 1) }

    @Test func aChannelThatIsRetiredAndClosedBecomesFreeOnce() {
        for hasEvent in [false, true] {
            var agenda = agenda()
            let old = agenda.open("old")
            if hasEvent { agenda.add(1, to: old, earliest: 0, latest: 0) }
            agenda.retire(old)
            agenda.close(old)
            agenda.close(old)
            agenda.retire(old)
            let (one, other) = (agenda.open("one"), agenda.open("other"))
            #expect(one != other, "two channels had one place")
        }
    }

    @Test func aRetiredChannelKeepsItsPlaceWhileItIsHeld() {
        var agenda = agenda()
        let old = agenda.open("old")
        agenda.add(1, to: old, earliest: 0, latest: 0)
        agenda.hold(old)
        agenda.retire(old)
        #expect(agenda.open("new") != old)
        #expect(agenda.firstHead == nil)
        agenda.release(old, latest: 5)
        #expect(agenda.take(at: agenda.firstIndex).what == 1)
        #expect(agenda.open("next") == old)
    }

    @Test func theFirstHeadIsTheFirstOfThoseThatAreEligible() {
        var agenda = agenda()
        #expect(agenda.firstHead?.order == nil && agenda.eligible().range.isEmpty)
        for (place, time) in [5, 3, 4, 3].enumerated() {
            let channel = agenda.open("\(place)")
            agenda.add(place, to: channel, earliest: UInt64(time), latest: UInt64(time) + 3)
        }
        while let first = agenda.eligible().range.first {
            #expect(agenda.firstIndex == first)
            _ = agenda.take(at: first)
        }
    }
}
