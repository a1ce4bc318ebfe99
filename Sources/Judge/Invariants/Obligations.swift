import Basics
package import DeviceLink
package import Monitors
import Promises
package import Traces

/// Things that have to happen by a deadline, in the order in which they were opened.
///
/// A deadline counts time in which its keeper could act: it waits while the keeper is frozen, and an
/// obligation dies with its keeper's process.
package struct Obligations<Key: Hashable & Sendable>: Sendable {
    package struct Open: Sendable {
        package let key: Key
        package let cause: Citation
        /// The device that has to act.
        package let keeper: String
        /// How long it may take.
        package let bound: Nanoseconds
        /// When it is too late; `never` while the keeper is frozen, or waits for somebody.
        package fileprivate(set) var deadline: VirtualTime
        /// What is left of the time while the keeper waits for somebody; nil while it does not.
        fileprivate var rest: Nanoseconds?
    }

    /// All that is open, oldest first.
    package private(set) var open: [Open] = []
    /// The earliest deadline; `never` where there is none.
    package private(set) var nextDeadline = VirtualTime.never

    package init() {}

    /// How many are open whose keepers can act.
    package var count: Int { open.count { $0.deadline != .never } }

    /// Opens an obligation, unless the run is closing and opens no more.
    package mutating func open(
        _ key: Key, by event: TraceEvent, keeper: String, within bound: Nanoseconds,
        in scene: Scene
    ) {
        guard !scene.isClosing else { return }
        let deadline = scene.device(keeper).isFrozen ? .never : event.time + bound
        open.append(
            Open(
                key: key, cause: Citation(event), keeper: keeper, bound: bound, deadline: deadline))
        nextDeadline = min(nextDeadline, deadline)
    }

    package func contains(_ key: Key) -> Bool { open.contains { $0.key == key } }

    @discardableResult
    package mutating func close(_ key: Key) -> Open? {
        guard !open.isEmpty, let index = open.firstIndex(where: { $0.key == key }) else {
            return nil
        }
        defer { findNextDeadline() }
        return open.remove(at: index)
    }

    /// Closes all obligations that a predicate names; returns how many there were.
    @discardableResult
    package mutating func closeAll(where isMeant: (Open) -> Bool) -> Int {
        guard !open.isEmpty else { return 0 }
        let before = open.count
        open.removeAll(where: isMeant)
        if open.count < before { findNextDeadline() }
        return before - open.count
    }

    /// Takes out what is overdue at `moment`, by deadline and then by age.
    package mutating func takeOverdue(before moment: VirtualTime) -> [Open] {
        guard nextDeadline < moment else { return [] }
        let overdue = open.filter { $0.deadline < moment }
        open.removeAll { $0.deadline < moment }
        findNextDeadline()
        return overdue.sorted {
            ($0.deadline, $0.cause.number) < ($1.deadline, $1.cause.number)
        }
    }

    /// Follows a device's fate: frozen, its deadlines wait; thawed, they begin anew; dead, its
    /// obligations are gone.
    ///
    /// - Returns: How many were let go.
    @discardableResult
    package mutating func follow(_ event: TraceEvent) -> Int {
        guard !open.isEmpty else { return 0 }
        switch event.kind {
        case .deviceDied: return closeAll { $0.keeper == event.device }
        case .deviceFrozen: postpone(event.device) { _ in .never }
        case .deviceThawed: postpone(event.device) { event.time + $0.bound }
        default: break
        }
        return 0
    }

    /// From a moment on no time passes for it, because its keeper waits for somebody.
    package mutating func suspend(_ key: Key, at moment: VirtualTime) {
        for index in open.indices
        where open[index].key == key && moment <= open[index].deadline
            && open[index].deadline != .never
        {
            open[index].rest = open[index].deadline - moment
            open[index].deadline = .never
        }
        findNextDeadline()
    }

    /// From a moment on what was left of its time passes.
    package mutating func resume(_ key: Key, at moment: VirtualTime) {
        for index in open.indices where open[index].key == key {
            guard let rest = open[index].rest else { continue }
            open[index].rest = nil
            open[index].deadline = moment + rest
        }
        findNextDeadline()
    }

    private mutating func postpone(_ device: String, to deadline: (Open) -> VirtualTime) {
        for index in open.indices where open[index].keeper == device && open[index].rest == nil {
            open[index].deadline = deadline(open[index])
        }
        findNextDeadline()
    }

    private mutating func findNextDeadline() {
        nextDeadline = open.reduce(.never) { min($0, $1.deadline) }
    }
}

/// A map that forgets its oldest entries, so that memory stays flat however long a run is.
struct BoundedMap<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private var values: SmallMap<Key, Value> = [:]
    private var order: [Key] = []
    private var oldest = 0
    private let capacity: Int

    init(capacity: Int) { self.capacity = capacity }

    subscript(key: Key) -> Value? { values[key] }

    mutating func set(_ key: Key, to value: Value) {
        guard values.set(key, to: value) else { return }
        if order.count < capacity {
            order.append(key)
        } else {
            values.removeValue(forKey: order[oldest])
            order[oldest] = key
            oldest = (oldest + 1) % capacity
        }
    }

    /// Removes all; capacity is kept.
    mutating func removeAll() {
        values.removeAll()
        order.removeAll(keepingCapacity: true)
        oldest = 0
    }

    mutating func removeValue(forKey key: Key) {
        guard values.removeValue(forKey: key) != nil else { return }
        order.rotate(toStartAt: oldest)
        oldest = 0
        order.removeAll { $0 == key }
    }
}

extension Array {
    fileprivate mutating func rotate(toStartAt index: Int) {
        guard index > 0 else { return }
        self = Array(self[index...] + self[..<index])
    }
}

extension Obligations {
    /// All that is open for a promise; `words` say what it is about, and what is awaited.
    func listed(
        for promise: PromiseDescription, _ words: (Open) -> (about: String, awaited: String)
    ) -> [OpenObligation] {
        open.map { open in
            let (about, awaited) = words(open)
            return OpenObligation(
                promise: promise.id, about: about, awaited: awaited, since: open.cause,
                deadline: open.deadline)
        }
    }
}
