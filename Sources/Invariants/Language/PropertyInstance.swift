internal import DeviceLink
internal import Promises
internal import Traces

/// What the body of a property looks up in the fluents.
struct BodyShape: Sendable {
    /// The condition of `always`.
    var condition: CompiledCondition?
    /// The fluent of `at-most`, and the keys shared with it.
    var fluent: Int?
    var shared: [(mine: Int, theirs: Int)] = []

    init(_ property: Property, in store: FluentStore) {
        switch property.body {
        case .always(let condition):
            self.condition = CompiledCondition(condition, keys: property.keys, in: store)
        case .atMost(_, let name):
            let place = store.place(of: name)
            fluent = place
            shared = CompiledCondition.shared(property.keys, store.fluent(place).keys)
        default: break
        }
    }
}

/// One binding of a property's keys, from the event that began it to the one that ends it.
struct PropertyInstance: Sendable {
    /// Something that has to happen.
    private struct Obligation: Sendable {
        let deadline: VirtualTime
        let cause: Citation?
    }

    private let property: Property
    private let shape: BodyShape
    private let binding: Binding
    private var isOpen: Bool
    private var obligations: [Obligation] = []
    /// The latest event that a later one needs, or is compared with.
    private var source: (citation: Citation, value: Field.Value)?
    /// The events counted since the scope opened, or as many of the latest as `over` has to know.
    private var counted: [(time: VirtualTime, citation: Citation)] = []
    private var count = 0
    /// The event since whose step `always` has not been looked at.
    private var unchecked: TraceEvent?

    init(
        _ property: Property, _ shape: BodyShape, _ binding: Binding, isOpen: Bool,
        since event: TraceEvent?, _ findings: inout Findings
    ) {
        self.property = property
        self.shape = shape
        self.binding = binding
        self.isOpen = isOpen
        if isOpen { opened(by: event, &findings) }
    }

    var openCount: Int {
        guard case .count(_, let range, _) = property.body else { return obligations.count }
        return isOpen && count < range.lowerBound ? 1 : 0
    }

    // MARK: Time

    /// Deadlines are in the order of their obligations, because each property has one bound.
    mutating func expire(before moment: VirtualTime, _ findings: inout Findings) {
        while let first = obligations.first, first.deadline < moment {
            obligations.removeFirst()
            findings.breach(binding, at: first.deadline, [first.cause].compactMap { $0 })
        }
    }

    /// Nothing will ever happen any more.
    mutating func settle(_ findings: inout Findings) {
        for obligation in obligations {
            findings.breach(
                binding, at: obligation.deadline, [obligation.cause].compactMap { $0 })
        }
        obligations = []
        if openCount > 0 {
            findings.breach(binding, at: .never, counted.map(\.citation))
            count = .max
        }
    }

    // MARK: Scope

    /// The scope may have changed by an event that is none of this instance's.
    mutating func move(isOpen: Bool, by event: TraceEvent, _ findings: inout Findings) {
        if self.isOpen && !isOpen { closed(by: event, &findings) }
        let opens = !self.isOpen && isOpen
        self.isOpen = isOpen
        if opens { opened(by: event, &findings) }
    }

    private mutating func opened(by event: TraceEvent?, _ findings: inout Findings) {
        counted = []
        count = 0
        switch property.body {
        case .never: findings.exercised += 1
        case .existence(_, let bound):
            findings.exercised += 1
            open(within: bound, at: event?.time ?? .zero, event)
        case .count(_, let range, _): if range.lowerBound > 0 { findings.exercised += 1 }
        case .response, .precedence, .correlation, .always, .atMost: break
        }
    }

    private mutating func closed(by event: TraceEvent, _ findings: inout Findings) {
        for obligation in obligations {
            if obligation.deadline == .never {
                findings.breach(
                    binding, at: event.time,
                    [obligation.cause].compactMap { $0 } + [Citation(event)])
            } else {
                findings.excused += 1
            }
        }
        obligations = []
        if case .count(_, let range, _) = property.body, count < range.lowerBound {
            findings.breach(binding, at: event.time, [Citation(event)])
        }
    }

    private mutating func open(
        within bound: Nanoseconds?, at time: VirtualTime, _ event: TraceEvent?
    ) {
        obligations.append(
            Obligation(
                deadline: bound.map { time + $0 } ?? .never, cause: event.map(Citation.init)))
    }

