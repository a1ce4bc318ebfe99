import Promises

/// A fluent, asked for the instances of a property.
struct FluentQuestion: Sendable {
    /// The fluent's place in the store.
    let place: Int
    /// The keys of the fluent that the property has.
    private let shared: SharedKeys

    init(_ place: Int, keys: [EventKey], in store: inout FluentStore) {
        self.place = place
        shared = SharedKeys(store.fluent(place).keys, keys)
        store.index(place, by: shared.reduce(0) { $0 | 1 << $1.mine })
    }

    /// Whether it holds for a binding that agrees with an instance's.
    func holds(about binding: Binding, in store: FluentStore) -> Bool {
        store.holds(place, at: shared, of: binding)
    }

    /// For how many bindings it holds that agree with an instance's.
    func count(about binding: Binding, in store: FluentStore) -> Int {
        store.count(place, about: Binding(shared, of: binding))
    }
}

/// A condition whose names have been looked up for the keys of a property.
struct CompiledCondition: Sendable {
    private struct Literal: Sendable {
        let fluent: FluentQuestion
        let isPositive: Bool
    }

    private let literals: [Literal]
    /// The fluents it speaks of.
    let places: [Int]

    init(_ condition: Property.Condition, keys: [EventKey], in store: inout FluentStore) {
        literals = condition.literals.map { literal in
            Literal(
                fluent: FluentQuestion(store.place(of: literal.fluent), keys: keys, in: &store),
                isPositive: literal.isPositive)
        }
        places = literals.map(\.fluent.place)
    }

    func holds(about binding: Binding, in store: FluentStore) -> Bool {
        for literal in literals
        where literal.fluent.holds(about: binding, in: store) != literal.isPositive {
            return false
        }
        return true
    }
}
