/// A pick of a run whose schedule was noted.
package struct Pick: Sendable {
    package let event: EventID
    /// How much later than it could, in nanoseconds.
    package let delay: UInt64
    /// What could have reached the same device instead.
    package let rivals: [EventID]
    /// What could have happened instead where one of the two reaches no device: air, script or a fault.
    package let others: [EventID]

    /// What is known of one that is followed.
    package init(event: EventID, delay: UInt64, rivals: [EventID] = [], others: [EventID] = []) {
        (self.event, self.delay, self.rivals, self.others) = (event, delay, rivals, others)
    }
}

/// Notes the schedule of a run while it goes on, whoever picks.
package struct ScheduleNotes: Sendable {
    /// For each event that was overtaken, by its order of creation, the last one that did.
    private var overtaker: [UInt64: (event: EventID, after: EventID)] = [:]
    package private(set) var delays: [RecordedDecision] = []
    package private(set) var picks: [Pick] = []

    package init() {}

    /// A head was picked among the eligible ones, and happens `delay` later than it could.
    package mutating func take(
        _ index: Int, of heads: [Head], _ eligible: Range<Int>, delay: UInt64,
        label: (Head) -> String
    ) {
        func event(_ head: Head) -> EventID {
            EventID(channel: label(head), ordinal: head.ordinal)
        }
        let picked = event(heads[index])
        for place in eligible.lowerBound..<index {
            overtaker[heads[place].order] = (event(heads[place]), picked)
        }
        let racing = eligible.filter { $0 != index && heads[$0].races(with: heads[index]) }
        let device = heads[index].device
        func events(_ places: [Int]) -> [EventID] { places.map { event(heads[$0]) } }
        picks.append(
            Pick(
                event: picked, delay: delay,
                rivals: events(racing.filter { device >= 0 && heads[$0].device == device }),
                others: events(racing.filter { device < 0 || heads[$0].device < 0 })))
        guard delay > 0 else { return }
        delays.append(
            RecordedDecision(identity: "\(picked.text) \(Purpose.delay)", value: delay))
    }

    /// What overtook what, in the order in which the waiting events were created.
    package var afters: [After] {
        overtaker.sorted { $0.key < $1.key }.map {
            After(event: $0.value.event, after: $0.value.after)
        }
    }
}
