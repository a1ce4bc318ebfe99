internal import DeviceLink

/// First come, first served, but for what a schedule says.
package struct ScheduledOrder: Scheduler {
    /// Delays may be decided even where no order is.
    package let isPlain = false
    private var waits: [EventKey: EventKey]
    /// Who is waited for and has not happened yet; looked up only.
    private var awaited: [EventKey: Bool]

    /// The order of these afters.
    package init(_ afters: [After]) {
        waits = Dictionary(
            afters.map { (EventKey($0.event), EventKey($0.after)) }, uniquingKeysWith: { $1 })
        awaited = Dictionary(waits.values.map { ($0, true) }, uniquingKeysWith: { $1 })
    }

    package mutating func pick(
        among heads: inout [Head], eligible: Range<Int>, drawing decisions: inout Decisions
    ) -> Int {
        let index =
            eligible.first { index in
                guard let other = waits[EventKey(heads[index])] else { return true }
                return awaited[other] != true
            } ?? eligible.lowerBound
        awaited[EventKey(heads[index])] = nil
        return index
    }

    package mutating func delay(
        of head: Head, room: UInt64, drawing decisions: inout Decisions
    ) -> UInt64 { decisions.moment(of: head, within: room) }
}

/// An event by its channel's key.
struct EventKey: Hashable {
    let channel: Keyed
    let ordinal: UInt64

    init(_ event: EventID) {
        (channel, ordinal) = (Keyed(0).with(event.channel), event.ordinal)
    }

    init(_ head: Head) { (channel, ordinal) = (head.owner, head.ordinal) }
}
