import Simulation
import Topologies
import Traces

extension Shrinker {
    /// Everything that is left, by name, and whether it still fails in the same way without it, which
    /// nothing does; nil where the budget was too small to come so far.
    func certificate() throws -> [(item: String, failsWithout: Bool)]? {
        guard isMinimal else { return nil }
        var certificate: [(item: String, failsWithout: Bool)] = []
        if let parts = TopologyParts(scenario.task.text) {
            for path in parts.paths {
                let rest = scenario.with(parts.text(without: path))
                certificate.append(("\(path)", try fails(rest)))
            }
        }
        for (place, after) in scenario.schedule.afters.enumerated() {
            var rest = scenario
            rest.schedule.afters.remove(at: place)
            certificate.append((after.sentence, try fails(rest)))
        }
        for (place, decision) in scenario.schedule.decisions.enumerated() {
            var rest = scenario
            rest.schedule.decisions.remove(at: place)
            certificate.append((decision.sentence, try fails(rest)))
        }
        return certificate
    }
}

extension After {
    /// For people.
    var sentence: String { "\"\(event.text)\" only after \"\(after.text)\"" }
}

extension RecordedDecision {
    /// For people.
    var sentence: String { "\(identity) = \(isTime ? time : "\(value)")" }

    private var isTime: Bool { ["delay", "phase", "advertisingDelay"].contains(purpose) }

    private var time: String { Quantity.duration.text(of: Int64(clamping: value)) }
}
