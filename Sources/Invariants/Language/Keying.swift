internal import DeviceLink
internal import Promises
internal import Traces

/// The bindings of one list of keys, each with a number that all monitors with these keys share.
///
/// A binding is looked up once an event, whoever asks.
struct Keying: Sendable {
    let keys: [EventKey]
    /// Looked up only.
    private var slots: [Binding: Int] = [:]
    /// The binding of each slot; nil where it is free.
    private var bindings: [Binding?] = []
    /// How many instances each slot has.
    private var users: [Int] = []
    private var freeSlots: [Int] = []

    /// Whether the present event has been looked at.
    private(set) var isKnown = false
    /// The binding that the present event gives; nil where it lacks a key.
    private(set) var binding: Binding?
    /// The slot of that binding; nil where it has none.
    private(set) var slot: Int?
    /// The slots that the present event is about: its own, or where it lacks a key those that agree.
    private(set) var reached: [Int] = []

    init(_ keys: [EventKey]) { self.keys = keys }

    /// Forgets the event that was looked at.
    mutating func forget() { isKnown = false }

    /// Looks an event up.
    mutating func look(at event: TraceEvent) {
        isKnown = true
        binding = Binding(keys, in: event)
        slot = nil
        reached.removeAll(keepingCapacity: true)
        if let binding {
            if let slot = slots[binding] { reach(slot) }
            return
        }
        guard !slots.isEmpty else { return }
        let partial = Binding(partly: keys, in: event)
        for slot in bindings.indices where bindings[slot]?.agrees(with: partial) == true {
            reached.append(slot)
        }
    }

    /// The slot of a binding, for one more instance.
    mutating func acquire(_ binding: Binding) -> Int {
        if let slot = slots[binding] {
            users[slot] += 1
            reach(slot)
            return slot
        }
        let slot = freeSlots.popLast() ?? bindings.count
        if slot == bindings.count {
            bindings.append(binding)
            users.append(1)
        } else {
            (bindings[slot], users[slot]) = (binding, 1)
        }
        slots[binding] = slot
        reach(slot)
        return slot
    }

    private mutating func reach(_ slot: Int) {
        self.slot = slot
        reached.removeAll(keepingCapacity: true)
        reached.append(slot)
    }

    /// An instance is gone.
    mutating func release(_ slot: Int) {
        users[slot] -= 1
        guard users[slot] == 0, let binding = bindings[slot] else { return }
        slots[binding] = nil
        bindings[slot] = nil
        freeSlots.append(slot)
    }
}
