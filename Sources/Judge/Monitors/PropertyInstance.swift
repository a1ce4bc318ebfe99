import DeviceLink
import Traces

/// One binding of a property's keys, from the event that began it to the one that ends it.
struct PropertyInstance: Sendable {
    /// Something that has to happen.
    struct Obligation: Sendable {
        let deadline: VirtualTime
        /// The event after which it has to happen.
        var cause: Citation?
        /// What has to be the same in what discharges it.
        let same: Binding
        let values: [Field.Value]

        var events: [Citation] { cause.map { [$0] } ?? [] }
    }

    private(set) var binding = Binding.empty
    /// What its keys are bound to.
    private(set) var values: [Field.Value] = []
    /// Whether it has begun; that of a free slot has not.
    private(set) var isLive = false
    var isOpen = false
    /// Whether an event has reached it lately.
    var wasReached = true
    var obligations: [Obligation] = []
    var needs = Needs()
    /// The events counted since the scope opened, or as many of the latest as `over` has to know.
    var counted: [Citation] = []
    /// How many there were, or how many of those in order have been seen.
    var count = 0
    /// How many events the open scope has to see at least.
    var least = 0
    /// The place of a machine's state.
    var state = 0
    /// The event that led to a machine's state, that a later one is compared with, or since whose step
    /// `always` has not been looked at.
    var latest: Citation?
    /// What a later event is compared with.
    var value = Field.Value.none

    /// Begins an instance for a binding, with the values of its keys for reports.
    mutating func begin(_ binding: Binding, values: [Field.Value]) {
        (self.binding, self.values, isLive) = (binding, values, true)
    }

    /// Ends it; capacity is kept for the next instance of its slot.
    mutating func end() {
        (values, isLive, isOpen, wasReached) = ([], false, false, true)
        if !obligations.isEmpty { obligations.removeAll(keepingCapacity: true) }
        needs.reset()
        if !counted.isEmpty { counted = [] }
        (count, least, state) = (0, 0, 0)
        if latest != nil { latest = nil }
        value = .none
    }

    /// How many obligations the end of the trace leaves open.
    var openCount: Int { obligations.count + (isOpen && count < least ? 1 : 0) }

    /// The first deadline; `never` where there is none.
    var nextDeadline: VirtualTime { obligations.reduce(.never) { min($0, $1.deadline) } }

    // MARK: Time

    /// Decides the obligations whose deadline is before a moment.
    mutating func expire(before moment: VirtualTime, noting findings: inout Findings) {
        guard obligations.contains(where: { $0.deadline < moment }) else { return }
        for obligation in obligations where obligation.deadline < moment {
            breach(obligation, noting: &findings)
        }
        obligations.removeAll { $0.deadline < moment }
    }

    /// Nothing will ever happen any more.
    mutating func settle(_ findings: inout Findings) {
        for obligation in obligations { breach(obligation, noting: &findings) }
        obligations = []
        if openCount > 0 { findings.breach(values, at: .never, citing: counted, seen: count) }
        least = 0
    }

    private func breach(_ obligation: Obligation, noting findings: inout Findings) {
        findings.breach(values, at: obligation.deadline, citing: obligation.events, seen: count)
    }

    // MARK: Scope

    /// The scope may have changed.
    mutating func move(
        isOpen: Bool, by event: TraceEvent, of plan: CompiledProperty, in store: FluentStore,
        noting findings: inout Findings
    ) {
        if self.isOpen && !isOpen { closed(by: event, noting: &findings) }
        let opens = !self.isOpen && isOpen
        self.isOpen = isOpen
        if opens { opened(by: event, of: plan, in: store, noting: &findings) }
    }

    /// The scope opens, with an event or before all.
    mutating func opened(
        by event: TraceEvent?, of plan: CompiledProperty, in store: FluentStore,
        noting findings: inout Findings
    ) {
        if !counted.isEmpty { counted = [] }
        (count, least, state) = (0, 0, 0)
        switch plan.form {
        case .never: findings.exercise()
        case .existence:
            guard !store.isClosing else { return }
            findings.exercise()
            let time = event?.time ?? .zero
            obligations.append(
                Obligation(
                    deadline: store.links.deadline(plan.terms.bound, from: time, by: event),
                    cause: event.map(Citation.init), same: .empty, values: []))
        case .count:
            guard plan.terms.range.lowerBound > 0, !store.isClosing else { return }
            findings.exercise()
            least = plan.terms.range.lowerBound
        case .machine: latest = nil
        case .response, .precedence, .correlation, .always, .atMost: break
        }
    }

    private mutating func closed(by event: TraceEvent, noting findings: inout Findings) {
        for obligation in obligations {
            if obligation.deadline == .never {
                findings.breach(
                    values, at: event.time, citing: obligation.events + [Citation(event)],
                    seen: count)
            } else {
                findings.excused += 1
            }
        }
        obligations = []
        if count < least {
            findings.breach(values, at: event.time, citing: [Citation(event)], seen: count)
        }
    }
}
