import DeviceLink
import Promises
import Traces

/// The monitors, fluents and goals that events of one kind, of devices of one role, concern, with their patterns.
final class Concerned: Sendable {
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

        private init(_ other: Own, _ parts: Parts) {
            (monitor, keying) = (other.monitor, other.keying)
            (self.parts, all) = (parts, parts.all)
            (takesAll, countsBeginnings) = (other.takesAll, other.countsBeginnings)
        }

        /// The same for events of devices of a role; nil where none of them matters.
        func by(_ role: DeviceRole?) -> Own? {
            if all.areAllBy(role) { return self }
            let some = Own(self, parts.by(role))
            return some.all.isEmpty && !takesAll && !countsBeginnings ? nil : some
        }

        /// Whether the present event, which can be meant by its kind and its device, matters.
        func means(_ event: TraceEvent, with marks: inout KeyMarks) -> Bool {
            takesAll || all.mean(event, with: &marks)
        }
    }

    /// A fluent, and its patterns that can mean such an event.
    final class Switch: Sendable {
        let fluent: Int
        private let set: Patterns
        private let clear: Patterns

        /// Nil where there are no patterns.
        init?(_ fluent: Int, set: Patterns, clear: Patterns) {
            if set.isEmpty && clear.isEmpty { return nil }
            (self.fluent, self.set, self.clear) = (fluent, set, clear)
        }

        func by(_ role: DeviceRole?) -> Switch? {
            set.areAllBy(role) && clear.areAllBy(role)
                ? self : Switch(fluent, set: set.by(role), clear: clear.by(role))
        }

        /// Whether the present event, which can be meant by its kind and its device, sets the fluent or clears it.
        func means(_ event: TraceEvent, with marks: inout KeyMarks) -> (sets: Bool, clears: Bool) {
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

        /// Nil where no step has any.
        init?(_ index: Int, keying: Int, _ steps: [Patterns]) {
            (self.index, self.keying, self.steps) = (index, keying, steps)
            all = Patterns(steps.flatMap(\.compiled))
            places = steps.indices.filter { !steps[$0].isEmpty }
            if places.isEmpty { return nil }
        }

        func by(_ role: DeviceRole?) -> Steps? {
            all.areAllBy(role) ? self : Steps(index, keying: keying, steps.map { $0.by(role) })
        }
    }

    /// The monitors that look at the events themselves.
    let own: [Own]
    /// The fluents that may be switched.
    let switches: [Switch]
    /// The goals that the events may be steps to.
    let goals: [Steps]

    var isEmpty: Bool { own.isEmpty && switches.isEmpty && goals.isEmpty }

    private init(_ own: [Own], _ switches: [Switch], _ goals: [Steps]) {
        (self.own, self.switches, self.goals) = (own, switches, goals)
    }

    /// Whom a kind of events concerns, whoever has them.
    init(_ kind: String, _ compiled: CompiledProperties) {
        let store = compiled.store
        switches = compiled.fluentIndex.places(about: kind).compactMap { index in
            let plan = store.plan(index)
            return Switch(index, set: plan.set.about(kind), clear: plan.clear.about(kind))
        }
        let fluents = switches.map(\.fluent)
        own = compiled.propertyIndex.places(about: kind).compactMap { index in
            let property = compiled.properties[index]
            let isAbout = property.parts.all.areAbout(kind)
            guard
                isAbout
                    || (property.countsBeginnings
                        && property.fluents.contains(where: fluents.contains))
            else { return nil }
            let parts = isAbout ? property.parts.about(kind) : Parts(Parts.Lists())
            return Own(index, property, parts)
        }
        goals = compiled.goalIndex.places(about: kind).compactMap { index in
            let keying = compiled.keyings.firstIndex(of: compiled.set.goals[index].keys) ?? 0
            return Steps(index, keying: keying, compiled.goalSteps[index].map { $0.about(kind) })
        }
    }

    /// Whom such events of devices of a role concern; nil for those of no device.
    func by(_ role: DeviceRole?) -> Concerned {
        Concerned(
            own.compactMap { $0.by(role) }, switches.compactMap { $0.by(role) },
            goals.compactMap { $0.by(role) })
    }
}
