import DeviceLink
import Promises
import Traces

@testable import Monitors

/// PROMISES.md read directly, over the whole trace at once and without any care for speed: what the
/// monitors are held against.
///
/// It shares the parsed property with them and nothing else.
struct Reference {
    let set: PropertySet
    let trace: [TraceEvent]

    /// What it finds of one property.
    struct Result: Equatable {
        var exercised = 0
        var excused = 0
        var open = 0
        /// The times of breaches, sorted.
        var breaches: [VirtualTime] = []

        var verdict: Outcome {
            if !breaches.isEmpty { return .violated }
            return open > 0 ? .inconclusive : exercised == 0 ? .vacuous : .held
        }
    }

    var isQuiescent: Bool { trace.last?.text("reason") == "quiescent" }

    func result(of property: Property) -> Result {
        var (result, stimulated) = (Result(), 0)
        for instance in instances(of: property) {
            let look = Look(reference: self, property: property, instance: instance)
            look.judge(&result)
            stimulated += look.stimulated
        }
        if !property.stimuli.isEmpty { result.exercised = stimulated }
        result.breaches.sort()
        return result
    }

    // MARK: Keys and fluents

    typealias Values = [EventKey: Field.Value]

    static func value(of key: EventKey, in event: TraceEvent) -> Field.Value {
        func field(_ name: String) -> Field.Value {
            event.fields.first { $0.name == name }?.value ?? .none
        }
        switch key {
        case .device: return event.device.isEmpty ? .none : .text(event.device)
        case .field(let name): return field(name)
        case .role(let role):
            if event.role == nil { return .none }
            return event.role == role ? .text(event.device) : field("peer")
        }
    }

    static func values(of keys: [EventKey], in event: TraceEvent) -> Values? {
        var values: Values = [:]
        for key in keys {
            let value = value(of: key, in: event)
            if value == .none { return nil }
            values[key] = value
        }
        return values
    }

    /// Whether two events have the same values, a missing one being equal to a missing one only.
    static func same(_ keys: [EventKey], _ one: TraceEvent, _ other: TraceEvent) -> Bool {
        keys.allSatisfy { value(of: $0, in: one) == value(of: $0, in: other) }
    }

    /// Whether an event has for each pair what another, which came before it, has.
    static func same(
        _ pairs: [EventKeyPair], _ event: TraceEvent, _ earlier: TraceEvent
    ) -> Bool {
        pairs.allSatisfy { value(of: $0.key, in: event) == value(of: $0.other, in: earlier) }
    }

    /// Whether no value of a pair that both have differs.
    static func agree(
        _ pairs: [EventKeyPair], _ event: TraceEvent, _ earlier: TraceEvent
    ) -> Bool {
        pairs.allSatisfy { pair in
            let (one, other) = (value(of: pair.key, in: event), value(of: pair.other, in: earlier))
            return one == .none || other == .none || one == other
        }
    }

    /// Whether no key that both have differs.
    static func agree(_ keys: [EventKey], _ one: TraceEvent, _ other: TraceEvent) -> Bool {
        keys.allSatisfy { key in
            let (left, right) = (value(of: key, in: one), value(of: key, in: other))
            return left == .none || right == .none || left == right
        }
    }

    /// Whether something is asked still at the event at `index`.
    func asks(_ index: Int) -> Bool {
        !trace[...min(index, trace.count - 1)].contains { $0.kind == .scriptEnded }
    }

    /// When a bound is over that counts from the event at `index`; nil where it never is.
    func deadline(
        _ bound: Property.TimeBound?, from time: VirtualTime, by index: Int?
    ) -> VirtualTime? {
        guard let bound else { return nil }
        var deadline = time + bound.fixed
        guard bound.intervals + bound.supervisionTimeouts > 0 else { return deadline }
        guard let index, let timing = timing(at: index) else { return nil }
        let wanted = [("interval", bound.intervals), ("timeout", bound.supervisionTimeouts)]
        if wanted.contains(where: { $1 > 0 && timing.number($0) == nil }) { return nil }
        let latency = UInt64(timing.number("latency") ?? 0)
        deadline =
            deadline + bound.intervals * UInt64(timing.number("interval") ?? 0) * (latency + 1)
        return deadline + bound.supervisionTimeouts * UInt64(timing.number("timeout") ?? 0)
    }

