package import Promises
package import Traces

/// Judges a trace by properties: the monitors of a set, and the fluents they speak of.
package struct PropertyBook: Sendable {
    private var store: FluentStore
    private var monitors: [PropertyMonitor]
    private var step: UInt64?
    private var isQuiescent = false

    /// Monitors that have seen nothing.
    ///
    /// Every fluent that a property names must be in the set.
    package init(_ set: PropertySet) {
        let store = FluentStore(set.fluents)
        self.store = store
        monitors = set.properties.map { PropertyMonitor($0, in: store) }
        for index in monitors.indices { monitors[index].begin(in: store) }
    }

    /// Takes the next event.
    package mutating func observe(_ event: TraceEvent) {
        if let step, step != event.step { endStep() }
        step = event.step
        for index in monitors.indices { monitors[index].foresee(event, in: store) }
        let changed = store.take(event)
        for index in monitors.indices {
            monitors[index].take(event, changed: changed, in: store)
        }
        if event.kind == "run.ended" { isQuiescent = event.text("reason") == "quiescent" }
    }

    private mutating func endStep() {
        for index in monitors.indices { monitors[index].endStep(in: store) }
    }

    /// What was found, in the order of the properties; the trace is over.
    package mutating func findings() -> [Findings] {
        endStep()
        for index in monitors.indices { monitors[index].finish(isQuiescent: isQuiescent) }
        return monitors.map(\.findings)
    }
}
