package import DeviceLink

/// First come, first served, but for what a schedule says.
package struct ScheduledOrder: Scheduler {
    /// Delays may be decided even where no order is.
    package let isPlain = false
    private let afters: [After]
    /// The place of the after for which an event waits; looked up only.
    private var waits: [KeyedEvent: Int]
    /// For each after, whom it waits for.
    private let others: [KeyedEvent]
    /// Who is waited for and has not happened yet; looked up only.
    private var awaited: [KeyedEvent: Bool]
    /// Whose event was overtaken for it.
    private var hasWaited: [Bool]

    package init(_ afters: [After]) {
        self.afters = afters
        waits = Dictionary(
            afters.enumerated().map { (KeyedEvent($0.element.event), $0.offset) },
            uniquingKeysWith: { $1 })
        others = afters.map { KeyedEvent($0.after) }
        awaited = Dictionary(others.map { ($0, true) }, uniquingKeysWith: { $1 })
        hasWaited = Array(repeating: false, count: afters.count)
    }

    /// The afters without which the order was the same.
    package var idle: [After] { zip(afters, hasWaited).filter { !$0.1 }.map(\.0) }

    package mutating func pick(
        among heads: inout [Head], eligible: Range<Int>, drawing decisions: inout Decisions
    ) -> Int {
        let index =
            eligible.first { index in
                guard let after = waits[KeyedEvent(heads[index])] else { return true }
                return awaited[others[after]] != true
            } ?? eligible.lowerBound
        for place in eligible.lowerBound..<index {
            if let after = waits[KeyedEvent(heads[place])] { hasWaited[after] = true }
        }
        awaited[KeyedEvent(heads[index])] = nil
        return index
    }
}

/// An event by its channel's key.
package struct KeyedEvent: Hashable, Sendable {
    package let channel: Keyed
    package let ordinal: UInt64

    package init(_ event: EventID) {
        (channel, ordinal) = (Keyed(0).with(event.channel), event.ordinal)
    }

    package init(_ head: Head) { (channel, ordinal) = (head.owner, head.ordinal) }
}
