/// Bindings of one list of keys, each in a slot of its own, found by any of their keys.
///
/// Each choice of keys by which they are looked for is an index of its own: no look-up walks all
/// bindings, however many sessions there are.
struct BindingTable: Sendable {
    /// The binding of each slot; nil where it is free.
    private var bindings: [Binding?] = []
    private var freeSlots: [Int] = []
    /// The slots, in ascending order, of the bindings that have some values; looked up only.
    private var slots: [Binding: [Int]] = [:]
    /// The choices of keys by which they can be looked for, all keys among them.
    private var choices: [Binding.Choice]

    /// A table for lists of as many keys.
    init(keys count: Int) { choices = [(1 << count) - 1] }

    /// From now on bindings can be looked for by these keys.
    mutating func index(by choice: Binding.Choice) {
        guard !choices.contains(choice) else { return }
        choices.append(choice)
        for (slot, binding) in bindings.enumerated() {
            guard let binding else { continue }
            slots[binding.restricted(to: choice), default: []].append(slot)
        }
    }

    /// The slots of the bindings that agree with one, by whose keys they can be looked for.
    func slots(of part: Binding) -> [Int] { slots[part] ?? [] }

    /// Takes a binding that it does not have; returns its slot.
    mutating func insert(_ binding: Binding) -> Int {
        let slot = freeSlots.popLast() ?? bindings.count
        if slot == bindings.count { bindings.append(binding) } else { bindings[slot] = binding }
        for choice in choices {
            slots[binding.restricted(to: choice), default: []].insert(ascending: slot)
        }
        return slot
    }

    /// Gives a slot free.
    mutating func remove(_ slot: Int) {
        guard let binding = bindings[slot] else { return }
        for choice in choices {
            let part = binding.restricted(to: choice)
            slots[part]?.removeAll { $0 == slot }
            if slots[part]?.isEmpty == true { slots[part] = nil }
        }
        bindings[slot] = nil
        freeSlots.append(slot)
    }
}

extension [Int] {
    fileprivate mutating func insert(ascending number: Int) {
        insert(number, at: firstIndex { $0 > number } ?? endIndex)
    }
}
