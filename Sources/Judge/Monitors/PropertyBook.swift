import Basics
package import DeviceLink
package import Promises
package import Traces

/// Judges a trace by properties: the monitors of a set, and the fluents they speak of.
package struct PropertyBook: Sendable {
    private let compiled: CompiledProperties
    private var store: FluentStore
    private var monitors: [PropertyMonitor]
    private var goals: [GoalMonitor]
    /// What the present event has of the set's keys; nil while they are looked at.
    private var marks: KeyMarks?
    /// The lists of keys, and what the present event gives them.
    private var keyings: [Keying]
    /// The lists that have looked at the present event.
    private var asked: [Int] = []
    /// The places, among the monitors that the present event concerns, of those that it means something to.
    private var meant: [Int] = []
    /// The fluents that the present event has switched.
    private var switched: [FluentStore.Switched] = []
    /// The monitors that look at the end of each step.
    private let stepped: [Int]
    private var step: UInt64?
    /// No deadline lies before it.
    package private(set) var nextDeadline = VirtualTime.never

    /// Monitors that have seen nothing.
    package init(_ compiled: CompiledProperties) {
        self.compiled = compiled
        store = compiled.store
        marks = KeyMarks(compiled.keys, kinds: compiled.kinds.count)
        keyings = zip(compiled.keyings, compiled.keyPlaces).map { Keying($0, at: $1) }
        monitors = compiled.properties.map(PropertyMonitor.init)
        goals = compiled.set.goals.map(GoalMonitor.init)
        stepped = compiled.properties.indices.filter { compiled.properties[$0].form == .always }
        begin()
    }

    /// Forgets what it has seen; capacity is kept.
    package mutating func reset() {
        store.reset()
        for index in keyings.indices { keyings[index].reset() }
        for index in monitors.indices { monitors[index].reset() }
        for index in goals.indices { goals[index].reset() }
        (step, nextDeadline) = (nil, .never)
        begin()
    }

    /// The instances without keys begin before everything else.
    private mutating func begin() {
        for index in monitors.indices where compiled.properties[index].property.keys.isEmpty {
            begin(index, for: .empty, keying: compiled.properties[index].keying, since: nil)
        }
        findEarliest()
    }

    private mutating func begin(
        _ monitor: Int, for binding: Binding, keying: Int, since event: TraceEvent?
    ) {
        if let slot = monitors[monitor].forgetOne() { keyings[keying].release(slot) }
        let slot = keyings[keying].acquire(binding, of: event)
        monitors[monitor].begin(
            binding, values: keyings[keying].values[slot], at: slot, since: event, in: store)
        nextDeadline = min(nextDeadline, monitors[monitor].nextDeadline)
    }

    package mutating func observe(_ event: TraceEvent) {
        expire(before: event.time)
        if let interest = interest(in: event.name) { observe(event, for: interest) }
    }

    /// The monitors, fluents and goals that a kind of events concerns; nil where it concerns nobody.
    package func interest(in kind: String) -> CompiledProperties.Interest? {
        let interest = compiled.interests[kind] ?? .init(kind, compiled)
        return interest.isEmpty ? nil : interest
    }

    /// Takes the next event; whom its kind concerns is known already, and what was due before has been
    /// decided.
    package mutating func observe(_ event: TraceEvent, for interest: CompiledProperties.Interest) {
        if let step, step != event.step { endStep() }
        step = event.step
        if interest.isForeseen { store.foresee(event) }
        let concerned = interest.by(event.role)
        if !concerned.isEmpty { take(event, of: interest.number, for: concerned) }
    }

    private mutating func take(_ event: TraceEvent, of kind: Int, for concerned: Concerned) {
        // Taken out, so that those who look at them need not hold on to them.
        guard var marks = self.marks.take() else { preconditionFailure("an event within another") }
        marks.forget(nextKind: kind)
        foresee(event, with: &marks, for: concerned)
        if !concerned.switches.isEmpty { switchFluents(by: event, with: &marks, for: concerned) }
        for place in concerned.goals.indices
        where goals[concerned.goals[place].index].waits(for: concerned.goals[place].places) {
            take(event, with: &marks, for: concerned.goals[place])
        }
        while let index = asked.popLast() { keyings[index].forget() }
        self.marks = consume marks
    }

    /// Finds out whom an event concerns, and begins the instances that it begins; where no fluent
    /// waits for the event, the instances take it at once.
    private mutating func foresee(
        _ event: TraceEvent, with marks: inout KeyMarks, for concerned: Concerned
    ) {
        for (place, own) in concerned.own.enumerated() {
            let isMeant = own.means(event, with: &marks)
            guard isMeant || own.countsBeginnings else { continue }
            look(at: event, with: &marks, keying: own.keying)
            if keyings[own.keying].isWhole, !lives(own.monitor, keying: own.keying) {
                begin(own.monitor, for: keyings[own.keying].given, keying: own.keying, since: event)
            }
            guard isMeant else { continue }
            if concerned.switches.isEmpty {
                take(event, with: &marks, for: own, hasSwitched: false)
            } else {
                meant.append(place)
            }
        }
    }

    /// The fluents take an event, and after them those whom it concerns.
    private mutating func switchFluents(
        by event: TraceEvent, with marks: inout KeyMarks, for concerned: Concerned
    ) {
        store.take(event, with: &marks, for: concerned.switches, noting: &switched)
        for place in meant {
            take(event, with: &marks, for: concerned.own[place], hasSwitched: !switched.isEmpty)
        }
        meant.removeFew()
        for place in switched.indices { moveScopes(by: event, switched[place]) }
        switched.removeFew()
    }

    /// Whether the binding that the present event gives has an instance already.
    private func lives(_ monitor: Int, keying: Int) -> Bool {
        keyings[keying].slot.map { monitors[monitor].lives(at: $0) } ?? false
    }

    private mutating func look(at event: TraceEvent, with marks: inout KeyMarks, keying: Int) {
        guard !keyings[keying].isKnown else { return }
        keyings[keying].look(at: event, with: &marks)
        asked.append(keying)
    }

    private mutating func take(
        _ event: TraceEvent, with marks: inout KeyMarks, for own: Concerned.Own,
        hasSwitched: Bool
    ) {
        for slot in keyings[own.keying].reached {
            take(event, with: &marks, for: own, at: slot, hasSwitched: hasSwitched)
        }
        nextDeadline = min(nextDeadline, monitors[own.monitor].nextDeadline)
    }

    private mutating func take(
        _ event: TraceEvent, with marks: inout KeyMarks, for own: Concerned.Own,
        at slot: Int, hasSwitched: Bool
    ) {
        guard monitors[own.monitor].lives(at: slot) else { return }
        let isLast = monitors[own.monitor].take(
            event, with: &marks, as: own.parts, at: slot, hasSwitched: hasSwitched, in: store)
        if isLast { keyings[own.keying].release(slot) }
    }

    private mutating func take(
        _ event: TraceEvent, with marks: inout KeyMarks, for goal: Concerned.Steps
    ) {
        look(at: event, with: &marks, keying: goal.keying)
        if keyings[goal.keying].isWhole,
            keyings[goal.keying].slot.map(goals[goal.index].lives) != true
        {
            guard goal.all.mean(event, with: &marks) else { return }
            let slot = keyings[goal.keying].acquire(keyings[goal.keying].given, of: event)
            goals[goal.index].begin(at: slot)
        }
        for slot in keyings[goal.keying].reached {
            goals[goal.index].take(event, with: &marks, as: goal.steps, at: slot)
        }
    }

    private mutating func moveScopes(by event: TraceEvent, _ switched: FluentStore.Switched) {
        for scoped in compiled.scoped[switched.fluent]
        where monitors[scoped.monitor].instanceCount > 0 {
            let keying = compiled.properties[scoped.monitor].keying
            let slots = keyings[keying].slots(agreeingWith: switched.binding, at: scoped.shared)
            monitors[scoped.monitor].moveScopes(of: slots, by: event, in: store)
            nextDeadline = min(nextDeadline, monitors[scoped.monitor].nextDeadline)
        }
    }

    private mutating func endStep() {
        for index in stepped { monitors[index].endStep(in: store) }
    }

    // MARK: Deadlines

    /// How much longer than it says every bound is.
    package var slack: Nanoseconds {
        get { store.slack }
        set { store.slack = newValue }
    }

    /// Decides what was due before a moment until which nothing more happened.
    package mutating func expire(before now: VirtualTime) {
        guard nextDeadline < now, case let moment = now - slack, nextDeadline < moment else {
            return
        }
        for index in monitors.indices { monitors[index].expire(before: moment) }
        findEarliest()
    }

    /// Whether an obligation with a deadline is open.
    package mutating func awaitsDeadline() -> Bool {
        for index in monitors.indices { monitors[index].findNextDeadline() }
        findEarliest()
        return nextDeadline != .never
    }

    private mutating func findEarliest() {
        nextDeadline = monitors.reduce(.never) { min($0, $1.nextDeadline) }
    }

    /// What its properties wait for, in their order.
    package var openObligations: [OpenObligation] { monitors.flatMap(\.openObligations) }

    // MARK: The end

    /// The properties and what was found of each, in their order; the trace is over, and where `isFinal`
    /// what has not come never will.
    package mutating func findings(
        isFinal: Bool = false
    ) -> [(property: Property, findings: Findings)] {
        endStep()
        step = nil
        for index in monitors.indices { monitors[index].finish(isFinal: isFinal) }
        return monitors.map { ($0.plan.property, $0.findings) }
    }

    /// How far each goal came, in their order.
    package var progress: [GoalProgress] { goals.map(\.progress) }
}