    // MARK: Events

    /// Takes an event of this instance; `isOpen` tells whether the scope is open after it.
    mutating func take(
        _ event: TraceEvent, isOpen: Bool, in store: FluentStore, _ findings: inout Findings
    ) {
        let isChecked = self.isOpen && isOpen
        let isLast = property.ends.match(event)
        switch property.body {
        case .response(_, let then, _, let unless):
            if then.match(event) { discharge(at: event.time, &findings) }
            if unless.match(event) { excuse(&findings) }
        case .existence(let wanted, _):
            if wanted.match(event) { discharge(at: event.time, &findings) }
        case .never(let unwanted):
            if isChecked, unwanted.match(event) {
                findings.breach(binding, at: event.time, [Citation(event)])
            }
        case .precedence: if isChecked { checkPrecedence(event, &findings) }
        case .correlation: if isChecked { checkCorrelation(event, &findings) }
        case .count: if isChecked { count(event, &findings) }
        case .always, .atMost: break
        }
        // The last event closes the scope and opens nothing any more.
        move(isOpen: isOpen && !isLast, by: event, &findings)
        remember(event)
        if isOpen { trigger(event, isLast: isLast, in: store, &findings) }
    }

    private mutating func discharge(at time: VirtualTime, _ findings: inout Findings) {
        for obligation in obligations { findings.discharge(before: obligation.deadline, at: time) }
        obligations = []
    }

    private mutating func excuse(_ findings: inout Findings) {
        findings.excused += obligations.count
        obligations = []
    }

    private mutating func checkPrecedence(_ event: TraceEvent, _ findings: inout Findings) {
        guard case .precedence(let checked, _, _, let bound) = property.body, checked.match(event)
        else { return }
        findings.exercised += 1
        if let source, bound.map({ source.citation.time + $0 >= event.time }) ?? true { return }
        findings.breach(
            binding, at: event.time, [source?.citation].compactMap { $0 } + [Citation(event)])
    }

    private mutating func checkCorrelation(_ event: TraceEvent, _ findings: inout Findings) {
        guard case .correlation(let checked, let field, _) = property.body, checked.match(event),
            let source
        else { return }
        findings.exercised += 1
        if (event[field] ?? .none) == source.value { return }
        findings.breach(binding, at: event.time, [source.citation, Citation(event)])
    }

    private mutating func count(_ event: TraceEvent, _ findings: inout Findings) {
        guard case .count(let patterns, let range, let window) = property.body,
            patterns.match(event)
        else { return }
        findings.exercised += 1
        count += 1
        counted.append((event.time, Citation(event)))
        if let window {
            counted.removeAll { $0.time + window <= event.time }
            count = counted.count
        } else if counted.count > Findings.kept {
            counted.removeFirst()
        }
        guard count > range.upperBound else { return }
        findings.breach(binding, at: event.time, counted.map(\.citation))
    }

    /// What later events are held against.
    private mutating func remember(_ event: TraceEvent) {
        switch property.body {
        case .precedence(_, let needs, let since, _):
            if since.match(event) { source = nil }
            if needs.match(event) { source = (Citation(event), .none) }
        case .correlation(_, let field, let patterns):
            if patterns.match(event) { source = (Citation(event), event[field] ?? .none) }
        case .always: unchecked = event
        default: break
        }
    }

    private mutating func trigger(
        _ event: TraceEvent, isLast: Bool, in store: FluentStore, _ findings: inout Findings
    ) {
        switch property.body {
        case .response(let when, _, let bound, _):
            guard when.match(event), !isLast else { return }
            findings.exercised += 1
            open(within: bound, at: event.time, event)
        case .atMost(let limit, _):
            guard let place = shape.fluent, store.fluent(place).set.match(event) else { return }
            findings.exercised += 1
            guard store.count(place, about: binding, at: shape.shared) > limit else { return }
            findings.breach(binding, at: event.time, [Citation(event)])
        default: break
        }
    }

    /// The step of the last event is over.
    mutating func endStep(in store: FluentStore, _ findings: inout Findings) {
        guard let event = unchecked, let condition = shape.condition else { return }
        unchecked = nil
        guard isOpen else { return }
        findings.exercised += 1
        guard !condition.holds(about: binding, in: store) else { return }
        findings.breach(binding, at: event.time, [Citation(event)])
    }
}
