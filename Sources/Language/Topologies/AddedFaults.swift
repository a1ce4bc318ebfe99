package import DeviceLink
import PromiseLibrary
import Promises
package import Scenarios
import Vocabulary
import YAML

/// Faults at fixed times that a run has beside those of its script: values for whoever plays it, and steps of the
/// file that it leaves.
package enum AddedFaults: Codable, Hashable, Sendable {
    /// Those of a sweep, all over by a time, after which there is time to range again; promises alone judge.
    case swept([TimedFault], until: Nanoseconds)
    /// What a run has drawn, or what is like it, instead of faults at random.
    case drawn([TimedFault])

    fileprivate var faults: [TimedFault] {
        switch self {
        case .swept(let faults, _), .drawn(let faults): faults
        }
    }

    /// When a fault strikes, and what its step says besides; a sweep counts in nanoseconds, as events do.
    fileprivate func written(_ fault: TimedFault) -> (moment: String, words: String) {
        guard case .swept = self else { return (TimedFault.text(fault.start), fault.lasting.words) }
        let lasting = fault.length > 0 ? ", for: \(fault.length)ns" : ""
        return ("\(fault.start)ns", fault.deed.words + lasting)
    }

    /// The steps of a fault, of which the first is to have a place.
    fileprivate func steps(of fault: TimedFault, from first: Int) -> [Step] {
        let isEnded = fault.deed.name.form.following != nil
        let text = isEnded ? fault.deed.words : written(fault).words
        return Step.all(
            [VerbReader.Spoken(deed: fault.lasting, text: text)], at: .at(fault.start),
            endingAt: fault.length > 0 ? .at(fault.start + fault.length) : nil, from: first)
    }
}

extension TopologyParts {
    /// The text with faults behind the steps that it has.
    package func text(adding added: AddedFaults) -> String {
        let parts =
            switch added {
            case .swept(_, let end): recovering(from: end)
            case .drawn: withoutDrawnFaults
            }
        let steps = added.faults.map(added.written).compactMap {
            YAMLReader.tree(of: "{at: \($0.moment), \($0.words)}")
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
        case .swept(_, let end):
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
        (expectations, mustViolate, sideEffects) = ([], [], [])
        properties.properties.removeLast(expectedProperties)
        properties.keepNeededFluents()
        expectedProperties = 0
    }
}
