import DeviceLink
import Promises
import Traces

/// The bindings of one list of keys, each with a slot that all monitors with these keys share.
///
/// A binding is looked up once an event, whoever asks.
struct Keying: Sendable {
    private let keys: [EventKey]
    /// Their places in the set's table.
    private let places: [Int]
    private var table: BindingTable
    /// How many instances each slot has.
    private var users: [Int] = []
    /// What each slot's keys are bound to.
    private(set) var values: [[Field.Value]] = []

    /// Whether the present event has been looked at.
    private(set) var isKnown = false
    /// What the present event has of the keys.
    private(set) var given = Binding.empty
    /// Whether that is all of them.
    private(set) var isWhole = false
    /// The slots that the present event is about: its own, or where it lacks a key those that agree.
    private(set) var reached = Slots()

    init(_ keys: [EventKey], at places: [Int]) {
        self.keys = keys
        self.places = places
        table = BindingTable(keys: keys.count)
    }

    /// No binding has a slot.
    mutating func reset() {
        table.reset()
        users.removeAll(keepingCapacity: true)
        values.removeAll(keepingCapacity: true)
        reached = Slots()
    }

    /// The slot of the binding that the present event gives; nil where it has none, or lacks a key.
    var slot: Int? { isWhole ? reached.first : nil }

    /// Forgets the event that was looked at.
    mutating func forget() { isKnown = false }

    /// Looks the present event up.
    mutating func look(at event: TraceEvent, with marks: inout KeyMarks) {
        isKnown = true
        given = Binding.of(places, in: event, with: &marks)
        let choice = given.choice
        isWhole = choice == Binding.all(keys.count)
        if !isWhole { table.index(by: choice) }
        reached = table.slots(of: given)
    }

    /// The slots that agree with what another binding has of the keys that are shared.
    mutating func slots(agreeingWith other: Binding, at shared: SharedKeys) -> Slots {
        let part = Binding(shared, of: other)
        table.index(by: part.choice)
        return table.slots(of: part)
    }

    /// The slot of a binding, which is that of an event where there is one, for one more instance.
    mutating func acquire(_ binding: Binding, of event: TraceEvent?) -> Int {
        let slot = reached.first ?? insert(binding, of: event)
        users[slot] += 1
        return slot
    }

    private mutating func insert(_ binding: Binding, of event: TraceEvent?) -> Int {
        let slot = table.insert(binding)
        if slot == users.count {
            users.append(0)
            values.append([])
        }
        values[slot] = event?.values(of: keys) ?? []
        reached = Slots(slot)
        return slot
    }

    /// An instance is gone.
    mutating func release(_ slot: Int) {
        users[slot] -= 1
        guard users[slot] == 0 else { return }
        table.remove(slot)
        reached.remove(slot)
    }
}
