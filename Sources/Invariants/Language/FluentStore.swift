internal import DeviceLink
internal import Promises
internal import Traces

/// Some keys bound to values, in the order of a list of keys.
struct Binding: Hashable, Sendable {
    var values: [Field.Value]

    /// The binding that an event gives these keys; nil where it lacks one.
    init?(_ keys: [String], in event: TraceEvent) {
        values = []
        for key in keys {
            guard let value = event.value(ofKey: key), value != .none else { return nil }
            values.append(value)
        }
    }

    /// Whether an event has no other value for any of the keys.
    func agrees(with event: TraceEvent, _ keys: [String]) -> Bool {
        zip(keys, values).allSatisfy { key, value in
            let other = event.value(ofKey: key) ?? .none
            return other == .none || other == value
        }
    }

    /// Whether no key that both have has another value in the other.
    func agrees(with other: Binding, at shared: [(mine: Int, theirs: Int)]) -> Bool {
        shared.allSatisfy { values[$0.mine] == other.values[$0.theirs] }
    }
}

/// Which fluents hold, after the events so far.
struct FluentStore: Sendable {
    private let fluents: [Fluent]
    private let places: [String: Int]
    /// The bindings for which each fluent holds, in the order in which they began to.
    private var holding: [[Binding]]

    init(_ fluents: [Fluent]) {
        self.fluents = fluents
        places = Dictionary(uniqueKeysWithValues: zip(fluents.map(\.name), fluents.indices))
        holding = Array(repeating: [], count: fluents.count)
    }

    /// Takes an event; returns which fluents it set or cleared.
    mutating func take(_ event: TraceEvent) -> [Int] {
        var changed: [Int] = []
        for (index, fluent) in fluents.enumerated() {
            let before = holding[index]
            if fluent.clear.match(event) {
                holding[index].removeAll { $0.agrees(with: event, fluent.keys) }
            }
            if fluent.set.match(event), let binding = Binding(fluent.keys, in: event),
                !holding[index].contains(binding)
            {
                holding[index].append(binding)
            }
            if holding[index] != before { changed.append(index) }
        }
        return changed
    }

    func place(of name: String) -> Int { places[name] ?? -1 }

    func fluent(_ place: Int) -> Fluent { fluents[place] }

    /// How many instances of a fluent hold that agree with a binding.
    func count(_ place: Int, about binding: Binding, at shared: [(mine: Int, theirs: Int)]) -> Int {
        shared.isEmpty
            ? holding[place].count
            : holding[place].count { binding.agrees(with: $0, at: shared) }
    }
}

/// A condition whose names have been looked up for the keys of a property.
struct CompiledCondition: Sendable {
    private struct Literal: Sendable {
        let place: Int
        let isPositive: Bool
        /// The keys that the property and the fluent share, by their places in both.
        let shared: [(mine: Int, theirs: Int)]
    }

    private let literals: [Literal]
    /// The fluents it speaks of.
    let places: [Int]

    init(_ condition: Property.Condition, keys: [String], in store: FluentStore) {
        literals = condition.literals.map { literal in
            let place = store.place(of: literal.fluent)
            return Literal(
                place: place, isPositive: literal.isPositive,
                shared: Self.shared(keys, store.fluent(place).keys))
        }
        places = literals.map(\.place)
    }

    static func shared(_ mine: [String], _ theirs: [String]) -> [(mine: Int, theirs: Int)] {
        mine.enumerated().compactMap { index, key in
            theirs.firstIndex(of: key).map { (index, $0) }
        }
    }

    func holds(about binding: Binding, in store: FluentStore) -> Bool {
        literals.allSatisfy {
            (store.count($0.place, about: binding, at: $0.shared) > 0) == $0.isPositive
        }
    }
}
