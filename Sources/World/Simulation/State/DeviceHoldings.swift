import Basics
import DeviceLink

/// What the core keeps for one device: its timers, the items of its queues, and what it has stored.
struct DeviceHoldings: Sendable {
    /// What it asked to keep, sorted by key.
    private(set) var stored: [StoredPair] = []
    private var storedBytes = 0
    /// Its timers' and queues' channels.
    private var timers = NamedChannels()
    private var queues = NamedChannels()
    /// How many of its timers are set and of its items wait, together.
    private var waiting = 0

    /// Its process is gone, and with it all but what is stored.
    mutating func processDied() {
        timers = NamedChannels()
        queues = NamedChannels()
        waiting = 0
    }

    /// The channel in which a timer of its is set; one of this name that was set before is not any more.
    mutating func setTimer(
        _ name: String, of device: Int, _ life: String, in agenda: inout Agenda<Occurrence>
    ) throws(Breach) -> Int {
        let channel: Int
        if let known = timers.channel(of: name) {
            channel = known
            waiting -= agenda.removeAll(in: channel)
        } else {
            try checkNames()
            channel = agenda.open(
                String(joining: "timer ", life, " ", name), device: device, isTimer: true)
            timers.append(channel, of: name)
        }
        try beginWaiting()
        return channel
    }

    mutating func cancelTimer(_ name: String, in agenda: inout Agenda<Occurrence>) {
        guard let channel = timers.channel(of: name) else { return }
        waiting -= agenda.removeAll(in: channel)
    }

    /// The channel in which an item of a queue waits.
    mutating func post(
        to queue: String, of device: Int, _ life: String, in agenda: inout Agenda<Occurrence>
    ) throws(Breach) -> Int {
        let channel: Int
        if let known = queues.channel(of: queue) {
            channel = known
        } else {
            try checkNames()
            channel = agenda.open(String(joining: "queue ", life, " ", queue), device: device)
            queues.append(channel, of: queue)
        }
        try beginWaiting()
        return channel
    }

    /// What has waited is granted.
    mutating func endWaiting() { waiting -= 1 }

    mutating func store(_ key: String, _ value: [UInt8]?) throws(Breach) {
        let place = placeOfStored(key)
        let exists = place < stored.count && stored[place].key == key
        let old = exists ? key.utf8.count + stored[place].value.count : 0
        let bytes = storedBytes - old + (value.map { key.utf8.count + $0.count } ?? 0)
        let pairs = stored.count + (value == nil || exists ? 0 : 1)
        guard pairs <= LinkLimits.storedPairs else {
            throw .oneMore(than: LinkLimits.storedPairs, "stored pairs")
        }
        guard bytes <= LinkLimits.storedBytes else {
            throw Breach(
                at: 0,
                expected: "at most \(LinkLimits.storedBytes) bytes of stored keys and values",
                found: "\(bytes)")
        }
        storedBytes = bytes
        switch (value, exists) {
        case (let value?, true): stored[place].value = value
        case (let value?, false): stored.insert(StoredPair(key, value), at: place)
        case (nil, true): stored.remove(at: place)
        case (nil, false): break
        }
    }

    /// Where a key stands in order, or would stand.
    private func placeOfStored(_ key: String) -> Int {
        var (low, high) = (0, stored.count)
        while low < high {
            let middle = (low + high) / 2
            if stored[middle].key < key { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// One more timer that is set, or item that waits.
    private mutating func beginWaiting() throws(Breach) {
        guard waiting < LinkLimits.waiting else {
            throw .oneMore(than: LinkLimits.waiting, "timers that are set and items that wait")
        }
        waiting += 1
    }

    /// Whether there may be another name.
    @inline(__always)
    private func checkNames() throws(Breach) {
        guard timers.count + queues.count < LinkLimits.names else {
            throw .oneMore(than: LinkLimits.names, "names of timers and queues")
        }
    }
}

/// Channels by name.
struct NamedChannels: Sendable {
    private var entries: [(name: String, channel: Int)] = []
    /// Those of `entries`, where they are many.
    private var index: [String: Int] = [:]
    /// So many are a few: to compare them costs less than to hash one.
    private static let few = 16

    var count: Int { entries.count }

    func channel(of name: String) -> Int? {
        guard entries.count <= Self.few else { return index[name] }
        for index in entries.indices where entries[index].name == name {
            return entries[index].channel
        }
        return nil
    }

    mutating func append(_ channel: Int, of name: String) {
        entries.append((name, channel))
        guard entries.count > Self.few else { return }
        if index.isEmpty { for entry in entries { index[entry.name] = entry.channel } }
        index[name] = channel
    }
}
