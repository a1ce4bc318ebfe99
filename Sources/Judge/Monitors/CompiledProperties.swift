import DeviceLink
package import Promises
import Traces

/// A set of properties, compiled once for many runs.
package struct CompiledProperties: Sendable {
    /// Whom a kind of events concerns.
    package final class Interest: Sendable {
        /// The number of the kind: that of those that are known, or one for all others.
        let number: Int
        /// Whether the store looks at the events before anything else does.
        let isForeseen: Bool
        /// Whom the events of an accessory, of an Apple device, and of nobody concern.
        private let accessory, appleDevice, nobody: Concerned

        init(_ kind: String, _ compiled: CompiledProperties) {
            number = compiled.kinds.firstIndex(of: kind) ?? compiled.kinds.count
            isForeseen = EventKind(named: kind).map(FluentStore.foreseen.contains) ?? false
            let all = Concerned(kind, compiled)
            (accessory, appleDevice) = (all.by(.accessory), all.by(.appleDevice))
            nobody = all.by(nil)
        }

        /// Whether the events concern nobody.
        var isEmpty: Bool {
            !isForeseen && accessory.isEmpty && appleDevice.isEmpty && nobody.isEmpty
        }

        /// Whom the events of devices of a role concern.
        func by(_ role: DeviceRole?) -> Concerned {
            switch role {
            case .accessory: accessory
            case .appleDevice: appleDevice
            case nil: nobody
            }
        }
    }

    /// Which places of a list have patterns that can mean events of a kind.
    struct KindIndex: Sendable {
        private var places: [String: [Int]] = [:]
        private let all: Range<Int>

        /// An index of a list of patterns, by these kinds.
        init(_ list: [[CompiledPattern]], by kinds: [String]) {
            all = list.indices
            for kind in kinds { places[kind] = [] }
            // A few patterns' kinds stand in hundreds of patterns.
            var meant: [String: [String]] = [:]
            for (place, patterns) in list.enumerated() {
                for pattern in patterns.map(\.written) {
                    let names =
                        meant[pattern.kind] ?? kinds.filter { pattern.matches(kind: $0) }
                    meant[pattern.kind] = names
                    for name in names where places[name]?.last != place {
                        places[name]?.append(place)
                    }
                }
            }
        }

        /// The places, ascending; all where the kind is not in the index.
        func places(about kind: String) -> [Int] { places[kind] ?? Array(all) }
    }

    /// A monitor whose scope speaks of a fluent, and the keys that they share.
    struct Scoped: Sendable {
        let monitor: Int
        let shared: SharedKeys
    }

    let set: PropertySet
    /// Every list of keys that a property of the set has, each once.
    let keyings: [[EventKey]]
    /// All keys that the set speaks of.
    let keys: KeyTable
    /// The places of the keys of each list.
    let keyPlaces: [[Int]]
    let goalSteps: [[Patterns]]
    let properties: [CompiledProperty]
    /// Whose scope each fluent may move.
    let scoped: [[Scoped]]
    /// The fluents before the first event.
    let store: FluentStore
    /// The kinds that are known.
    let kinds: [String]
    /// Which fluents, properties and goals speak of each of them.
    let fluentIndex, propertyIndex, goalIndex: KindIndex
    /// What each of them concerns; looked up only.
    private(set) var interests: [String: Interest] = [:]

    /// Compiles a set for traces in which these kinds are frequent; every fluent that a property
    /// names must be in it.
    package init(_ set: PropertySet, kinds: [String] = EventKind.allCases.map(\.rawValue)) {
        (self.set, self.kinds) = (set, kinds)
        var keys = KeyTable()
        var store = FluentStore(set.fluents, in: &keys)
        var keyings: [[EventKey]] = []
        properties = set.properties.map { property in
            if !keyings.contains(property.keys) { keyings.append(property.keys) }
            return CompiledProperty(
                property, keying: keyings.firstIndex(of: property.keys) ?? 0, in: &store, &keys)
        }
        for goal in set.goals where !keyings.contains(goal.keys) { keyings.append(goal.keys) }
        self.keyings = keyings
        keyPlaces = keyings.map { keys.places(of: $0) }
        goalSteps = set.goals.map { $0.steps.map { Patterns($0, in: &keys) } }
        self.keys = keys
        scoped = store.fluentIndices.map { [properties] fluent in
            properties.enumerated().compactMap { index, compiled in
                guard compiled.scope?.places.contains(fluent) == true else { return nil }
                let shared = SharedKeys(compiled.property.keys, set.fluents[fluent].keys)
                return Scoped(monitor: index, shared: shared)
            }
        }
        self.store = store
        let switching = store.fluentIndices.map { place in
            store.plan(place).set.compiled + store.plan(place).clear.compiled
        }
        fluentIndex = KindIndex(switching, by: kinds)
        propertyIndex = KindIndex(
            properties.map { property in
                let beginning =
                    property.countsBeginnings ? property.fluents.flatMap { switching[$0] } : []
                return property.parts.all.compiled + beginning
            }, by: kinds)
        goalIndex = KindIndex(goalSteps.map { $0.flatMap(\.compiled) }, by: kinds)
        for kind in kinds { interests[kind] = Interest(kind, self) }
    }
}
