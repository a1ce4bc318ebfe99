internal import DeviceLink
internal import Promises
internal import Traces

/// What holds at one moment of a trace: fluents, the links' timing, whether anything is asked still.
struct FluentStore: Sendable {
    private let fluents: [Fluent]
    private let places: [String: Int]
    /// The bindings for which each fluent holds; counted and looked up only, their order is nobody's.
    private var holding: [[Binding: Bool]]
    private(set) var links = LinkTimes()
    /// Whether the script is over: nothing is asked any more.
    private(set) var isClosing = false

    init(_ fluents: [Fluent]) {
        self.fluents = fluents
        places = Dictionary(uniqueKeysWithValues: zip(fluents.map(\.name), fluents.indices))
        holding = Array(repeating: [:], count: fluents.count)
    }

    /// Looks at an event before anything else does.
    mutating func foresee(_ event: TraceEvent) {
        links.take(event)
        if event.kind == "script.ended" { isClosing = true }
    }

    /// Takes an event of a kind that may switch these fluents; returns those that it switched.
    mutating func take(
        _ event: TraceEvent, _ switches: [CompiledProperties.Interest.Switch]
    ) -> [Int] {
        var switched: [Int] = []
        for candidate in switches {
            let (sets, clears) = (candidate.set.mean(event), candidate.clear.mean(event))
            if sets || clears, take(event, candidate.fluent, sets: sets, clears: clears) {
                switched.append(candidate.fluent)
            }
        }
        return switched
    }

    /// Whether the event has switched a fluent.
    private mutating func take(
        _ event: TraceEvent, _ index: Int, sets: Bool, clears: Bool
    ) -> Bool {
        let keys = fluents[index].keys
        guard let binding = Binding(keys, in: event) else {
            guard clears else { return false }
            let given = Binding(partly: keys, in: event)
            let before = holding[index].count
            holding[index] = holding[index].filter { !$0.key.agrees(with: given) }
            return holding[index].count != before
        }
        let held = holding[index][binding] != nil
        let holds = sets || (held && !clears)
        if holds != held { holding[index][binding] = holds ? true : nil }
        return holds != held
    }

    func place(of name: String) -> Int { places[name] ?? -1 }

    func fluent(_ place: Int) -> Fluent { fluents[place] }

    var fluentIndices: Range<Int> { fluents.indices }

    /// Whether a fluent holds for just this binding.
    func holds(_ place: Int, _ binding: Binding) -> Bool { holding[place][binding] != nil }

    /// How many instances of a fluent hold that agree with a binding.
    func count(_ place: Int, about binding: Binding, at shared: [SharedKey]) -> Int {
        shared.isEmpty
            ? holding[place].count
            : holding[place].count { binding.agrees(with: $0.key, at: shared) }
    }
}

/// A condition whose names have been looked up for the keys of a property.
struct CompiledCondition: Sendable {
    private struct Literal: Sendable {
        let place: Int
        let isPositive: Bool
        let shared: [SharedKey]
        /// Where the property has all keys of the fluent: their places, in the fluent's order.
        let projection: [Int]?
    }

    private let literals: [Literal]
    /// The fluents it speaks of.
    let places: [Int]

    init(_ condition: Property.Condition, keys: [EventKey], in store: FluentStore) {
        literals = condition.literals.map { literal in
            let place = store.place(of: literal.fluent)
            let theirs = store.fluent(place).keys
            let projection = theirs.compactMap { keys.firstIndex(of: $0) }
            return Literal(
                place: place, isPositive: literal.isPositive,
                shared: SharedKey.all(keys, theirs),
                projection: projection.count == theirs.count ? projection : nil)
        }
        places = literals.map(\.place)
    }

    func holds(about binding: Binding, in store: FluentStore) -> Bool {
        literals.allSatisfy { literal in
            let holds =
                if let projection = literal.projection {
                    store.holds(literal.place, binding.projected(projection))
                } else {
                    store.count(literal.place, about: binding, at: literal.shared) > 0
                }
            return holds == literal.isPositive
        }
    }
}
