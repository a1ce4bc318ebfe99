import DeviceLink
package import Promises
import Traces

/// A set of properties, compiled once for many runs.
package struct CompiledProperties: Sendable {
    /// The monitors, fluents and goals that a kind of events concerns, with their patterns.
    package final class Interest: Sendable {
        /// A monitor, and its patterns that can mean such an event.
        final class Own: Sendable {
            let monitor: Int
            let keying: Int
            let parts: Parts
            private let all: Patterns
            /// Whether every such event matters, whatever its fields.
            private let takesAll: Bool
            let countsBeginnings: Bool

            init(_ monitor: Int, _ property: CompiledProperty, _ parts: Parts) {
                self.monitor = monitor
                (self.parts, all) = (parts, parts.all)
                keying = property.keying
                takesAll = property.form == .always
                countsBeginnings = property.countsBeginnings
            }

            /// Whether the present event, which is of the kind that it is about, matters.
            func means(_ event: TraceEvent, with marks: inout KeyMarks) -> Bool {
                takesAll || all.mean(event, with: &marks)
            }
        }

        /// A fluent, and its patterns that can mean such an event.
        final class Switch: Sendable {
            let fluent: Int
            private let set: Patterns
            private let clear: Patterns

            init(_ fluent: Int, set: Patterns, clear: Patterns) {
                (self.fluent, self.set, self.clear) = (fluent, set, clear)
            }

            /// Whether the present event, which is of the kind that they are about, sets the fluent or
            /// clears it.
            func means(
                _ event: TraceEvent, with marks: inout KeyMarks
            ) -> (sets: Bool, clears: Bool) {
                (set.mean(event, with: &marks), clear.mean(event, with: &marks))
            }
        }

        /// A goal, and its steps' patterns that can mean such an event.
        final class Steps: Sendable {
            let index: Int
            let keying: Int
            let steps: [Patterns]
            let all: Patterns
            /// The steps that have such patterns.
            let places: [Int]

            init(_ index: Int, keying: Int, _ steps: [Patterns]) {
                (self.index, self.keying, self.steps) = (index, keying, steps)
                all = Patterns(steps.flatMap(\.compiled))
                places = steps.indices.filter { !steps[$0].isEmpty }
            }
        }

        /// The number of the kind: that of those that are known, or one for all others.
        let number: Int
        /// Whether the store looks at the events before anything else does.
        let isForeseen: Bool
        /// The monitors that look at the events themselves.
        let own: [Own]
        /// The fluents that may be switched.
        let switches: [Switch]
        /// The goals that the events may be steps to.
        let goals: [Steps]

        /// Whether the events concern nobody.
        var isEmpty: Bool {
            !isForeseen && own.isEmpty && switches.isEmpty && goals.isEmpty
        }

        init(_ kind: String, _ compiled: CompiledProperties) {
            number = compiled.kinds.firstIndex(of: kind) ?? compiled.kinds.count
            let store = compiled.store
            let known = EventKind(named: kind)
            isForeseen = known.map(FluentStore.foreseen.contains) ?? false
            let switches = store.fluentIndices.compactMap { index -> Switch? in
                let plan = store.plan(index)
                let (set, clear) = (plan.set.about(kind), plan.clear.about(kind))
                return set.isEmpty && clear.isEmpty
                    ? nil : Switch(index, set: set, clear: clear)
            }
            let fluents = switches.map(\.fluent)
            own = compiled.properties.enumerated().compactMap { index, property in
                let isAbout = property.parts.all.areAbout(kind)
                guard
                    isAbout
                        || (property.countsBeginnings
                            && property.fluents.contains(where: fluents.contains))
                else { return nil }
                let parts = isAbout ? property.parts.about(kind) : Parts(Parts.Lists())
                return Own(index, property, parts)
            }
            self.switches = switches
            goals = compiled.set.goals.enumerated().compactMap { index, goal in
                let keying = compiled.keyings.firstIndex(of: goal.keys) ?? 0
                let steps = Steps(
                    index, keying: keying, compiled.goalSteps[index].map { $0.about(kind) })
                return steps.places.isEmpty ? nil : steps
            }
        }
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
        for kind in kinds { interests[kind] = Interest(kind, self) }
    }
}
