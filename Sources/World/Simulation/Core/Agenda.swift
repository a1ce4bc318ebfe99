import Basics
import Choices

/// Something that will happen, in a channel.
struct Pending<Occurrence: Sendable>: Sendable {
    /// When, and which event of the run it is; apart, because it is looked at more often than what.
    struct Moment: Sendable {
        /// Not before this, in nanoseconds of virtual time.
        var earliest: UInt64
        /// Not after this, in nanoseconds of virtual time.
        var latest: UInt64
        /// Order of creation in the whole run.
        let order: UInt64
        /// Which one of its channel it is, from 0.
        let ordinal: UInt64
        /// The order of the event whose effect it is; ``noCause`` for the first ones.
        let cause: UInt64
    }

    var moment: Moment
    let what: Occurrence
}

/// What is pending: first-in-first-out channels, each event with a window of time in which it may
/// happen.
///
/// Eligible are the heads whose earliest moment is not beyond the smallest latest one of all heads,
/// so that every schedule could happen in the real world.
struct Agenda<Occurrence: Sendable>: Sendable {
    /// A channel: events that happen in the order in which they were added.
    struct Channel: Sendable {
        /// Where a channel is in its life, from top to bottom.
        enum Life: Sendable {
            /// It takes events.
            case open
            /// It ends as soon as nothing is pending in it any more.
            case retiring
            /// It is no more; its place may become another channel's.
            case free
        }

        let owner: Decisions.Owner
        /// The device that its events reach; nil for the air and the script.
        let device: Int?
        /// Whether its events are those that the device has set for itself.
        let isTimer: Bool
        var queue = Queue<Pending<Occurrence>>()
        var nextOrdinal: UInt64 = 0
        /// Whether its events wait to be released; it may retire meanwhile.
        var isHeld = false
        fileprivate(set) var life = Life.open
        /// The channel of which everything has to happen before, and the one that waits for this in that way.
        fileprivate var predecessor: Int?
        fileprivate var successor: Int?

        fileprivate init(_ owner: Decisions.Owner, reaching device: Int?, isTimer: Bool) {
            (self.owner, self.device, self.isTimer) = (owner, device, isTimer)
        }

        var isEmpty: Bool { queue.isEmpty }
    }

    private(set) var channels: [Channel] = []
    /// From `firstIndex` on sorted by (earliest, order); what lies before it has been taken.
    private(set) var heads: [Head] = []
    private(set) var firstIndex = 0
    private var nextOrder: UInt64 = 0
    /// The order of the event that is happening.
    var present = noCause
    private var isBlocked: [Bool]
    private var free: [Int] = []

    init(devices: Int) { isBlocked = Array(repeating: false, count: devices) }

    /// Opens a channel.
    ///
    /// Its label is its identity in decisions: give it the incarnations. Nothing in it happens before all that is left
    /// in `predecessor`, where that is retiring.
    mutating func open(
        _ label: String, device: Int? = nil, isTimer: Bool = false, behind predecessor: Int? = nil
    ) -> Int {
        let channel = Channel(Decisions.Owner(label), reaching: device, isTimer: isTimer)
        let index = free.popLast() ?? channels.count
        if index == channels.count { channels.append(channel) } else { channels[index] = channel }
        if let predecessor, channels[predecessor].life == .retiring {
            channels[index].predecessor = predecessor
            channels[predecessor].successor = index
        }
        return index
    }

    /// The channel that is kept in a place; it is opened when something waits there for the first time.
    mutating func channel(
        in place: inout Int?, _ what: String, _ name: String, reaching device: Int?
    ) -> Int {
        if let place { return place }
        let channel = open(String(joining: what, name), device: device)
        place = channel
        return channel
    }

    /// Closes a channel for good; what is pending in it is dropped.
    ///
    /// Nothing happens where it is closed.
    mutating func close(_ channel: Int) {
        removeAll(in: channel)
        end(channel)
    }

    /// Closes a channel once everything in it has happened.
    mutating func retire(_ channel: Int) {
        guard channels[channel].life == .open else { return }
        channels[channel].life = .retiring
        endIfRetired(channel)
    }

    private mutating func endIfRetired(_ channel: Int) {
        if channels[channel].life == .retiring, channels[channel].isEmpty { end(channel) }
    }

    /// The one place where a channel's place becomes free, once.
    private mutating func end(_ channel: Int) {
        guard channels[channel].life != .free else { return }
        channels[channel].life = .free
        free.append(channel)
        if let predecessor = channels[channel].predecessor { channels[predecessor].successor = nil }
        guard let successor = channels[channel].successor else { return }
        channels[successor].predecessor = nil
        showHead(of: successor)
    }

    /// Adds an event behind those of its channel.
    mutating func add(_ what: Occurrence, to channel: Int, earliest: UInt64, latest: UInt64) {
        let index = channel
        assert(channels[index].life != .free, "the channel is closed")
        var moment = Pending<Occurrence>.Moment(
            earliest: earliest, latest: max(earliest, latest), order: nextOrder,
            ordinal: channels[index].nextOrdinal, cause: present)
        nextOrder += 1
        channels[index].nextOrdinal += 1
        // A channel that has waited is as late as the one before it.
        let last = channels[index].isEmpty ? channels[index].predecessor ?? index : index
        if let place = channels[last].queue.indices.last {
            let before = channels[last].queue[place].moment
            moment.earliest = max(moment.earliest, before.earliest)
            moment.latest = max(moment.latest, before.latest)
        }
        let wasEmpty = channels[index].isEmpty
        channels[index].queue.append(Pending(moment: moment, what: what))
        if wasEmpty { showHead(of: index) }
    }

