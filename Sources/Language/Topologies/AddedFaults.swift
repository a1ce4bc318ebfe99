package import DeviceLink
import PromiseLibrary
import Promises
package import Scenarios
import Traces
import Vocabulary
import YAML

/// Faults that a run has beside those of its script: values for whoever plays it, and steps of the file that it
/// leaves.
package enum AddedFaults: Codable, Hashable, Sendable {
    /// What a fault strikes at again and again: each occurrence of an event, so many times at most.
    package struct Recurrence: Codable, Hashable, Sendable {
        /// The kind of event, as a pattern names it.
        package var kind: String
        package var device: String
        package var times: Int

        package init(of kind: String, on device: String, times: Int) {
            (self.kind, self.device, self.times) = (kind, device, times)
        }

        /// As a step says it.
        fileprivate var words: String {
            "when: \(kind) on \(device), times: \(times)"
        }
    }

    /// Those of a sweep, all over by a time, after which there is time to range again; promises alone judge.
    ///
    /// Where they strike at each occurrence of an event, their times count from it.
    case swept([TimedFault], each: Recurrence? = nil, until: Nanoseconds)
    /// What a run has drawn, or what is like it, instead of faults at random.
    case drawn([TimedFault])

    fileprivate var faults: [TimedFault] {
        switch self {
        case .swept(let faults, _, _), .drawn(let faults): faults
        }
    }

    /// When a fault strikes, and what its step says besides; a sweep counts in nanoseconds, as events do.
    fileprivate func written(_ fault: TimedFault) -> (moment: String, words: String) {
        guard case .swept(_, let recurrence, _) = self else {
            return ("at: \(TimedFault.text(fault.start))", fault.lasting.words)
        }
        let lasting = fault.length > 0 ? ", for: \(fault.length)ns" : ""
        let moment =
            recurrence.map { "\($0.words), after: \(fault.start)ns" } ?? "at: \(fault.start)ns"
        return (moment, fault.deed.words + lasting)
    }

    private func moment(_ time: Nanoseconds) -> Step.Moment {
        guard case .swept(_, let recurrence?, _) = self else { return .at(time) }
        return .when(
            EventPattern(kind: recurrence.kind, device: recurrence.device), after: time, skip: 0,
            times: recurrence.times)
    }

    /// The steps of a fault, of which the first is to have a place.
    fileprivate func steps(of fault: TimedFault, from first: Int) -> [Step] {
        let isEnded = fault.deed.name.form.following != nil
        let text = isEnded ? fault.deed.words : written(fault).words
        return Step.all(
            [VerbReader.Spoken(deed: fault.lasting, text: text)], at: moment(fault.start),
            endingAt: fault.length > 0 ? moment(fault.start + fault.length) : nil, from: first)
    }
}

extension TopologyParts {
    /// The text with faults behind the steps that it has.
    package func text(adding added: AddedFaults) -> String {
        let parts =
            switch added {
            case .swept(_, _, let end): recovering(from: end)
            case .drawn: withoutDrawnFaults
            }
        let steps = added.faults.map(added.written).compactMap {
            YAMLReader.tree(of: "{\($0.moment), \($0.words)}")
        }
        return parts.changingSteps { $0 + steps }.text
    }
}

extension Topology {
    /// What ``TopologyParts/text(adding:)`` says, but for the places of its steps in a file; nil where something is
    /// expected besides, because that is known by its line there.
    package func adding(_ added: AddedFaults) -> Topology? {
        var topology = self
        switch added {
        case .swept(_, _, let end):
            topology.length = TopologyParts.length(length, recoveringFrom: end)
            topology.expectNothing()
        case .drawn:
            guard expectations.isEmpty, expectedProperties == 0 else { return nil }
            topology.randomFaults = randomFaults.flatMap {
                $0.heals ? RandomFaults(between: $0.between, rates: [], heals: true) : nil
            }
        }
        for fault in added.faults {
            topology.steps += added.steps(of: fault, from: topology.steps.count)
        }
        return topology
    }

    private mutating func expectNothing() {
        // What a defect may break stays so among faults; beside one that must break something it says nothing.
        if !mustViolate.isEmpty { sideEffects = [] }
        (expectations, mustViolate) = ([], [])
        properties.properties.removeLast(expectedProperties)
        properties.keepNeededFluents()
        expectedProperties = 0
    }
}
