internal import DeviceLink
package import Promises
internal import Traces

/// A set of properties, compiled once for many runs.
package struct CompiledProperties: Sendable {
    /// Who is interested in a kind of events, and why.
    final class Interest: Sendable {
        /// A monitor, and its patterns that can mean such an event.
        struct Own: Sendable {
            let monitor: Int
            let keying: Int
            let parts: Parts
            /// Whether every such event matters, whatever its fields.
            let takesAll: Bool
            let countsBeginnings: Bool
        }

        /// A fluent, and its patterns that can mean such an event.
        struct Switch: Sendable {
            let fluent: Int
            let set: Patterns
            let clear: Patterns
        }

        /// The monitors that look at the events themselves.
        let own: [Own]
        /// The fluents that may be switched.
        let switches: [Switch]
        /// The monitors whose scope may be moved by that.
        let scoped: [Int]
        /// The goals that the events may be steps to.
        let goals: [Steps]

        /// A goal, and its steps' patterns that can mean such an event.
        struct Steps: Sendable {
            let index: Int
            let keying: Int
            let steps: [Patterns]
            let all: Patterns
            /// The steps that have such patterns.
            let places: [Int]
        }

        init(_ kind: String, _ compiled: CompiledProperties) {
            let store = compiled.store
            let switches = store.fluentIndices.compactMap { index -> Switch? in
                let fluent = store.fluent(index)
                let set = Patterns(fluent.set).about(kind)
                let clear = Patterns(fluent.clear).about(kind)
                return set.isEmpty && clear.isEmpty
                    ? nil : Switch(fluent: index, set: set, clear: clear)
            }
            let fluents = switches.map(\.fluent)
            own = compiled.properties.enumerated().compactMap { index, property in
                let isAbout = property.parts.all.written.contains { $0.matches(kind: kind) }
                guard
                    isAbout
                        || (property.countsBeginnings
                            && property.fluents.contains(where: fluents.contains))
                else { return nil }
                let parts = isAbout ? property.parts.about(kind) : Parts(Parts.Lists())
                return Own(
                    monitor: index, keying: property.keying, parts: parts,
                    takesAll: property.form == .always,
                    countsBeginnings: property.countsBeginnings)
            }
            self.switches = switches
            goals = compiled.set.goals.enumerated().compactMap { index, goal in
                let steps = goal.steps.map { Patterns($0).about(kind) }
                let all = Patterns(steps.flatMap(\.written))
                let keying = compiled.keyings.firstIndex(of: goal.keys) ?? 0
                return all.isEmpty
                    ? nil
                    : Steps(
                        index: index, keying: keying, steps: steps, all: all,
                        places: steps.indices.filter { !steps[$0].isEmpty })
            }
            scoped = compiled.properties.indices.filter { index in
                fluents.contains { compiled.properties[index].isScoped(by: $0) }
            }
        }
    }

    let set: PropertySet
    /// Every list of keys that a property of the set has, each once.
    let keyings: [[EventKey]]
    let properties: [CompiledProperty]
    /// The fluents before the first event.
    let store: FluentStore
    /// Who is interested in the kinds that are known.
    private(set) var interests: [String: Interest] = [:]

    /// Compiles a set for traces in which these kinds are frequent; every fluent that a property
    /// names must be in it.
    package init(_ set: PropertySet, kinds: [String] = TraceKind.all) {
        self.set = set
        let store = FluentStore(set.fluents)
        var keyings: [[EventKey]] = []
        properties = set.properties.map { property in
            if !keyings.contains(property.keys) { keyings.append(property.keys) }
            return CompiledProperty(
                property, keying: keyings.firstIndex(of: property.keys) ?? 0, in: store)
        }
        for goal in set.goals where !keyings.contains(goal.keys) { keyings.append(goal.keys) }
        self.keyings = keyings
        self.store = store
        for kind in kinds { interests[kind] = Interest(kind, self) }
    }
}
