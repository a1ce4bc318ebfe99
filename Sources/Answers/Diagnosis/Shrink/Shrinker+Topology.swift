import DeviceLink
import Simulation
import Topologies

/// What a topology can do without.
extension Shrinker {
    /// Writes the faults that the run drew as steps, so that each can go by itself.
    func spell(_ faults: [DrawnFault]) throws {
        let drawn = AddedFaults.drawn(faults.map(\.fault))
        guard let text = TopologyParts(scenario.task.text)?.text(adding: drawn)
        else { return }
        var candidate = scenario
        candidate.task.text = text
        candidate.schedule = scenario.schedule.spelling(
            faults: Dictionary(faults.map { ($0.channel, $0.item) }, uniquingKeysWith: { $1 }))
        _ = try accept(candidate)
    }

    /// Ends the run as soon as it still fails, of the usual lengths.
    ///
    /// What fails within one fails within the longer ones, as a rule.
    func cutLength() throws {
        guard let length = TopologyParts(scenario.task.text)?.length else { return }
        var lengths = [1, 2, 3, 5, 10, 20, 30].map(Nanoseconds.seconds).filter { $0 < length }
        while !lengths.isEmpty, let parts = TopologyParts(scenario.task.text) {
            let middle = lengths.count / 2
            let isEnough = try accept(text: parts.text(endingAt: lengths[middle]))
            lengths.removeSubrange(isEnough ? middle..<lengths.count : 0..<middle + 1)
        }
    }

    func dropSteps() throws {
        try minimize {
            TopologyParts($0.task.text)?.stepCount ?? 0
        } without: { scenario, places in
            guard let parts = TopologyParts(scenario.task.text) else { return scenario }
            return scenario.with(parts.text(withoutSteps: places))
        }
    }

    func dropParts() throws {
        guard var parts = TopologyParts(scenario.task.text) else { return }
        // If an item of a list is removed, the rest moves up; the next round looks at it again.
        for path in parts.paths where parts.has(path) {
            guard try accept(text: parts.text(without: path)),
                let rest = TopologyParts(scenario.task.text)
            else { continue }
            parts = rest
        }
    }

    /// Puts weaker faults in the place of those that are needed.
    func weakenFaults() throws {
        for step in 0..<(TopologyParts(scenario.task.text)?.stepCount ?? 0) {
            for text in TopologyParts(scenario.task.text)?.weakening(step: step) ?? [] {
                if try accept(text: text) { break }
            }
        }
    }
}
