import DeviceLink
import Promises
import Traces

// What an event of an instance's own means for each form of body.
extension PropertyInstance {
    /// Takes an event that some parts may mean; `isOpen` tells whether the scope is open after it.
    mutating func take(
        _ event: TraceEvent, with marks: inout KeyMarks, as parts: Parts, isOpen: Bool,
        isLast: Bool,
        of plan: CompiledProperty, in store: FluentStore, noting findings: inout Findings
    ) {
        // The scope of `eventually` is the occasion for something to come, and may not open at all.
        if isOpen || plan.form == .existence, parts.lists.stimuli.mean(event, with: &marks) {
            findings.stimulate()
        }
        if !obligations.isEmpty {
            release(event, with: &marks, as: parts, same: plan.terms.samePlaces, noting: &findings)
        }
        if self.isOpen && isOpen {
            check(event, with: &marks, as: parts, of: plan, in: store, noting: &findings)
        }
        // The last event closes the scope and opens nothing any more.
        move(isOpen: isOpen && !isLast, by: event, of: plan, in: store, noting: &findings)
        remember(event, with: &marks, as: parts, of: plan)
        if isOpen, !parts.lists.triggers.isEmpty {
            trigger(
                event, with: &marks, as: parts, isLast: isLast, of: plan, in: store,
                noting: &findings)
        }
    }

    // MARK: Obligations

    private mutating func release(
        _ event: TraceEvent, with marks: inout KeyMarks, as parts: Parts, same: [Int],
        noting findings: inout Findings
    ) {
        if parts.lists.replies[count].mean(event, with: &marks) {
            if count + 1 < parts.lists.replies.count {
                awaitNext(after: event)
            } else {
                discharge(event, with: &marks, same: same, noting: &findings)
            }
        }
        if parts.lists.excuses.mean(event, with: &marks) {
            let values = Binding.of(same, in: event, with: &marks)
            let before = obligations.count
            obligations.removeAll { $0.same.agrees(with: values) }
            findings.excused += before - obligations.count
        }
    }

    /// An event has been seen that another one has to follow.
    private mutating func awaitNext(after event: TraceEvent) {
        count += 1
        for place in obligations.indices { obligations[place].cause = Citation(event) }
    }

    private mutating func discharge(
        _ event: TraceEvent, with marks: inout KeyMarks, same: [Int],
        noting findings: inout Findings
    ) {
        let values = Binding.of(same, in: event, with: &marks)
        for obligation in obligations where obligation.same == values {
            findings.discharge(before: obligation.deadline, at: event.time)
        }
        obligations.removeAll { $0.same == values }
    }

    private mutating func trigger(
        _ event: TraceEvent, with marks: inout KeyMarks, as parts: Parts, isLast: Bool,
        of plan: CompiledProperty, in store: FluentStore, noting findings: inout Findings
    ) {
        guard parts.lists.triggers.mean(event, with: &marks) else { return }
        let terms = plan.terms
        if plan.form == .response {
            guard !store.isClosing, !isLast else { return }
            findings.exercise()
            obligations.append(
                Obligation(
                    deadline: store.links.deadline(terms.bound, from: event.time, by: event),
                    cause: Citation(event),
                    same: Binding.of(terms.samePlaces, in: event, with: &marks),
                    values: event.values(of: terms.same)))
        } else {
            findings.exercise()
            let holding = terms.fluent?.count(about: binding, in: store) ?? 0
            guard holding > terms.range.upperBound else { return }
            findings.breach(values, at: event.time, citing: [Citation(event)])
        }
    }

    // MARK: Checks

    private mutating func check(
        _ event: TraceEvent, with marks: inout KeyMarks, as parts: Parts, of plan: CompiledProperty,
        in store: FluentStore, noting findings: inout Findings
    ) {
        if plan.form == .machine {
            return step(event, with: &marks, as: parts, of: plan, noting: &findings)
        }
        guard parts.lists.checked.mean(event, with: &marks) else { return }
        switch plan.form {
        case .never:
            findings.breach(values, at: event.time, citing: [Citation(event)], by: event)
        case .precedence: checkNeed(event, with: &marks, of: plan, in: store, noting: &findings)
        case .correlation:
            guard let latest else { return }
            findings.exercise()
            guard (event[plan.terms.field] ?? .none) != value else { return }
            findings.breach(
                values, at: event.time, citing: [latest, Citation(event)], by: event)
        case .count: count(event, of: plan, in: store, noting: &findings)
        case .response, .existence, .always, .atMost, .machine: break
        }
    }

    private func checkNeed(
        _ event: TraceEvent, with marks: inout KeyMarks, of plan: CompiledProperty,
        in store: FluentStore, noting findings: inout Findings
    ) {
        findings.exercise()
        let source = needs.source(of: event, with: &marks, same: plan.terms.samePlaces)
        if let source,
            plan.terms.window.map({ source.time + $0 >= event.time - store.slack }) ?? true
        {
            return
        }
        findings.breach(
            values, at: event.time, citing: (source.map { [$0] } ?? []) + [Citation(event)],
            by: event)
    }

    private mutating func count(
        _ event: TraceEvent, of plan: CompiledProperty, in store: FluentStore,
        noting findings: inout Findings
    ) {
        findings.exercise()
        count += 1
        // Where enough have come and any more may, none proves anything.
        if plan.terms.range.upperBound == .max, count >= plan.terms.range.lowerBound { return }
        counted.append(Citation(event))
        if let window = plan.terms.window {
            counted.removeAll { $0.time + window <= event.time + store.slack }
            count = counted.count
        } else if counted.count > Findings.kept {
            counted.removeFirst()
        }
        guard count > plan.terms.range.upperBound else { return }
        findings.breach(values, at: event.time, citing: counted, seen: count)
    }

    private mutating func step(
        _ event: TraceEvent, with marks: inout KeyMarks, as parts: Parts, of plan: CompiledProperty,
        noting findings: inout Findings
    ) {
        for move in parts.lists.moves[state] where move.event.mean(event, with: &marks) {
            findings.exercise()
            if move.target != state { (state, latest) = (move.target, Citation(event)) }
            return
        }
        guard parts.isMove(event, with: &marks) else { return }
        findings.exercise()
        let proof = (latest.map { [$0] } ?? []) + [Citation(event)]
        latest = Citation(event)
        findings.breach(values, at: event.time, citing: proof, state: plan.state(state))
    }

    // MARK: Memory

    /// What later events are held against.
    private mutating func remember(
        _ event: TraceEvent, with marks: inout KeyMarks, as parts: Parts, of plan: CompiledProperty
    ) {
        switch plan.form {
        case .always: latest = Citation(event)
        case .precedence, .correlation: break
        default: return
        }
        if parts.lists.undone.mean(event, with: &marks) {
            needs.undo(event, with: &marks, same: plan.terms.neededPlaces)
        }
        guard parts.lists.needed.mean(event, with: &marks) else { return }
        if plan.form == .correlation {
            (latest, value) = (Citation(event), event[plan.terms.field] ?? .none)
            return
        }
        needs.keep(event, with: &marks, same: plan.terms.neededPlaces)
    }

    /// The step of the last event is over.
    mutating func endStep(
        _ plan: CompiledProperty, in store: FluentStore, noting findings: inout Findings
    ) {
        guard let event = latest, let condition = plan.terms.condition else { return }
        latest = nil
        guard isOpen else { return }
        findings.exercise()
        guard !condition.holds(about: binding, in: store) else { return }
        findings.breach(values, at: event.time, citing: [event])
    }
}