    var firstHead: Head? { firstIndex < heads.count ? heads[firstIndex] : nil }

    /// Which heads are eligible, and the moment none of them may pass.
    func eligible() -> (range: Range<Int>, frontier: UInt64) {
        var frontier = UInt64.max
        var end = firstIndex
        while end < heads.count, heads[end].earliest <= frontier {
            frontier = min(frontier, heads[end].latest)
            end += 1
        }
        while end > firstIndex, heads[end - 1].earliest > frontier { end -= 1 }
        return (firstIndex..<end, frontier)
    }

    func count(in channel: Int) -> Int { channels[channel].queue.indices.count }

    /// Lets a scheduler look at the eligible heads and count its looks.
    mutating func withHeads<Result>(_ body: (inout [Head]) -> Result) -> Result { body(&heads) }

    /// Takes the event of the head at `index`; the one behind it becomes the channel's head.
    mutating func take(
        at index: Int
    ) -> (owner: Decisions.Owner, moment: Pending<Occurrence>.Moment, what: Occurrence) {
        let channel = Int(heads[index].channel)
        removeHead(at: index)
        let event = channels[channel].queue.takeFirst()
        if !channels[channel].isEmpty {
            showHead(of: channel)
        } else {
            if let successor = channels[channel].successor {
                postpone(successor, latest: event.moment.latest)
            }
            endIfRetired(channel)
        }
        return (channels[channel].owner, event.moment, event.what)
    }

    /// Drops what is pending in a channel; returns how much that was.
    @discardableResult
    mutating func removeAll(in channel: Int) -> Int {
        guard !channels[channel].isEmpty else { return 0 }
        hideHead(of: channel)
        let dropped = channels[channel].queue.indices.count
        channels[channel].queue.removeAll()
        endIfRetired(channel)
        return dropped
    }

    /// Keeps a channel's events until it is released; they have no latest moment meanwhile.
    mutating func hold(_ channel: Int) {
        guard !channels[channel].isHeld else { return }
        hideHead(of: channel)
        channels[channel].isHeld = true
    }

    /// Releases a held channel; what is overdue may happen until `latest`.
    mutating func release(_ channel: Int, latest: UInt64) {
        guard channels[channel].isHeld else { return }
        channels[channel].isHeld = false
        postpone(channel, latest: latest)
        showHead(of: channel)
    }

    /// Keeps all events for a device until it is unblocked.
    mutating func block(device: Int) {
        for index in channels.indices where channels[index].device == device { hideHead(of: index) }
        isBlocked[device] = true
    }

    /// Lets the events for a device happen again; what is overdue may happen until `latest`.
    mutating func unblock(device: Int, latest: UInt64) {
        guard isBlocked[device] else { return }
        isBlocked[device] = false
        for index in channels.indices where channels[index].device == device {
            postpone(index, latest: latest)
            showHead(of: index)
        }
    }

    /// All channels whose events reach a device.
    func channels(of device: Int) -> [Int] {
        channels.indices.filter { channels[$0].device == device }
    }

    private func isHidden(_ channel: Int) -> Bool {
        if channels[channel].isEmpty || channels[channel].isHeld { return true }
        if channels[channel].predecessor != nil { return true }
        if let device = channels[channel].device { return isBlocked[device] }
        return false
    }

    private mutating func postpone(_ channel: Int, latest: UInt64) {
        for index in channels[channel].queue.indices {
            channels[channel].queue[index].moment.latest = max(
                channels[channel].queue[index].moment.latest, latest)
        }
    }

    private mutating func showHead(of channel: Int) {
        guard !isHidden(channel) else { return }
        let head = head(of: channel)
        let place = place(earliest: head.earliest, order: head.order)
        heads.append(head)
        // Moved up by hand: to insert one costs twice as much, and there is one for most events.
        heads.withUnsafeMutableBufferPointer { room in
            guard place + 1 < room.count, let base = room.baseAddress else { return }
            (base + place + 1).update(from: base + place, count: room.count - place - 1)
            base[place] = head
        }
    }

    private mutating func hideHead(of channel: Int) {
        guard !isHidden(channel) else { return }
        let head = head(of: channel)
        removeHead(at: place(earliest: head.earliest, order: head.order))
    }

    private func head(of channel: Int) -> Head {
        let moment = channels[channel].queue.first.moment
        return Head(
            earliest: moment.earliest, latest: moment.latest, order: moment.order,
            owner: channels[channel].owner.key, ordinal: moment.ordinal, cause: moment.cause,
            channel: Int32(channel), device: Int32(channels[channel].device ?? -1),
            isTimer: channels[channel].isTimer)
    }

    /// Removes a head.
    ///
    /// The first ones are passed over only, and forgotten many at a time, because most events that
    /// happen are the first.
    private mutating func removeHead(at index: Int) {
        guard index == firstIndex else {
            heads.remove(at: index)
            return
        }
        firstIndex += 1
        if firstIndex == heads.count || firstIndex >= 256 {
            heads.removeSubrange(..<firstIndex)
            firstIndex = 0
        }
    }

    /// Where a head of this key stands, or would stand.
    private func place(earliest: UInt64, order: UInt64) -> Int {
        var low = firstIndex
        var high = heads.count
        if let last = heads.last, (last.earliest, last.order) < (earliest, order) { return high }
        while low < high {
            let middle = (low + high) / 2
            if (heads[middle].earliest, heads[middle].order) < (earliest, order) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }
}
