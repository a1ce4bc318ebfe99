/// Bindings of one list of keys, each in a slot of its own, found by any of their keys.
///
/// A few are looked through. Of many, each choice of keys by which they are looked for is an index of
/// its own: no look-up walks all bindings, however many sessions there are.
struct BindingTable: Sendable {
    /// How many are looked through; to hash one costs more than to compare these.
    private static let few = 8

    /// The binding of each slot; nil where it is free.
    private var bindings: [Binding?] = []
    private var freeSlots: [Int] = []
    /// The slots of the bindings that have some values, by the mark of these, where there are many;
    /// looked up only.
    private var slots: [UInt64: Slots] = [:]
    /// The choices of keys by which many can be looked for, all keys among them.
    private var choices: [Binding.Choice]

    /// A table for lists of as many keys.
    init(keys count: Int) { choices = [Binding.all(count)] }

    /// Gives all slots free.
    mutating func reset() {
        guard !bindings.isEmpty else { return }
        bindings.removeAll(keepingCapacity: true)
        freeSlots.removeAll(keepingCapacity: true)
        if !slots.isEmpty { slots.removeAll(keepingCapacity: true) }
    }

    private var isIndexed: Bool { bindings.count > Self.few }

    /// From now on bindings can be looked for by these keys.
    mutating func index(by choice: Binding.Choice) {
        guard !choices.contains(choice) else { return }
        choices.append(choice)
        if isIndexed { addAll(by: choice) }
    }

    /// The slots of the bindings that agree with one, by whose keys they can be looked for.
    func slots(of part: Binding) -> Slots {
        if isIndexed { return slots[part.mark(of: part.choice)] ?? Slots() }
        var found = Slots()
        for slot in bindings.indices where bindings[slot]?.has(part) == true { found.insert(slot) }
        return found
    }

    /// Whether it has a binding that agrees with what one has of the keys that are shared with it, by
    /// which they can be looked for.
    @inline(__always)
    func has(_ shared: SharedKeys, of other: Binding) -> Bool {
        if isIndexed {
            let part = Binding(shared, of: other)
            return slots.index(forKey: part.mark(of: part.choice)) != nil
        }
        for slot in bindings.indices where bindings[slot]?.has(shared, of: other) == true {
            return true
        }
        return false
    }

    /// Takes a binding that it does not have; returns its slot.
    mutating func insert(_ binding: Binding) -> Int {
        let wasIndexed = isIndexed
        let slot = freeSlots.popLast() ?? bindings.count
        if slot == bindings.count { bindings.append(binding) } else { bindings[slot] = binding }
        if wasIndexed {
            for choice in choices { add(slot, by: choice) }
        } else if isIndexed {
            for choice in choices { addAll(by: choice) }
        }
        return slot
    }

    /// Gives a slot free.
    mutating func remove(_ slot: Int) {
        guard let binding = bindings[slot] else { return }
        for choice in choices where isIndexed {
            let part = binding.mark(of: choice)
            slots[part]?.remove(slot)
            if slots[part]?.isEmpty == true { slots[part] = nil }
        }
        bindings[slot] = nil
        freeSlots.append(slot)
    }

    private mutating func addAll(by choice: Binding.Choice) {
        for slot in bindings.indices { add(slot, by: choice) }
    }

    private mutating func add(_ slot: Int, by choice: Binding.Choice) {
        guard let binding = bindings[slot] else { return }
        slots[binding.mark(of: choice), default: Slots()].insert(slot)
    }
}
