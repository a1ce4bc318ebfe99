import DeviceLink
import Promises
import Traces

@testable import Invariants

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

        var verdict: Verdict.PromiseOutcome {
            if !breaches.isEmpty { return .violated }
            return open > 0 ? .inconclusive : exercised == 0 ? .vacuous : .held
        }
    }

    var isQuiescent: Bool { trace.last?.text("reason") == "quiescent" }

    func result(of property: Property) -> Result {
        var result = Result()
        for instance in instances(of: property) {
            Look(reference: self, property: property, instance: instance).judge(&result)
        }
        result.breaches.sort()
        return result
    }

    // MARK: Keys and fluents

    typealias Values = [String: Field.Value]

    static func values(of keys: [String], in event: TraceEvent) -> Values? {
        var values: Values = [:]
        for key in keys {
            let value =
                key == "device"
                ? (event.device.isEmpty ? Field.Value.none : .text(event.device))
                : event.fields.first { $0.name == key }?.value ?? .none
            if value == .none { return nil }
            values[key] = value
        }
        return values
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

    func instances(of property: Property) -> [Instance] {
        var found: [Instance] = []
        var next: [Values: Int] = [:]
        for index in trace.indices {
            guard let values = Self.values(of: property.keys, in: trace[index]),
                index >= next[values, default: 0]
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

    /// The moments at which the scope opens: the time, and the first event that comes after it.
    private var openings: [(time: VirtualTime, next: Int)] {
        var found: [(VirtualTime, Int)] = []
        if isOpen(instance.first - 1) {
            let time = instance.beginsBeforeAll ? .zero : trace[instance.first].time
            found.append((time, instance.first))
        }
        for index in indices
        where !isOpen(index - 1) && isOpen(index) && !(instance.hasEnded && index == instance.last)
        {
            found.append((trace[index].time, index + 1))
        }
        return found
    }

    func judge(_ result: inout Reference.Result) {
        switch property.body {
        case .never(let patterns):
            result.exercised += openings.count
            for index in slice where isChecked(index) && matches(patterns, index) {
                result.breaches.append(trace[index].time)
            }
        case .response(let when, let then, let bound, let unless):
            for index in slice
            where matches(when, index) && isOpen(index) && !matches(property.ends, index) {
                result.exercised += 1
                follow(
                    from: index + 1, since: trace[index].time, then, bound, unless, &result)
            }
        case .existence(let patterns, let bound):
            for opening in openings {
                result.exercised += 1
                follow(from: opening.next, since: opening.time, patterns, bound, [], &result)
            }
        case .precedence(let event, let needs, let since, let bound):
            for index in slice where isChecked(index) && matches(event, index) {
                result.exercised += 1
                let cause = slice.last { $0 < index && matches(needs, $0) }
                let isUndone = slice.contains { between in
                    between > (cause ?? -1) && between < index && matches(since, between)
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
            for opening in openings { judgeCount(patterns, range, window, opening.next, &result) }
        }
    }

    /// What becomes of an obligation.
    private func follow(
        from next: Int, since begin: VirtualTime, _ then: [EventPattern], _ bound: Nanoseconds?,
        _ unless: [EventPattern], _ result: inout Reference.Result
    ) {
        let deadline = bound.map { begin + $0 }
        var index = next
        while index <= instance.last {
            if let deadline, deadline < trace[index].time {
                return result.breaches.append(deadline)
            }
            if isMine(index), matches(then, index) { return }
            if (isMine(index) && matches(unless, index)) || (closes(index) && bound != nil) {
                result.excused += 1
                return
            }
            if closes(index) { return result.breaches.append(trace[index].time) }
            index += 1
        }
        // An instance that ended closed its scope, so this is the end of the trace.
        if reference.isQuiescent {
            result.breaches.append(deadline ?? .never)
        } else {
            result.open += 1
        }
    }

    private func judgeSteps(_ condition: Property.Condition, _ result: inout Reference.Result) {
        var steps: [UInt64] = []
        for index in slice where steps.last != trace[index].step { steps.append(trace[index].step) }
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
