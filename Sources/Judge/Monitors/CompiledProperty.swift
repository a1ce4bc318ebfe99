import DeviceLink
import Promises

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
        /// The places of these keys in a trigger and in its reply, or in the event that needs another.
        var samePlaces: [Int] = []
        /// Their places in the event that is needed.
        var neededPlaces: [Int] = []
        /// How long a reply may take.
        var bound: Property.TimeBound?
        /// How old a need may be, or for how long events are counted.
        var window: Nanoseconds?
        /// How many there may be.
        var range = 0...Int.max
        /// The field whose values `correlation` compares.
        var field = ""
        /// The condition of `always`.
        var condition: CompiledCondition?
        /// The fluent of `at-most`.
        var fluent: FluentQuestion?
    }

    let property: Property
    let form: Form
    let parts: Parts
    let terms: Terms
    let scope: CompiledCondition?
    /// Which of the set's lists of keys is its own.
    let keying: Int
    /// Whether its event needs another one before it, whatever its values and its age.
    let needsAny: Bool

    init(_ property: Property, keying: Int, in store: inout FluentStore, _ table: inout KeyTable) {
        self.property = property
        self.keying = keying
        scope = property.scope.map { CompiledCondition($0, keys: property.keys, in: &store) }
        var (parts, terms) = (Parts.Lists(ends: Patterns(property.ends, in: &table)), Terms())
        parts.stimuli = Patterns(property.stimuli, in: &table)
        switch property.body {
        case .never(let events):
            form = .never
            parts.checked = Patterns(events, in: &table)
        case .response(let when, let then, let same, let bound, let unless):
            form = .response
            parts.triggers = Patterns(when, in: &table)
            parts.replies = [Patterns(then, in: &table)]
            parts.excuses = Patterns(unless, in: &table)
            (terms.same, terms.bound) = (same, bound)
            terms.samePlaces = table.places(of: same)
        case .precedence(let event, let needs, let same, let since, let window):
            form = .precedence
            parts.checked = Patterns(event, in: &table)
            parts.needed = Patterns(needs, in: &table)
            parts.undone = Patterns(since, in: &table)
            terms.samePlaces = table.places(of: same.map(\.key))
            terms.neededPlaces = table.places(of: same.map(\.other))
            terms.window = window
        case .correlation(let event, let field, let source):
            form = .correlation
            parts.checked = Patterns(event, in: &table)
            parts.needed = Patterns(source, in: &table)
            terms.field = field
        case .always(let condition):
            form = .always
            terms.condition = CompiledCondition(condition, keys: property.keys, in: &store)
        case .existence(let steps, let bound):
            form = .existence
            (parts.replies, terms.bound) = (steps.map { Patterns($0, in: &table) }, bound)
        case .atMost(let limit, let name):
            form = .atMost
            let fluent = FluentQuestion(store.place(of: name), keys: property.keys, in: &store)
            parts.triggers = store.plan(fluent.place).set
            (terms.fluent, terms.range) = (fluent, 0...limit)
        case .count(let events, let range, let window):
            form = .count
            parts.checked = Patterns(events, in: &table)
            (terms.range, terms.window) = (range, window)
        case .machine(let states):
            form = .machine
            parts.moves = states.map { state in
                state.moves.map {
                    Parts.Move(event: Patterns([$0.event], in: &table), target: $0.target)
                }
            }
        }
        (self.parts, self.terms) = (Parts(parts), terms)
        needsAny = form == .precedence && terms.samePlaces.isEmpty && terms.window == nil
    }

    /// Whether the property itself says what puts it to the test.
    var isByStimulus: Bool { !property.stimuli.isEmpty }

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

    /// Whether its scope is open for a binding.
    func isInScope(_ binding: Binding, in store: FluentStore) -> Bool {
        scope?.holds(about: binding, in: store) ?? true
    }

    /// The fluents that it names.
    var fluents: [Int] {
        (scope?.places ?? []) + (terms.condition?.places ?? [])
            + (terms.fluent.map { [$0.place] } ?? [])
    }

    /// The names of a machine's states.
    func state(_ place: Int) -> String {
        guard case .machine(let states) = property.body else { return "" }
        return states[place].name
    }
}
