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

    /// A controller that tells of a second link has told of the end of the first.
    @Test func whatIsBehindARetiringChannelWaitsForAllOfIt() {
        for isHeld in [false, true] {
            var agenda = agenda()
            let first = agenda.open("first")
            agenda.add(1, to: first, earliest: 0, latest: 9)
            agenda.add(2, to: first, earliest: 0, latest: 9)
            if isHeld { agenda.hold(first) }
            agenda.retire(first)
            let second = agenda.open("second", behind: first)
            agenda.add(3, to: second, earliest: 0, latest: 1)
            if isHeld { agenda.release(first, latest: 20) }
            var order: [Int] = []
            while let last = agenda.eligible().range.last {
                order.append(agenda.take(at: last).what)
            }
            #expect(order == [1, 2, 3])
        }
    }

    @Test func whoeverWaitsGoesOnWhenTheOneBeforeIsClosed() {
        var agenda = agenda()
        let first = agenda.open("first")
        agenda.add(1, to: first, earliest: 0, latest: 0)
        agenda.retire(first)
        let second = agenda.open("second", behind: first)
        agenda.add(2, to: second, earliest: 0, latest: 0)
        #expect(agenda.eligible().range.count == 1)
        agenda.close(first)
        #expect(agenda.take(at: agenda.firstIndex).what == 2)
        let gone = agenda.open("gone", behind: second)
        agenda.close(gone)
        agenda.close(second)
        #expect(agenda.firstHead == nil)
    }
}
