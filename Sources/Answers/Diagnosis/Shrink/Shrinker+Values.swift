import Choices
import Topologies

/// What can be said more plainly.
extension Shrinker {
    func simplifyValues() throws {
        try roundDecisions()
        try beginEarlier()
        for path in TopologyParts(scenario.task.text)?.values ?? [] {
            for text in TopologyParts(scenario.task.text)?.simplifying(path) ?? [] {
                if try accept(text: text) { break }
            }
        }
        if let text = TopologyParts(scenario.task.text)?.textInOrder { _ = try accept(text: text) }
    }

    /// Lets the script begin earlier, as a whole: a shorter run is enough then.
    private func beginEarlier() throws {
        for moment in Plainness.moments {
            guard let text = TopologyParts(scenario.task.text)?.text(beginningAt: moment) else {
                return
            }
            if try accept(text: text) { return }
        }
    }

    /// Rounds the values of decisions, all at once if that will do.
    private func roundDecisions() throws {
        var candidate = scenario
        for place in candidate.schedule.decisions.indices {
            let value = candidate.schedule.decisions[place].value
            let nearest = candidate.schedule.decisions[place].plainer.prefix(2).min {
                max($0, value) - min($0, value) < max($1, value) - min($1, value)
            }
            candidate.schedule.decisions[place].value = nearest ?? value
        }
        if try accept(candidate) { return }
        for decision in scenario.schedule.decisions {
            for value in decision.plainer {
                guard let place = scenario.schedule.decisions.firstIndex(of: decision) else {
                    break
                }
                var candidate = scenario
                candidate.schedule.decisions[place].value = value
                if try accept(candidate) { break }
            }
        }
    }
}

extension RecordedDecision {
    /// Values that are plainer, the plainest first.
    ///
    /// Keys and spoilt bytes are hashed: every value is as good as another one of its size.
    fileprivate var plainer: [UInt64] {
        ["key", "spoil"].contains(purpose)
            ? Array((1...8).prefix { $0 < value }) : Plainness.roundings(of: value)
    }
}
