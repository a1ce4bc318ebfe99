import Basics
import Choices
import Topologies

extension Shrinker {
    /// Everything that is left, by name, and whether it still fails in the same way without it, which nothing
    /// does; nil where the budget was too small to come so far, or the user interrupted.
    package func certificate() throws -> [(item: String, failsWithout: Bool)]? {
        guard isMinimal else { return nil }
        var certificate: [(item: String, failsWithout: Bool)] = []
        for (item, rest) in reductions {
            let fails = try fails(rest)
            // A run that was cut off does not fail, and says nothing.
            if isStopped { return nil }
            certificate.append((item, fails))
        }
        return certificate
    }

    /// The scenario without one thing, for each that is left.
    private var reductions: [(item: String, rest: Scenario)] {
        let parts = TopologyParts(scenario.task.text)
        let ofText = (parts?.paths ?? []).compactMap { path in
            parts.map { ("\(path)", scenario.with($0.text(without: path))) }
        }
        let ofOrder = scenario.schedule.afters.enumerated().map { place, after in
            var rest = scenario
            rest.schedule.afters.remove(at: place)
            return (after.sentence, rest)
        }
        let ofDecisions = scenario.schedule.decisions.enumerated().map { place, decision in
            var rest = scenario
            rest.schedule.decisions.remove(at: place)
            return (decision.sentence, rest)
        }
        return ofText + ofOrder + ofDecisions
    }
}

extension After {
    /// `"timer ben/0 x #1" only after "link 1 #4"`.
    package var sentence: String { "\"\(event.text)\" only after \"\(after.text)\"" }
}

extension RecordedDecision {
    /// `timer ben/0 x #1 delay = 7ms`.
    package var sentence: String {
        let time = Quantity.duration.text(of: Int64(clamping: value))
        return "\(identity) = \(isTime ? time : "\(value)")"
    }

    /// Whether its value is a time, in nanoseconds.
    var isTime: Bool { ["delay", "phase", "advertisingDelay"].contains(purpose) }
}
