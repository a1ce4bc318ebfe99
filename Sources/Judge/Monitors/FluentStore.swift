import DeviceLink
import Promises
import Traces

/// What holds at one moment of a trace: fluents, the links' timing, whether anything is asked still.
struct FluentStore: Sendable {
    /// A fluent that an event has switched, and what the event has of the fluent's keys.
    struct Switched {
        let fluent: Int
        let binding: Binding
    }

    /// A fluent whose names have been looked up.
    struct Plan: Sendable {
        let fluent: Fluent
        /// The places of its keys.
        let keys: [Int]
        let set: Patterns
        let clear: Patterns
    }

    private let fluents: [Plan]
    private let places: [String: Int]
    /// The bindings for which each fluent holds.
    private var holding: [BindingTable]
    private(set) var links = LinkTimes()
    /// Whether the script is over: nothing is asked any more.
    private(set) var isClosing = false

    /// How much longer than it says every bound is.
    var slack = Nanoseconds.zero

    init(_ fluents: [Fluent], in table: inout KeyTable) {
        self.fluents = fluents.map { fluent in
            Plan(
                fluent: fluent, keys: table.places(of: fluent.keys),
                set: Patterns(fluent.set, in: &table), clear: Patterns(fluent.clear, in: &table))
        }
        places = Dictionary(uniqueKeysWithValues: zip(fluents.map(\.name), fluents.indices))
        holding = fluents.map { BindingTable(keys: $0.keys.count) }
    }

    /// Begins anew: no fluent holds, no link is known.
    mutating func reset() {
        for index in holding.indices { holding[index].reset() }
        (links, isClosing) = (LinkTimes(), false)
    }

    /// The kinds that it looks at before anything else does.
    static let foreseen = LinkTimes.kinds + [.scriptEnded]

    /// Looks at an event of such a kind.
    mutating func foresee(_ event: TraceEvent) {
        links.take(event)
        if event.kind == .scriptEnded { isClosing = true }
    }

    /// Takes the present event, of a kind that may switch these fluents; adds those that it switched.
    mutating func take(
        _ event: TraceEvent, with marks: inout KeyMarks,
        for switches: [Concerned.Switch], noting switched: inout [Switched]
    ) {
        for place in switches.indices {
            let (sets, clears) = switches[place].means(event, with: &marks)
            guard sets || clears else { continue }
            let fluent = switches[place].fluent
            let binding = Binding.of(fluents[fluent].keys, in: event, with: &marks)
            if take(binding, of: fluent, sets: sets, clears: clears) {
                switched.append(Switched(fluent: fluent, binding: binding))
            }
        }
    }

    /// Whether a fluent has been switched for a binding.
    private mutating func take(
        _ binding: Binding, of place: Int, sets: Bool, clears: Bool
    ) -> Bool {
        let choice = binding.choice
        let isWhole = choice == Binding.all(fluents[place].keys.count)
        if !isWhole { holding[place].index(by: choice) }
        let held = holding[place].slots(of: binding)
        if sets && isWhole {
            if held.isEmpty { _ = holding[place].insert(binding) }
            return held.isEmpty
        }
        guard clears else { return false }
        for slot in held { holding[place].remove(slot) }
        return !held.isEmpty
    }

    func place(of name: String) -> Int { places[name] ?? -1 }

    func fluent(_ place: Int) -> Fluent { fluents[place].fluent }

    func plan(_ place: Int) -> Plan { fluents[place] }

    var fluentIndices: Range<Int> { fluents.indices }

    /// From now on it can be counted for how many bindings with some of its keys a fluent holds.
    mutating func index(_ place: Int, by choice: Binding.Choice) {
        holding[place].index(by: choice)
    }

    /// Whether a fluent holds for a binding that agrees with what one has of the keys that are shared
    /// with it, by which it can be looked for.
    @inline(__always)
    func holds(_ place: Int, at shared: SharedKeys, of binding: Binding) -> Bool {
        holding[place].has(shared, of: binding)
    }

    /// For how many bindings a fluent holds that agree with one, by whose keys it can be counted.
    func count(_ place: Int, about part: Binding) -> Int { holding[place].slots(of: part).count }
}
