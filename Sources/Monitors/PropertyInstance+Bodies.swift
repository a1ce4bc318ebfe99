internal import DeviceLink
internal import Promises
internal import Traces

// What an event of an instance's own means for each form of body.
extension PropertyInstance {
    /// Takes an event that some parts may mean; `isOpen` tells whether the scope is open after it.
    mutating func take(
        _ event: TraceEvent, _ marks: inout KeyMarks, _ parts: Parts, isOpen: Bool, isLast: Bool,
        _ plan: CompiledProperty, in store: FluentStore, _ findings: inout Findings
    ) {
        if !obligations.isEmpty { release(event, &marks, parts, plan.terms.samePlaces, &findings) }
        if self.isOpen && isOpen { check(event, &marks, parts, plan, &findings) }
        // The last event closes the scope and opens nothing any more.
        move(isOpen: isOpen && !isLast, by: event, plan, in: store, &findings)
        remember(event, &marks, parts, plan)
        if isOpen, !parts.lists.triggers.isEmpty {
            trigger(event, &marks, parts, isLast: isLast, plan, in: store, &findings)
        }
    }

    // MARK: Obligations

    private mutating func release(
        _ event: TraceEvent, _ marks: inout KeyMarks, _ parts: Parts, _ same: [Int],
        _ findings: inout Findings
    ) {
        if parts.lists.replies.mean(event, &marks) {
            let values = Binding.of(same, in: event, &marks)
            for obligation in obligations where obligation.same == values {
                findings.discharge(before: obligation.deadline, at: event.time)
            }
            obligations.removeAll { $0.same == values }
        }
        if parts.lists.excuses.mean(event, &marks) {
            let values = Binding.of(same, in: event, &marks)
            let before = obligations.count
            obligations.removeAll { $0.same.agrees(with: values) }
            findings.excused += before - obligations.count
        }
    }

    private mutating func trigger(
        _ event: TraceEvent, _ marks: inout KeyMarks, _ parts: Parts, isLast: Bool,
        _ plan: CompiledProperty, in store: FluentStore, _ findings: inout Findings
    ) {
        guard parts.lists.triggers.mean(event, &marks) else { return }
        let terms = plan.terms
        if plan.form == .response {
            guard !store.isClosing, !isLast else { return }
            findings.exercised += 1
            obligations.append(
                Obligation(
                    deadline: store.links.deadline(terms.bound, from: event.time, event),
                    cause: Citation(event), same: Binding.of(terms.samePlaces, in: event, &marks),
                    values: event.values(of: terms.same)))
        } else {
            findings.exercised += 1
            let holding = terms.fluent?.count(about: binding, in: store) ?? 0
            guard holding > terms.range.upperBound else { return }
            findings.breach(values, at: event.time, [Citation(event)])
        }
    }

    // MARK: Checks

    private mutating func check(
        _ event: TraceEvent, _ marks: inout KeyMarks, _ parts: Parts, _ plan: CompiledProperty,
        _ findings: inout Findings
    ) {
        if plan.form == .machine { return step(event, &marks, parts, plan, &findings) }
        guard parts.lists.checked.mean(event, &marks) else { return }
        switch plan.form {
        case .never: findings.breach(values, at: event.time, [Citation(event)])
        case .precedence: checkNeed(event, &marks, plan, &findings)
        case .correlation:
            guard let latest else { return }
            findings.exercised += 1
            guard (event[plan.terms.field] ?? .none) != value else { return }
            findings.breach(values, at: event.time, [latest, Citation(event)])
        case .count: count(event, plan, &findings)
        case .response, .existence, .always, .atMost, .machine: break
        }
    }

    private func checkNeed(
        _ event: TraceEvent, _ marks: inout KeyMarks, _ plan: CompiledProperty,
        _ findings: inout Findings
    ) {
        findings.exercised += 1
        let source = needs.source(of: event, &marks, same: plan.terms.samePlaces)
        if let source, plan.terms.window.map({ source.time + $0 >= event.time }) ?? true { return }
        findings.breach(values, at: event.time, (source.map { [$0] } ?? []) + [Citation(event)])
    }

    private mutating func count(
        _ event: TraceEvent, _ plan: CompiledProperty, _ findings: inout Findings
    ) {
        findings.exercised += 1
        count += 1
        counted.append(Citation(event))
        if let window = plan.terms.window {
            counted.removeAll { $0.time + window <= event.time }
            count = counted.count
        } else if counted.count > Findings.kept {
            counted.removeFirst()
        }
        guard count > plan.terms.range.upperBound else { return }
        findings.breach(values, at: event.time, counted)
    }

    private mutating func step(
        _ event: TraceEvent, _ marks: inout KeyMarks, _ parts: Parts, _ plan: CompiledProperty,
        _ findings: inout Findings
    ) {
        for move in parts.lists.moves[state] where move.event.mean(event, &marks) {
            findings.exercised += 1
            if move.target != state { (state, latest) = (move.target, Citation(event)) }
            return
        }
        guard parts.isMove(event, &marks) else { return }
        findings.exercised += 1
        let proof = (latest.map { [$0] } ?? []) + [Citation(event)]
        latest = Citation(event)
        findings.breach(values, at: event.time, proof, state: plan.state(state))
    }

    // MARK: Memory

    /// What later events are held against.
    private mutating func remember(
        _ event: TraceEvent, _ marks: inout KeyMarks, _ parts: Parts, _ plan: CompiledProperty
    ) {
        switch plan.form {
        case .always: latest = Citation(event)
        case .precedence, .correlation: break
        default: return
        }
        if parts.lists.undone.mean(event, &marks) {
            needs.undo(event, &marks, same: plan.terms.samePlaces)
        }
        guard parts.lists.needed.mean(event, &marks) else { return }
        if plan.form == .correlation {
            (latest, value) = (Citation(event), event[plan.terms.field] ?? .none)
            return
        }
        needs.keep(event, &marks, same: plan.terms.samePlaces)
    }

    /// The step of the last event is over.
    mutating func endStep(
        _ plan: CompiledProperty, in store: FluentStore, _ findings: inout Findings
    ) {
        guard let event = latest, let condition = plan.terms.condition else { return }
        latest = nil
        guard isOpen else { return }
        findings.exercised += 1
        guard !condition.holds(about: binding, in: store) else { return }
        findings.breach(values, at: event.time, [event])
    }
}
