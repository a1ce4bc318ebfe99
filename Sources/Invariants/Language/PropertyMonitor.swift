internal import DeviceLink
internal import Promises
internal import Traces

/// Watches one property, event by event, as PROMISES.md defines it.
///
/// Each event comes in two halves: before the fluents have taken it, and after.
struct PropertyMonitor: Sendable {
    let plan: CompiledProperty
    private(set) var findings = Findings()
    /// Instances that live, in places that are used again.
    private var instances: [PropertyInstance?] = []
    private var freePlaces: [Int] = []
    /// The place of each binding's instance.
    private var places: [Binding: Int] = [:]
    private var nextForgotten = 0
    /// No deadline lies before it.
    private(set) var nextDeadline = VirtualTime.never

    /// How many instances of which nothing is awaited are kept, so that a night's memory stays flat.
    static let capacity = 8_192

    init(_ plan: CompiledProperty, in store: FluentStore) {
        self.plan = plan
        // The instance without keys begins before everything else.
        if plan.property.keys.isEmpty { begin(.empty, since: nil, in: store) }
    }

    /// How many instances live.
    var instanceCount: Int { places.count }

    private func isInScope(_ binding: Binding, _ store: FluentStore) -> Bool {
        plan.scope?.holds(about: binding, in: store) ?? true
    }

    // MARK: Events

    /// An event comes that has all keys: an instance may begin with it.
    mutating func foresee(_ event: TraceEvent, _ binding: Binding?, in store: FluentStore) {
        guard let binding, places[binding] == nil else { return }
        guard plan.countsBeginnings || plan.patterns.match(event) else { return }
        begin(binding, since: event, in: store)
    }

    private mutating func begin(
        _ binding: Binding, since event: TraceEvent?, in store: FluentStore
    ) {
        var instance = PropertyInstance(binding)
        instance.isOpen = isInScope(binding, store)
        if instance.isOpen { instance.opened(by: event, plan, in: store, &findings) }
        nextDeadline = min(nextDeadline, instance.nextDeadline)
        if plan.mayForget, places.count >= Self.capacity { forgetOne() }
        let place = freePlaces.popLast() ?? instances.count
        if place == instances.count {
            instances.append(instance)
        } else {
            instances[place] = instance
        }
        places[binding] = place
    }

    /// Forgets one of the instances of which nothing is awaited, the longest kept first.
    private mutating func forgetOne() {
        for _ in instances.indices {
            let place = nextForgotten % instances.count
            nextForgotten = place + 1
            guard let instance = instances[place], instance.openCount == 0 else { continue }
            places[instance.binding] = nil
            instances[place] = nil
            freePlaces.append(place)
            return
        }
    }

    /// The fluents have taken an event; `binding` is what it gives the property's keys.
    mutating func take(_ event: TraceEvent, _ binding: Binding?, in store: FluentStore) {
        if let binding {
            if let place = places[binding] { take(event, at: place, in: store) }
            return
        }
        for place in instances.indices {
            guard let instance = instances[place],
                instance.binding.agrees(with: event, plan.property.keys)
            else { continue }
            take(event, at: place, in: store)
        }
    }

    private mutating func take(_ event: TraceEvent, at place: Int, in store: FluentStore) {
        guard var instance = instances[place] else { return }
        instances[place] = nil
        let isLast = plan.property.ends.match(event)
        instance.take(
            event, isOpen: isInScope(instance.binding, store), isLast: isLast, plan, in: store,
            &findings)
        if isLast {
            places[instance.binding] = nil
            freePlaces.append(place)
        } else {
            nextDeadline = min(nextDeadline, instance.nextDeadline)
            instances[place] = instance
        }
    }

    /// Fluents have been switched by an event; `binding` is what it gives the property's keys, and an
    /// instance that has taken the event has moved already.
    mutating func moveScopes(
        by event: TraceEvent, _ changes: [FluentStore.Change], in store: FluentStore
    ) {
        guard !places.isEmpty, changes.contains(where: { plan.isScoped(by: $0.fluent) }) else {
            return
        }
        for place in instances.indices {
            guard let instance = instances[place] else { continue }
            let isOpen = isInScope(instance.binding, store)
            guard isOpen != instance.isOpen else { continue }
            instances[place]?.move(isOpen: isOpen, by: event, plan, in: store, &findings)
            nextDeadline = min(nextDeadline, instances[place]?.nextDeadline ?? .never)
        }
    }

    // MARK: Time

    /// Decides what was due before a moment.
    mutating func expire(before moment: VirtualTime) {
        guard nextDeadline < moment else { return }
        for place in instances.indices { instances[place]?.expire(before: moment, &findings) }
        findNextDeadline()
    }

    /// Looks for the first deadline among what is open now.
    mutating func findNextDeadline() {
        nextDeadline = instances.reduce(.never) { min($0, $1?.nextDeadline ?? .never) }
    }

    /// A step is over: no event of another one has been taken yet.
    mutating func endStep(in store: FluentStore) {
        for place in instances.indices {
            instances[place]?.endStep(plan, in: store, &findings)
        }
    }

    /// The trace is over, and where `isQuiescent` nothing will ever happen any more.
    mutating func finish(isQuiescent: Bool) {
        for place in instances.indices where isQuiescent { instances[place]?.settle(&findings) }
        findings.open = instances.reduce(0) { $0 + ($1?.openCount ?? 0) }
    }
}
