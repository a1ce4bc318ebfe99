internal import Promises
internal import Traces

/// The bindings of one list of keys, each with a slot that all monitors with these keys share.
///
/// A binding is looked up once an event, whoever asks.
struct Keying: Sendable {
    private let keys: [EventKey]
    private var table: BindingTable
    /// How many instances each slot has.
    private var users: [Int] = []

    /// Whether the present event has been looked at.
    private(set) var isKnown = false
    /// What the present event has of the keys.
    private(set) var given: Binding
    /// Whether that is all of them.
    private(set) var isWhole = false
    /// The slots that the present event is about: its own, or where it lacks a key those that agree.
    private(set) var reached: [Int] = []

    init(_ keys: [EventKey]) {
        self.keys = keys
        table = BindingTable(keys: keys.count)
        given = Binding(unbound: keys.count)
    }

    /// The slot of the binding that the present event gives; nil where it has none, or lacks a key.
    var slot: Int? { isWhole ? reached.first : nil }

    /// Forgets the event that was looked at.
    mutating func forget() { isKnown = false }

    /// Looks an event up.
    mutating func look(at event: TraceEvent) {
        isKnown = true
        given.bind(keys, to: event)
        isWhole = given.isWhole
        if !isWhole { table.index(by: given.choice) }
        reached = table.slots(of: given)
    }

    /// The slots that agree with what another binding has of the keys that are shared.
    mutating func slots(agreeingWith other: Binding, at shared: [SharedKey]) -> [Int] {
        let part = Binding(shared, of: other, count: keys.count)
        table.index(by: part.choice)
        return table.slots(of: part)
    }

    /// The slot of a binding, for one more instance.
    mutating func acquire(_ binding: Binding) -> Int {
        let slot = table.slots(of: binding).first ?? table.insert(binding)
        if slot == users.count { users.append(0) }
        users[slot] += 1
        reached = [slot]
        return slot
    }

    /// An instance is gone.
    mutating func release(_ slot: Int) {
        users[slot] -= 1
        if users[slot] == 0 { table.remove(slot) }
    }
}
