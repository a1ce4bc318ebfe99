import Simulation

/// What a schedule can do without.
extension Shrinker {
    /// Most failures need no particular schedule.
    func makePlain() throws {
        var candidate = scenario
        candidate.schedule = Schedule()
        _ = try accept(candidate)
    }

    func dropSchedule() throws {
        try minimize(\.schedule.decisions)
        try minimize(\.schedule.afters)
    }

    /// Leaves out all decisions that are for one thing: noise, say, seldom matters.
    func dropPurposes() throws {
        var counts: [String: Int] = [:]
        for decision in scenario.schedule.decisions { counts[decision.purpose, default: 0] += 1 }
        guard counts.count > 1 else { return }
        for (purpose, _) in counts.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
            var candidate = scenario
            candidate.schedule.decisions.removeAll { $0.purpose == purpose }
            _ = try accept(candidate)
        }
    }

    private func minimize<Element>(_ list: WritableKeyPath<Scenario, [Element]>) throws {
        try minimize {
            $0[keyPath: list].count
        } without: { scenario, places in
            var candidate = scenario
            candidate[keyPath: list].removeSubrange(places)
            return candidate
        }
    }
}

extension RecordedDecision {
    /// What it is for, as its identity says.
    var purpose: String {
        identity.split(separator: " ").last { UInt64($0) == nil }.map(String.init) ?? ""
    }
}
