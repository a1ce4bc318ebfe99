internal import DeviceLink
package import Promises
internal import Traces

/// A property whose names have been looked up; shared by all runs that are judged by it.
final class CompiledProperty: Sendable {
    let property: Property
    /// Which of the set's lists of keys is its own.
    let keying: Int
    let scope: CompiledCondition?
    /// Every pattern whose events it looks at.
    let patterns: [EventPattern]
    /// The condition of `always`.
    let condition: CompiledCondition?
    /// The fluent of `at-most`, and the keys shared with it.
    let fluent: Int?
    let shared: [SharedKey]
    /// Whether the loss of an instance could only hide a breach, and never make one up.
    let mayForget: Bool
    /// Whether the beginning of an instance counts by itself, whichever event it begins with.
    let countsBeginnings: Bool

    init(_ property: Property, keying: Int, in store: FluentStore) {
        self.property = property
        self.keying = keying
        scope = property.scope.map { CompiledCondition($0, keys: property.keys, in: store) }
        var condition: CompiledCondition?
        var fluent: Int?
        var shared: [SharedKey] = []
        var (forgets, counts) = (true, false)
        let beginsAgain = !property.keys.isEmpty || !property.ends.isEmpty
        switch property.body {
        case .always(let given):
            condition = CompiledCondition(given, keys: property.keys, in: store)
            counts = true
        case .atMost(_, let name):
            let place = store.place(of: name)
            fluent = place
            shared = SharedKey.all(property.keys, store.fluent(place).keys)
        case .never, .existence: counts = beginsAgain
        case .count(_, let range, _): counts = range.lowerBound > 0 && beginsAgain
        case .precedence, .machine: forgets = false
        case .response, .correlation: break
        }
        patterns = property.patterns + (fluent.map { store.fluent($0).set } ?? [])
        self.condition = condition
        self.fluent = fluent
        self.shared = shared
        (mayForget, countsBeginnings) = (forgets, counts)
    }

    /// Whether events of this kind can matter to it by themselves.
    func isAbout(_ kind: String) -> Bool {
        countsBeginnings || patterns.contains { $0.matches(kind: kind) }
    }

    /// Whether its scope speaks of a fluent.
    func isScoped(by fluent: Int) -> Bool { scope?.places.contains(fluent) == true }
}

/// A set of properties, compiled once for many runs.
package struct CompiledProperties: Sendable {
    let set: PropertySet
    /// Every list of keys that a property of the set has, each once.
    let keyings: [[EventKey]]
    let properties: [CompiledProperty]
    /// The fluents before the first event.
    let store: FluentStore

    /// Compiles a set; every fluent that a property names must be in it.
    package init(_ set: PropertySet) {
        self.set = set
        let store = FluentStore(set.fluents)
        var keyings: [[EventKey]] = []
        properties = set.properties.map { property in
            if !keyings.contains(property.keys) { keyings.append(property.keys) }
            return CompiledProperty(
                property, keying: keyings.firstIndex(of: property.keys) ?? 0, in: store)
        }
        self.keyings = keyings
        self.store = store
    }
}

extension Property {
    /// Every pattern that it is written with.
    fileprivate var patterns: [EventPattern] {
        let own: [EventPattern] =
            switch body {
            case .never(let events), .existence(let events, _), .count(let events, _, _): events
            case .response(let when, let then, _, _, let unless): when + then + unless
            case .precedence(let event, let needs, _, let since, _): event + needs + since
            case .correlation(let event, _, let source): event + source
            case .always, .atMost: []
            case .machine(let states): states.flatMap { $0.moves.map(\.event) }
            }
        return own + ends
    }
}
