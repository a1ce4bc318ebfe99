internal import DeviceLink
package import Promises
internal import Traces

/// A pattern that is looked at and never copied.
final class Matcher: Sendable {
    private let pattern: EventPattern

    init(_ pattern: EventPattern) { self.pattern = pattern }

    /// Whether it means an event, which is of the kind that it is about.
    func means(_ event: TraceEvent) -> Bool { pattern.matchesBesideKind(event) }
}

/// Patterns of which one is meant, sorted by how much there is to compare: this runs for every event.
struct Patterns: Sendable {
    /// Whether every event of their kinds is meant.
    private let meansAll: Bool
    /// The roles of which every event is meant.
    private let roles: [DeviceRole]
    /// Those that say more.
    private let others: [Matcher]
    /// All as they were written.
    let written: [EventPattern]

    init(_ patterns: [EventPattern] = []) {
        written = patterns
        let plain = patterns.filter { $0.device == nil && $0.conditions.isEmpty }
        meansAll = plain.contains { $0.role == nil }
        roles = plain.compactMap(\.role)
        others = patterns.filter { $0.device != nil || !$0.conditions.isEmpty }.map(Matcher.init)
    }

    var isEmpty: Bool { written.isEmpty }

    /// Whether one of them means an event, which is of the kind that they are about.
    func mean(_ event: TraceEvent) -> Bool {
        if meansAll { return true }
        if let role = event.role, roles.contains(role) { return true }
        for other in others where other.means(event) { return true }
        return false
    }

    /// Those that can mean events of a kind.
    func about(_ kind: String) -> Patterns { Patterns(written.filter { $0.matches(kind: kind) }) }
}

/// The patterns of a property by the part that their events play.
final class Parts: Sendable {
    /// Patterns by part.
    struct Lists: Sendable {
        /// Asks for something, or sets the fluent of `at-most`.
        var triggers = Patterns()
        /// Is what was asked for.
        var replies = Patterns()
        /// Lets go what was asked for.
        var excuses = Patterns()
        /// Is held against what holds.
        var checked = Patterns()
        /// Is what a checked event needs, or is compared with.
        var needed = Patterns()
        /// Undoes what was needed.
        var undone = Patterns()
        /// Ends the instance.
        var ends = Patterns()
        /// The moves of a machine's states.
        var moves: [[Property.MachineState.Move]] = []
    }

    let lists: Lists
    /// Every pattern of any part.
    let all: Patterns
    /// The moves of every state.
    private let anyMove: Patterns
    /// The states of a machine in which every move leads back to the same state.
    let inertStates: [Bool]

    init(_ lists: Lists) {
        self.lists = lists
        let moves = lists.moves
        let patterns = moves.flatMap { $0.map(\.event) }
        anyMove = Patterns(patterns)
        let parts = [
            lists.triggers, lists.replies, lists.excuses, lists.checked, lists.needed,
            lists.undone, lists.ends, anyMove,
        ]
        all = Patterns(parts.flatMap(\.written))
        inertStates = moves.indices.map { state in
            patterns.allSatisfy { pattern in moves[state].contains { $0.event == pattern } }
                && moves[state].allSatisfy { $0.target == state }
        }
    }

    /// Those that can mean events of a kind.
    func about(_ kind: String) -> Parts {
        Parts(
            Lists(
                triggers: lists.triggers.about(kind), replies: lists.replies.about(kind),
                excuses: lists.excuses.about(kind), checked: lists.checked.about(kind),
                needed: lists.needed.about(kind), undone: lists.undone.about(kind),
                ends: lists.ends.about(kind),
                moves: lists.moves.map { $0.filter { $0.event.matches(kind: kind) } }))
    }

    /// Whether an event, which is of the kind that they are about, is a move in any state.
    func isMove(_ event: TraceEvent) -> Bool { anyMove.mean(event) }
}

