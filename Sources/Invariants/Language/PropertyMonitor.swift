package import DeviceLink
internal import Promises
internal import Traces

/// Watches one property, event by event, as PROMISES.md defines it.
///
/// Each event comes in two halves: before the fluents have taken it, and after.
struct PropertyMonitor: Sendable {
    let property: Property
    let scope: CompiledCondition?
    let shape: BodyShape
    private(set) var findings = Findings()
    private var instances: [Binding: PropertyInstance] = [:]
    /// The bindings of the instances, in the order in which they began.
    private var order: [Binding] = []

    init(_ property: Property, in store: FluentStore) {
        self.property = property
        scope = property.scope.map { CompiledCondition($0, keys: property.keys, in: store) }
        shape = BodyShape(property, in: store)
    }

    private func isInScope(_ binding: Binding, _ store: FluentStore) -> Bool {
        scope?.holds(about: binding, in: store) ?? true
    }

    /// An event comes: what was due before it is decided, and an instance may begin with it.
    mutating func foresee(_ event: TraceEvent, in store: FluentStore) {
        for binding in order { instances[binding]?.expire(before: event.time, &findings) }
        guard let binding = Binding(property.keys, in: event), instances[binding] == nil else {
            return
        }
        begin(binding, since: event, in: store)
    }

    /// The instance without keys begins before everything else.
    mutating func begin(in store: FluentStore) {
        guard property.keys.isEmpty, let binding = Binding([], in: TraceEvent(kind: "")) else {
            return
        }
        begin(binding, since: nil, in: store)
    }

    private mutating func begin(
        _ binding: Binding, since event: TraceEvent?, in store: FluentStore
    ) {
        order.append(binding)
        instances[binding] = PropertyInstance(
            property, shape, binding, isOpen: isInScope(binding, store), since: event, &findings)
    }

    /// The fluents have taken an event; `changed` are those that it switched.
    mutating func take(_ event: TraceEvent, changed: [Int], in store: FluentStore) {
        let mayMoveScope = scope?.places.contains(where: changed.contains) == true
        var hasEnded = false
        for binding in order {
            let isMine = binding.agrees(with: event, property.keys)
            guard isMine || mayMoveScope else { continue }
            let isOpen = isInScope(binding, store)
            if isMine {
                instances[binding]?.take(event, isOpen: isOpen, in: store, &findings)
                if property.ends.match(event) {
                    instances[binding] = nil
                    hasEnded = true
                }
            } else {
                instances[binding]?.move(isOpen: isOpen, by: event, &findings)
            }
        }
        if hasEnded { order.removeAll { instances[$0] == nil } }
    }

    /// A step is over: no event of another one has been taken yet.
    mutating func endStep(in store: FluentStore) {
        guard case .always = property.body else { return }
        for binding in order { instances[binding]?.endStep(in: store, &findings) }
    }

    /// The trace is over, and where `isQuiescent` nothing will ever happen any more.
    mutating func finish(isQuiescent: Bool) {
        for binding in order where isQuiescent { instances[binding]?.settle(&findings) }
        findings.open = order.reduce(0) { $0 + (instances[$1]?.openCount ?? 0) }
    }
}

/// What a monitor has found so far.
package struct Findings: Equatable, Sendable {
    /// A broken property.
    package struct Breach: Equatable, Sendable {
        /// The instance's values, in the order of the property's keys.
        package let binding: [Field.Value]
        /// When it was broken: the time of the event, or of the deadline that passed.
        package let time: VirtualTime
        /// The events that prove it, oldest first.
        package let events: [Citation]
    }

    /// How often the property was put to the test.
    package var exercised = 0
    /// How often it was let go.
    package var excused = 0
    /// How often it was broken.
    package var breachCount = 0
    /// The first breaches; later ones are only counted, so that memory stays flat.
    package var breaches: [Breach] = []
    /// The least time that was left when an obligation was discharged; nil where none had a deadline.
    package var closestCall: Nanoseconds?
    /// How many obligations the end of the trace left open.
    package var open = 0

    /// How many breaches are kept whole.
    package static let kept = 20

    /// The verdict.
    package var verdict: Verdict.PromiseOutcome {
        if breachCount > 0 { return .violated }
        if open > 0 { return .inconclusive }
        return exercised == 0 ? .vacuous : .held
    }

    mutating func breach(_ binding: Binding, at time: VirtualTime, _ events: [Citation]) {
        breachCount += 1
        guard breaches.count < Self.kept else { return }
        breaches.append(Breach(binding: binding.values, time: time, events: events))
    }

    mutating func discharge(before deadline: VirtualTime, at time: VirtualTime) {
        guard deadline != .never else { return }
        let rest = deadline.nanoseconds - time.nanoseconds
        closestCall = min(closestCall ?? rest, rest)
    }
}
