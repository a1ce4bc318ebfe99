import DeviceLink
import Traces

/// Watches one property, event by event, as PROMISES.md defines it.
///
/// Each event comes in two halves: before the fluents have taken it, and after.
struct PropertyMonitor: Sendable {
    let plan: CompiledProperty
    private(set) var findings: Findings
    /// The instances by the slots of their bindings.
    private var instances: [PropertyInstance] = []
    /// How many instances live; at most 8,192 (PROMISES.md, "Instances of a promise").
    private(set) var instanceCount = 0
    private var nextForgotten = 0
    /// The slots of the present step's events, where the end of a step is looked at.
    private var unchecked: [Int] = []
    /// No deadline lies before it.
    private(set) var nextDeadline = VirtualTime.never

    /// How many instances of which nothing is awaited are kept, so that a night's memory stays flat.
    static let capacity = 8_192

    init(_ plan: CompiledProperty) {
        self.plan = plan
        findings = Findings(isByStimulus: plan.isByStimulus)
    }

    /// Begins anew: no instance lives.
    mutating func reset() {
        guard !instances.isEmpty else { return }
        findings = Findings(isByStimulus: plan.isByStimulus)
        for slot in instances.indices where instances[slot].isLive { instances[slot].end() }
        if !unchecked.isEmpty { unchecked.removeAll(keepingCapacity: true) }
        (instanceCount, nextForgotten, nextDeadline) = (0, 0, .never)
    }

    /// The instances that are not over.
    var living: [PropertyInstance] { instances.filter(\.isLive) }

    /// Whether the binding of a slot has an instance.
    func lives(at slot: Int) -> Bool { slot < instances.count && instances[slot].isLive }

    // MARK: Events

    /// An instance begins, with an event or before all.
    mutating func begin(
        _ binding: Binding, values: [Field.Value], at slot: Int, since event: TraceEvent?,
        in store: FluentStore
    ) {
        while instances.count <= slot { instances.append(PropertyInstance()) }
        instances[slot].begin(binding, values: values)
        instanceCount += 1
        guard plan.isInScope(binding, in: store) else { return }
        instances[slot].isOpen = true
        instances[slot].opened(by: event, of: plan, in: store, noting: &findings)
        nextDeadline = min(nextDeadline, instances[slot].nextDeadline)
    }

    /// Where there are too many: an instance of which nothing is awaited, and that no event has
    /// reached since it was last looked at here; it is gone with this call.
    mutating func forgetOne() -> Int? {
        guard instanceCount >= Self.capacity else { return nil }
        // The second time round none has been reached since.
        for _ in 0..<2 * instances.count {
            let slot = nextForgotten % instances.count
            nextForgotten = slot + 1
            guard instances[slot].isLive, instances[slot].openCount == 0 else { continue }
            if instances[slot].wasReached {
                instances[slot].wasReached = false
                continue
            }
            free(slot)
            return slot
        }
        return nil
    }

    private mutating func free(_ slot: Int) {
        instances[slot].end()
        instanceCount -= 1
    }

    /// The fluents have taken an event of a living instance, and `hasSwitched` tells whether it changed
    /// one; returns whether it was the instance's last.
    mutating func take(
        _ event: TraceEvent, with marks: inout KeyMarks, as parts: Parts, at slot: Int,
        hasSwitched: Bool,
        in store: FluentStore
    ) -> Bool {
        instances[slot].wasReached = true
        if !hasSwitched, isUnmoved(by: parts, slot) {
            if instances[slot].isOpen { findings.exercise() }
            return false
        }
        let isLast = parts.lists.ends.mean(event, with: &marks)
        let isOpen =
            hasSwitched
            ? plan.isInScope(instances[slot].binding, in: store) : instances[slot].isOpen
        instances[slot].take(
            event, with: &marks, as: parts, isOpen: isOpen, isLast: isLast, of: plan, in: store,
            noting: &findings)
        if plan.form == .always { unchecked.append(slot) }
        if isLast {
            free(slot)
        } else if !instances[slot].obligations.isEmpty {
            nextDeadline = min(nextDeadline, instances[slot].nextDeadline)
        }
        return isLast
    }

    /// Whether an event that switches no fluent at most exercises the property here, as most do.
    private func isUnmoved(by parts: Parts, _ slot: Int) -> Bool {
        guard parts.onlyCheck else { return parts.isIdle(in: instances[slot].state) }
        return !instances[slot].isOpen || (plan.needsAny && instances[slot].needs.hasAny)
    }

    /// A fluent of the scope of these slots' instances has been switched by an event; an instance that
    /// has taken the event has moved already.
    mutating func moveScopes(of slots: Slots, by event: TraceEvent, in store: FluentStore) {
        for slot in slots where lives(at: slot) {
            let isOpen = plan.isInScope(instances[slot].binding, in: store)
            guard isOpen != instances[slot].isOpen else { continue }
            instances[slot].move(isOpen: isOpen, by: event, of: plan, in: store, noting: &findings)
            nextDeadline = min(nextDeadline, instances[slot].nextDeadline)
        }
    }

    // MARK: Time

    /// Decides what was due before a moment.
    mutating func expire(before moment: VirtualTime) {
        guard nextDeadline < moment else { return }
        for slot in instances.indices where instances[slot].isLive {
            instances[slot].expire(before: moment, noting: &findings)
        }
        findNextDeadline()
    }

    /// Looks for the first deadline among what is open now.
    mutating func findNextDeadline() {
        nextDeadline = instances.reduce(.never) { min($0, $1.nextDeadline) }
    }

    /// A step is over: no event of another one has been taken yet.
    mutating func endStep(in store: FluentStore) {
        guard !unchecked.isEmpty else { return }
        for slot in unchecked where instances[slot].isLive {
            instances[slot].endStep(plan, in: store, noting: &findings)
        }
        unchecked.removeAll(keepingCapacity: true)
    }

    /// The trace is over, and where `isFinal` what has not come never will.
    mutating func finish(isFinal: Bool) {
        for slot in instances.indices where isFinal && instances[slot].isLive {
            instances[slot].settle(&findings)
        }
        findings.open = instances.reduce(0) { $0 + $1.openCount }
    }
}