    /// The event that told the device of the event at `index` about the timing of its link.
    private func timing(at index: Int) -> TraceEvent? {
        let event = trace[index]
        let past = trace[...index]
        let life = past.lastIndex { $0.kind == .deviceDied && $0.device == event.device }
        func isUp(_ up: Int) -> Bool {
            up > (life ?? -1)
                && !past[(up + 1)...].contains {
                    $0.kind == .linkDown && $0.device == event.device
                        && $0.number("link") == trace[up].number("link")
                }
        }
        func comesUp(_ other: TraceEvent) -> Bool {
            other.kind == .linkUp && other.device == event.device
                && other.number("link") != nil && (other.number("status") ?? 0) == 0
        }
        var up: Int?
        if let link = event.number("link") {
            up = past.lastIndex { comesUp($0) && $0.number("link") == link }
        } else if let peer = event.text("peer") {
            up = past.lastIndex { comesUp($0) && $0.text("peer") == peer }
        }
        guard let up, isUp(up) else { return nil }
        return past[up...].last {
            [.linkUp, .linkUpdated].contains($0.kind) && $0.device == event.device
                && $0.number("link") == trace[up].number("link")
                && ($0.number("status") ?? 0) == 0
        }
    }

    static func agree(_ one: Values, _ other: Values) -> Bool {
        one.allSatisfy { key, value in other[key] == nil || other[key] == value }
    }

    static func agrees(_ values: Values, with event: TraceEvent) -> Bool {
        values.keys.allSatisfy { key in
            guard let own = Self.values(of: [key], in: event) else { return true }
            return own[key] == values[key]
        }
    }

    static func matches(_ patterns: [EventPattern], _ event: TraceEvent) -> Bool {
        patterns.contains { $0.matches(event) }
    }

    /// The instances of a fluent that hold after the event at `index`; before all events for -1.
    func holding(_ name: String, after index: Int) -> [Values] {
        guard let fluent = set.fluents.first(where: { $0.name == name }), index >= 0 else {
            return []
        }
        var holding: [Values] = []
        for event in trace[...index] {
            if Self.matches(fluent.clear, event) {
                holding.removeAll { Self.agrees($0, with: event) }
            }
            if Self.matches(fluent.set, event),
                let values = Self.values(of: fluent.keys, in: event), !holding.contains(values)
            {
                holding.append(values)
            }
        }
        return holding
    }

    func holds(_ condition: Property.Condition?, about values: Values, after index: Int) -> Bool {
        guard let condition else { return true }
        return condition.literals.allSatisfy { literal in
            holding(literal.fluent, after: index).contains { Self.agree($0, values) }
                == literal.isPositive
        }
    }

    // MARK: Instances

    struct Instance {
        let values: Values
        /// The first event, or 0 where it begins before all.
        let first: Int
        /// The last event, and whether it ended there for good.
        let last: Int
        let hasEnded: Bool
        let beginsBeforeAll: Bool
    }

    /// Every pattern that a property is written with.
    private func patterns(_ property: Property) -> [EventPattern] {
        property.ends + property.stimuli + bodyPatterns(property)
    }

    private func bodyPatterns(_ property: Property) -> [EventPattern] {
        switch property.body {
        case .never(let events), .count(let events, _, _): events
        case .existence(let steps, _): steps.flatMap(\.self)
        case .response(let when, let then, _, _, let unless):
            when + then + unless
        case .precedence(let event, let needs, _, let since, _):
            event + needs + since
        case .correlation(let event, _, let source): event + source
        case .machine(let states): states.flatMap { $0.moves.map(\.event) }
        case .atMost(_, let name):
            (set.fluents.first { $0.name == name }?.set ?? [])
        case .always: []
        }
    }

    /// Tells of an event whether it can be the first one of an instance.
    func beginner(of property: Property) -> (TraceEvent) -> Bool {
        let patterns = patterns(property)
        var countsBeginnings = false
        switch property.body {
        case .never, .existence, .always: countsBeginnings = true
        case .count(_, let range, _): countsBeginnings = range.lowerBound > 0
        default: break
        }
        guard countsBeginnings else { return { Self.matches(patterns, $0) } }
        let named = set.fluents.filter { property.speaks(of: $0) }.flatMap { $0.set + $0.clear }
        let kinds = (patterns + named).map(\.kind)
        return { kinds.contains($0.name) }
    }