/// A property whose names have been looked up; shared by all runs that are judged by it.
final class CompiledProperty: Sendable {
    /// Which form of body it has.
    enum Form: Sendable {
        case never, response, precedence, correlation, always, existence, atMost, count, machine
    }

    /// What a body says beside its patterns.
    struct Terms: Sendable {
        /// What a reply or a need has to have the same.
        var same: [EventKey] = []
        /// How long a reply may take.
        var bound: Property.TimeBound?
        /// How old a need may be, or for how long events are counted.
        var window: Nanoseconds?
        /// How many there may be.
        var range = 0...Int.max
        /// What is compared.
        var field = ""
        /// The condition of `always`.
        var condition: CompiledCondition?
        /// The fluent of `at-most`, and the keys shared with it.
        var fluent = -1
        var shared: [SharedKey] = []
    }

    let property: Property
    let form: Form
    let parts: Parts
    let terms: Terms
    let scope: CompiledCondition?
    /// Which of the set's lists of keys is its own.
    let keying: Int

    init(_ property: Property, keying: Int, in store: FluentStore) {
        self.property = property
        self.keying = keying
        scope = property.scope.map { CompiledCondition($0, keys: property.keys, in: store) }
        var (parts, terms) = (Parts.Lists(ends: Patterns(property.ends)), Terms())
        switch property.body {
        case .never(let events):
            form = .never
            parts.checked = Patterns(events)
        case .response(let when, let then, let same, let bound, let unless):
            form = .response
            (parts.triggers, parts.replies, parts.excuses) =
                (Patterns(when), Patterns(then), Patterns(unless))
            (terms.same, terms.bound) = (same, bound)
        case .precedence(let event, let needs, let same, let since, let window):
            form = .precedence
            (parts.checked, parts.needed, parts.undone) =
                (Patterns(event), Patterns(needs), Patterns(since))
            (terms.same, terms.window) = (same, window)
        case .correlation(let event, let field, let source):
            form = .correlation
            (parts.checked, parts.needed) = (Patterns(event), Patterns(source))
            terms.field = field
        case .always(let condition):
            form = .always
            terms.condition = CompiledCondition(condition, keys: property.keys, in: store)
        case .existence(let events, let bound):
            form = .existence
            (parts.replies, terms.bound) = (Patterns(events), bound)
        case .atMost(let limit, let name):
            form = .atMost
            terms.fluent = store.place(of: name)
            let fluent = store.fluent(terms.fluent)
            (parts.triggers, terms.range) = (Patterns(fluent.set), 0...limit)
            terms.shared = SharedKey.all(property.keys, fluent.keys)
        case .count(let events, let range, let window):
            form = .count
            (parts.checked, terms.range, terms.window) = (Patterns(events), range, window)
        case .machine(let states):
            form = .machine
            parts.moves = states.map(\.moves)
        }
        (self.parts, self.terms) = (Parts(parts), terms)
    }

    /// Whether the beginning of an instance counts by itself, so that any event of a kind that the
    /// property speaks of begins one.
    var countsBeginnings: Bool {
        switch form {
        case .always: true
        case .never, .existence: beginsLater
        case .count: beginsLater && terms.range.lowerBound > 0
        case .response, .precedence, .correlation, .atMost, .machine: false
        }
    }

    /// Whether an instance can begin with an event.
    private var beginsLater: Bool { !property.keys.isEmpty || !property.ends.isEmpty }

    /// The fluents that it names.
    var fluents: [Int] {
        (scope?.places ?? []) + (terms.condition?.places ?? [])
            + (terms.fluent >= 0 ? [terms.fluent] : [])
    }

    /// Whether the loss of an instance could only hide a breach, and never make one up.
    var mayForget: Bool { form != .precedence && form != .machine }

    /// Whether its scope speaks of a fluent.
    func isScoped(by fluent: Int) -> Bool { scope?.places.contains(fluent) == true }

    /// The names of a machine's states.
    func state(_ place: Int) -> String {
        guard case .machine(let states) = property.body else { return "" }
        return states[place].name
    }
}

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
