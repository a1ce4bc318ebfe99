internal import DeviceLink
internal import Promises
internal import Traces

// What an event of an instance's own means for each form of body.
extension PropertyInstance {
    /// Takes an event; `isOpen` tells whether the scope is open after it.
    mutating func take(
        _ event: TraceEvent, isOpen: Bool, isLast: Bool, _ plan: CompiledProperty,
        in store: FluentStore, _ findings: inout Findings
    ) {
        release(event, plan.property.body, &findings)
        if self.isOpen && isOpen { check(event, plan.property.body, &findings) }
        // The last event closes the scope and opens nothing any more.
        move(isOpen: isOpen && !isLast, by: event, plan, in: store, &findings)
        remember(event, plan.property.body)
        if isOpen { trigger(event, isLast: isLast, plan, in: store, &findings) }
    }

    // MARK: Obligations

    private mutating func release(
        _ event: TraceEvent, _ body: Property.Body, _ findings: inout Findings
    ) {
        guard !obligations.isEmpty else { return }
        switch body {
        case .response(_, let then, let same, _, let unless):
            if then.match(event) {
                let values = Binding(partly: same, in: event)
                discharge(at: event.time, &findings) { $0.same == values }
            }
            if unless.match(event) {
                let values = Binding(partly: same, in: event)
                let before = obligations.count
                obligations.removeAll { $0.same.agrees(with: values) }
                findings.excused += before - obligations.count
            }
        case .existence(let wanted, _):
            if wanted.match(event) { discharge(at: event.time, &findings) { _ in true } }
        default: break
        }
    }

    private mutating func discharge(
        at time: VirtualTime, _ findings: inout Findings, _ isMeant: (Obligation) -> Bool
    ) {
        for obligation in obligations where isMeant(obligation) {
            findings.discharge(before: obligation.deadline, at: time)
        }
        obligations.removeAll(where: isMeant)
    }

    private mutating func trigger(
        _ event: TraceEvent, isLast: Bool, _ plan: CompiledProperty, in store: FluentStore,
        _ findings: inout Findings
    ) {
        switch plan.property.body {
        case .response(let when, _, let same, let bound, _):
            guard !store.isClosing, !isLast, when.match(event) else { return }
            findings.exercised += 1
            obligations.append(
                Obligation(
                    deadline: store.links.deadline(bound, from: event.time, event),
                    cause: Citation(event), same: Binding(partly: same, in: event)))
        case .atMost(let limit, _):
            guard let place = plan.fluent, store.fluent(place).set.match(event) else { return }
            findings.exercised += 1
            guard store.count(place, about: binding, at: plan.shared) > limit else { return }
            findings.breach(binding, at: event.time, [Citation(event)])
        default: break
        }
    }

    // MARK: Checks

    private mutating func check(
        _ event: TraceEvent, _ body: Property.Body, _ findings: inout Findings
    ) {
        switch body {
        case .never(let unwanted):
            guard unwanted.match(event) else { return }
            findings.breach(binding, at: event.time, [Citation(event)])
        case .precedence(let checked, _, let same, _, let bound):
            guard checked.match(event) else { return }
            checkPrecedence(event, Binding(partly: same, in: event), bound, &findings)
        case .correlation(let checked, let field, _):
            guard checked.match(event), let source else { return }
            findings.exercised += 1
            guard (event[field] ?? .none) != source.value else { return }
            findings.breach(binding, at: event.time, [source.citation, Citation(event)])
        case .count(let patterns, let range, let window):
            guard patterns.match(event) else { return }
            count(event, range, window, &findings)
        case .machine(let states): step(event, states, &findings)
        case .response, .existence, .always, .atMost: break
        }
    }

    private func checkPrecedence(
        _ event: TraceEvent, _ same: Binding, _ bound: Nanoseconds?, _ findings: inout Findings
    ) {
        findings.exercised += 1
        let source = needed[same]
        if let source, bound.map({ source.time + $0 >= event.time }) ?? true { return }
        findings.breach(binding, at: event.time, (source.map { [$0] } ?? []) + [Citation(event)])
    }

    private mutating func count(
        _ event: TraceEvent, _ range: ClosedRange<Int>, _ window: Nanoseconds?,
        _ findings: inout Findings
    ) {
        findings.exercised += 1
        count += 1
        counted.append(Citation(event))
        if let window {
            counted.removeAll { $0.time + window <= event.time }
            count = counted.count
        } else if counted.count > Findings.kept {
            counted.removeFirst()
        }
        guard count > range.upperBound else { return }
        findings.breach(binding, at: event.time, counted)
    }

    private mutating func step(
        _ event: TraceEvent, _ states: [Property.MachineState], _ findings: inout Findings
    ) {
        guard states.contains(where: { $0.moves.contains { $0.event.matches(event) } }) else {
            return
        }
        findings.exercised += 1
        let previous = counted
        counted = [Citation(event)]
        if let move = states[state].moves.first(where: { $0.event.matches(event) }) {
            state = move.target
        } else {
            findings.breach(
                binding, at: event.time, previous + counted, state: states[state].name)
        }
    }

    // MARK: Memory

    /// What later events are held against.
    private mutating func remember(_ event: TraceEvent, _ body: Property.Body) {
        switch body {
        case .precedence(_, let needs, let same, let since, _):
            if since.match(event) {
                let values = Binding(partly: same, in: event)
                needed = needed.filter { !$0.key.agrees(with: values) }
            }
            if needs.match(event) {
                needed[Binding(partly: same, in: event)] = Citation(event)
            }
        case .correlation(_, let field, let patterns):
            if patterns.match(event) { source = (Citation(event), event[field] ?? .none) }
        case .always: unchecked = Citation(event)
        default: break
        }
    }

    /// The step of the last event is over.
    mutating func endStep(
        _ plan: CompiledProperty, in store: FluentStore, _ findings: inout Findings
    ) {
        guard let event = unchecked, let condition = plan.condition else { return }
        unchecked = nil
        guard isOpen else { return }
        findings.exercised += 1
        guard !condition.holds(about: binding, in: store) else { return }
        findings.breach(binding, at: event.time, [event])
    }
}
