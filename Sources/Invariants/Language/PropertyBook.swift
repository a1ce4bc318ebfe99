package import DeviceLink
package import Promises
package import Traces

/// Judges a trace by properties: the monitors of a set, and the fluents they speak of.
package struct PropertyBook: Sendable {
    /// Who is interested in a kind of events; found when a kind is first seen.
    private struct Interest {
        let monitors: [Int]
        let fluents: [Int]
        /// Whether each monitor looks at the kind by itself, and not for its scope alone.
        let isOwn: [Bool]
    }

    private let compiled: CompiledProperties
    private var store: FluentStore
    private var monitors: [PropertyMonitor]
    private var goals: [GoalMonitor]
    private var interests: [String: Interest] = [:]
    /// The monitors that look at the end of each step.
    private let stepped: [Int]
    private var step: UInt64?
    private var isQuiescent = false
    /// No deadline lies before it.
    private var earliest = VirtualTime.never

    /// Monitors that have seen nothing.
    package init(_ compiled: CompiledProperties) {
        self.compiled = compiled
        store = compiled.store
        let store = store
        monitors = compiled.properties.map { PropertyMonitor($0, in: store) }
        goals = compiled.set.goals.map(GoalMonitor.init)
        stepped = compiled.properties.indices.filter { compiled.properties[$0].condition != nil }
        findEarliest()
    }

    /// Takes the next event.
    package mutating func observe(_ event: TraceEvent) {
        expire(before: event.time)
        if let step, step != event.step { endStep() }
        step = event.step
        let interest = interests[event.kind] ?? learn(event.kind)
        store.foresee(event)
        var bindings: [Binding??] = Array(repeating: nil, count: compiled.keyings.count)
        for index in interest.monitors where interest.isOwn[index] {
            let binding = binding(of: event, index, &bindings)
            monitors[index].foresee(event, binding, in: store)
        }
        let changes =
            interest.fluents.isEmpty ? [] : store.take(event, interest.fluents)
        for index in interest.monitors {
            if interest.isOwn[index] {
                let binding = binding(of: event, index, &bindings)
                monitors[index].take(event, binding, in: store)
            }
            if !changes.isEmpty { monitors[index].moveScopes(by: event, changes, in: store) }
            earliest = min(earliest, monitors[index].nextDeadline)
        }
        for index in goals.indices { goals[index].take(event) }
        if event.kind == "run.ended" { isQuiescent = event.text("reason") == "quiescent" }
    }

    /// The binding that an event gives a monitor's keys, found once for all that have the same.
    private func binding(
        of event: TraceEvent, _ index: Int, _ bindings: inout [Binding??]
    ) -> Binding? {
        let keying = compiled.properties[index].keying
        if let known = bindings[keying] { return known }
        let binding = Binding(compiled.keyings[keying], in: event)
        bindings[keying] = .some(binding)
        return binding
    }

    private mutating func learn(_ kind: String) -> Interest {
        let fluents = store.fluentIndices.filter { index in
            let fluent = store.fluent(index)
            return (fluent.set + fluent.clear).contains { $0.matches(kind: kind) }
        }
        let isOwn = compiled.properties.map { $0.isAbout(kind) }
        let interest = Interest(
            monitors: compiled.properties.indices.filter { index in
                isOwn[index] || fluents.contains { compiled.properties[index].isScoped(by: $0) }
            },
            fluents: fluents, isOwn: isOwn)
        interests[kind] = interest
        return interest
    }

    private mutating func endStep() {
        for index in stepped { monitors[index].endStep(in: store) }
    }

    // MARK: Deadlines

    /// No obligation has to be decided before it; `never` where none has a deadline.
    package var nextDeadline: VirtualTime { earliest }

    /// Decides what was due before a moment until which nothing more happened.
    package mutating func expire(before moment: VirtualTime) {
        guard earliest < moment else { return }
        for index in monitors.indices { monitors[index].expire(before: moment) }
        findEarliest()
    }

    /// Whether an obligation with a deadline is open.
    package mutating func awaitsDeadline() -> Bool {
        for index in monitors.indices { monitors[index].findNextDeadline() }
        findEarliest()
        return earliest != .never
    }

    private mutating func findEarliest() {
        earliest = monitors.reduce(.never) { min($0, $1.nextDeadline) }
    }

    // MARK: The end

    /// The properties and what was found of each, in their order; the trace is over.
    package mutating func findings() -> [(property: Property, findings: Findings)] {
        endStep()
        step = nil
        for index in monitors.indices { monitors[index].finish(isQuiescent: isQuiescent) }
        return monitors.map { ($0.plan.property, $0.findings) }
    }

    /// How far each goal came, in their order.
    package var progress: [GoalProgress] { goals.map(\.progress) }

    /// How many instances live, of all properties.
    package var instanceCount: Int { monitors.reduce(0) { $0 + $1.instanceCount } }
}
