import Choices

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

    /// Removes all decisions of one purpose: noise, say, seldom matters.
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

    /// Lets an event wait for the first of its overtakers that is enough: those behind it have nothing to do
    /// with the failure.
    func nameOvertakers() throws {
        guard scenario.schedule.afters.count <= Self.mostNamed else { return }
        for place in scenario.schedule.afters.indices {
            guard scenario.schedule.afters.indices.contains(place) else { return }
            let after = scenario.schedule.afters[place]
            var others = try overtakers(scenario, after).prefix { $0 != after.after }
            while !others.isEmpty {
                let middle = others.startIndex + others.count / 2
                var candidate = scenario
                candidate.schedule.afters[place] = After(event: after.event, after: others[middle])
                let count = scenario.schedule.afters.count
                let isEnough = try accept(candidate)
                // Another after has become idle, so the places have changed.
                guard scenario.schedule.afters.count == count else { return }
                others = isEnough ? others[..<middle] : others[(middle + 1)...]
            }
        }
    }

    /// With more afters than this, none of them is narrowed down.
    private static let mostNamed = 4

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