    func instances(of property: Property) -> [Instance] {
        var found: [Instance] = []
        var next: [Values: Int] = [:]
        let begins = beginner(of: property)
        for index in trace.indices {
            guard let values = Self.values(of: property.keys, in: trace[index]),
                index >= next[values, default: 0],
                (property.keys.isEmpty && index == 0) || begins(trace[index])
            else { continue }
            let end = trace.indices[index...].first {
                Self.agrees(values, with: trace[$0]) && Self.matches(property.ends, trace[$0])
            }
            found.append(
                Instance(
                    values: values, first: index, last: end ?? trace.count - 1,
                    hasEnded: end != nil, beginsBeforeAll: property.keys.isEmpty && index == 0))
            next[values] = end.map { $0 + 1 } ?? .max
        }
        return found
    }
}

/// One instance, looked at by the definitions.
private struct Look {
    let reference: Reference
    let property: Property
    let instance: Reference.Instance
    private var trace: [TraceEvent] { reference.trace }

    init(reference: Reference, property: Property, instance: Reference.Instance) {
        self.reference = reference
        self.property = property
        self.instance = instance
    }

    /// Whether the scope is open after the event at `index`.
    private func isOpen(_ index: Int) -> Bool {
        reference.holds(property.scope, about: instance.values, after: index)
    }

    private var indices: ClosedRange<Int> { instance.first...instance.last }

    /// Its events.
    private var slice: [Int] {
        indices.filter { Reference.agrees(instance.values, with: trace[$0]) }
    }

    private func isMine(_ index: Int) -> Bool {
        indices.contains(index) && Reference.agrees(instance.values, with: trace[index])
    }

    private func isChecked(_ index: Int) -> Bool { isOpen(index - 1) && isOpen(index) }

    private func matches(_ patterns: [EventPattern], _ index: Int) -> Bool {
        Reference.matches(patterns, trace[index])
    }

    /// Whether the scope closes with the event at `index`.
    private func closes(_ index: Int) -> Bool {
        (isOpen(index - 1) && !isOpen(index))
            || (instance.hasEnded && index == instance.last && isOpen(index))
    }

    /// The moments at which the scope opens: the time, the first event that comes after it, and the
    /// event that it opens with; none where it opens before all.
    private var openings: [(time: VirtualTime, next: Int, event: Int?)] {
        var found: [(VirtualTime, Int, Int?)] = []
        if isOpen(instance.first - 1) {
            let time = instance.beginsBeforeAll ? .zero : trace[instance.first].time
            found.append(
                (time, instance.first, instance.beginsBeforeAll ? nil : instance.first))
        }
        for index in indices
        where !isOpen(index - 1) && isOpen(index) && !(instance.hasEnded && index == instance.last)
        {
            found.append((trace[index].time, index + 1, index))
        }
        return found
    }

    /// How many of its events are stimuli.
    var stimulated: Int {
        var isScoped = true
        if case .existence = property.body { isScoped = false }
        return slice.count { (!isScoped || isOpen($0)) && matches(property.stimuli, $0) }
    }

    func judge(_ result: inout Reference.Result) {
        switch property.body {
        case .never(let patterns):
            result.exercised += openings.count
            for index in slice where isChecked(index) && matches(patterns, index) {
                result.breaches.append(trace[index].time)
            }
        case .response(let when, let then, let same, let bound, let unless):
            for index in slice
            where matches(when, index) && isOpen(index) && !matches(property.ends, index)
                && reference.asks(index)
            {
                result.exercised += 1
                follow(
                    Task(
                        next: index + 1,
                        deadline: reference.deadline(bound, from: trace[index].time, by: index),
                        steps: [
                            {
                                matches(then, $0) && Reference.same(same, trace[index], trace[$0])
                            }
                        ],
                        unless: {
                            matches(unless, $0) && Reference.agree(same, trace[index], trace[$0])
                        }), &result)
            }
        case .existence(let steps, let bound):
            for opening in openings where opening.event.map(reference.asks) ?? true {
                result.exercised += 1
                follow(
                    Task(
                        next: opening.next,
                        deadline: reference.deadline(bound, from: opening.time, by: opening.event),
                        steps: steps.map { step in { matches(step, $0) } },
                        unless: { _ in false }), &result)
            }
        case .precedence(let event, let needs, let same, let since, let bound):
            for index in slice where isChecked(index) && matches(event, index) {
                result.exercised += 1
                let cause = slice.last {
                    $0 < index && matches(needs, $0)
                        && Reference.same(same, trace[index], trace[$0])
                }
                let isUndone = slice.contains { between in
                    between > (cause ?? -1) && between < index && matches(since, between)
                        && Reference.agree(same, trace[index], trace[between])
                }
                let isLate = cause.flatMap { cause in
                    bound.map { trace[cause].time + $0 < trace[index].time }
                }
                if cause == nil || isUndone || isLate == true {
                    result.breaches.append(trace[index].time)
                }
            }
        case .correlation(let event, let field, let source):
            for index in slice where isChecked(index) && matches(event, index) {
                guard let latest = slice.last(where: { $0 < index && matches(source, $0) }) else {
                    continue
                }
                result.exercised += 1
                if (trace[index][field] ?? .none) != (trace[latest][field] ?? .none) {
                    result.breaches.append(trace[index].time)
                }
            }
        case .always(let condition): judgeSteps(condition, &result)
        case .atMost(let limit, let name):
            let set = reference.set.fluents.first { $0.name == name }?.set ?? []
            for index in slice where isOpen(index) && matches(set, index) {
                result.exercised += 1
                let holding = reference.holding(name, after: index).count {
                    Reference.agree($0, instance.values)
                }
                if holding > limit { result.breaches.append(trace[index].time) }
            }
        case .count(let patterns, let range, let window):
            for opening in openings {
                let asks = opening.event.map(reference.asks) ?? true
                let least = asks ? range.lowerBound : 0
                judgeCount(patterns, least...range.upperBound, window, opening.next, &result)
            }
        case .machine(let states):
            for opening in openings { judgeMachine(states, opening.next, &result) }
        }
    }

