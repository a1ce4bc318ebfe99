import Basics
package import DeviceLink
import Promises
import Traces

/// Something that a promise or an expectation waits for, in words.
package struct OpenObligation: Encodable, Equatable, Sendable {
    /// The promise's id; `expected in line 9` for an expectation of the topology.
    package let promise: String
    /// Which session, link or pair it is about.
    package let about: String
    /// What has to happen.
    package let awaited: String
    /// The number of the event that opened it; nil where it is open from the beginning.
    package let since: UInt64?
    /// When it is too late, in nanoseconds; nil where no time is set, or its keeper is frozen.
    package let deadline: UInt64?

    /// Something that is waited for; `never` for what has no deadline.
    package init(
        promise: String, about: String, awaited: String, since: Citation? = nil,
        deadline: VirtualTime = .never
    ) {
        self.promise = promise
        self.about = about
        self.awaited = awaited
        self.since = since?.number
        self.deadline = deadline == .never ? nil : deadline.nanoseconds
    }
}

extension PropertyMonitor {
    /// What its instances wait for.
    var openObligations: [OpenObligation] {
        living.filter { $0.openCount > 0 }.flatMap { instance in
            instance.obligations.map { open in
                OpenObligation(
                    promise: plan.property.id, about: about(instance),
                    awaited: plan.property.body.awaited(after: instance.count) + same(open),
                    since: open.cause, deadline: open.deadline)
            } + missing(instance)
        }
    }

    private func about(_ instance: PropertyInstance) -> String {
        let property = plan.property
        guard !property.keys.isEmpty else { return property.body.devices.joined(separator: ", ") }
        return pairs(property.keys.map(\.name), with: instance.values)
    }

    private func same(_ open: PropertyInstance.Obligation) -> String {
        open.values.isEmpty
            ? "" : " with " + pairs(plan.terms.same.map(\.name), with: open.values)
    }

    private func pairs(_ names: [String], with values: [Field.Value]) -> String {
        zip(names, values).map { "\($0) \($1.plain)" }.joined(separator: ", ")
    }

    private func missing(_ instance: PropertyInstance) -> [OpenObligation] {
        guard instance.openCount > instance.obligations.count else { return [] }
        return [
            OpenObligation(
                promise: plan.property.id, about: about(instance),
                awaited:
                    "\(instance.least - instance.count) more of \(plan.property.body.awaited())")
        ]
    }
}

extension Property.Body {
    /// The devices that it names, each once.
    fileprivate var devices: [String] {
        let patterns: [EventPattern] =
            switch self {
            case .response(let when, let then, _, _, _): when + then
            case .existence(let steps, _): steps.flatMap(\.self)
            case .count(let events, _, _): events
            case .never, .precedence, .correlation, .always, .atMost, .machine: []
            }
        return patterns.compactMap(\.device).uniqued
    }

    /// The events that are awaited once so many of those in order have been seen.
    fileprivate func awaited(after seen: Int = 0) -> String {
        switch self {
        case .response(_, let then, _, _, _): then.words
        case .existence(let steps, _): steps[seen].words
        case .count(let events, _, _): events.words
        case .never, .precedence, .correlation, .always, .atMost, .machine: ""
        }
    }
}