    /// Something that has to happen.
    private struct Task {
        let next: Int
        let deadline: VirtualTime?
        /// What has to happen, one after the other.
        let steps: [(Int) -> Bool]
        let unless: (Int) -> Bool
    }

    /// What becomes of an obligation.
    private func follow(_ task: Task, _ result: inout Reference.Result) {
        var (index, steps) = (task.next, task.steps[...])
        while index <= instance.last {
            if let deadline = task.deadline, deadline < trace[index].time {
                return result.breaches.append(deadline)
            }
            if isMine(index), steps.first?(index) == true { steps.removeFirst() }
            if steps.isEmpty { return }
            if (isMine(index) && task.unless(index)) || (closes(index) && task.deadline != nil) {
                result.excused += 1
                return
            }
            if closes(index) { return result.breaches.append(trace[index].time) }
            index += 1
        }
        // An instance that ended closed its scope, so this is the end of the trace.
        if reference.isQuiescent {
            result.breaches.append(task.deadline ?? .never)
        } else {
            result.open += 1
        }
    }

    private func judgeMachine(
        _ states: [Property.MachineState], _ next: Int, _ result: inout Reference.Result
    ) {
        var state = 0
        var index = next
        let alphabet = states.flatMap { $0.moves.map(\.event) }
        while index <= instance.last {
            if isMine(index), isChecked(index), matches(alphabet, index) {
                result.exercised += 1
                if let move = states[state].moves.first(where: { $0.event.matches(trace[index]) }) {
                    state = move.target
                } else {
                    result.breaches.append(trace[index].time)
                }
            }
            if closes(index) { return }
            index += 1
        }
    }

    private func judgeSteps(_ condition: Property.Condition, _ result: inout Reference.Result) {
        var steps: [UInt64] = []
        let begins = reference.beginner(of: property)
        for index in slice where steps.last != trace[index].step && begins(trace[index]) {
            steps.append(trace[index].step)
        }
        for step in steps {
            let end = trace.indices.last { trace[$0].step == step } ?? 0
            let isOver = instance.hasEnded && instance.last <= end
            guard !isOver, isOpen(end) else { continue }
            result.exercised += 1
            if !reference.holds(condition, about: instance.values, after: end) {
                result.breaches.append(trace[end].time)
            }
        }
    }

    private func judgeCount(
        _ patterns: [EventPattern], _ range: ClosedRange<Int>, _ window: Nanoseconds?,
        _ next: Int, _ result: inout Reference.Result
    ) {
        if range.lowerBound > 0 { result.exercised += 1 }
        var counted: [Int] = []
        var index = next
        while index <= instance.last {
            if isMine(index), isChecked(index), matches(patterns, index) {
                counted.append(index)
                result.exercised += 1
                let near = counted.filter { earlier in
                    window.map { trace[earlier].time + $0 > trace[index].time } ?? true
                }
                if near.count > range.upperBound { result.breaches.append(trace[index].time) }
            }
            if closes(index) {
                if counted.count < range.lowerBound { result.breaches.append(trace[index].time) }
                return
            }
            index += 1
        }
        guard counted.count < range.lowerBound else { return }
        if reference.isQuiescent { result.breaches.append(.never) } else { result.open += 1 }
    }
}
