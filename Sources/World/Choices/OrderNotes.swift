import DeviceLink

/// In which order the racing events of a run happened, and which of them could have changed places.
package struct OrderSurvey: Equatable, Sendable {
    /// What runs have in common that differ in independent neighbours only.
    ///
    /// Such runs are linearizations of one partial order (Mazurkiewicz, 1977): events that race are in the
    /// same order. When something happened is no part of it.
    package let identity: UInt64
    /// What would put one event behind another one that it races with, and that its window lets it wait
    /// for; in the order of the run.
    package let reversals: [After]
    /// Whether each event that had to wait for another one did: its latest moment may have come first.
    package let isAsScheduled: Bool
}

/// Notes the order of a run while it goes on.
package struct OrderNotes: Sendable {
    private struct Happening: Sendable {
        let event: EventID
        let head: Head
        let time: UInt64
    }

    private var happenings: [Happening] = []
    /// What led to the last event of each device, and to all that it knew; looked up only.
    private var stories: [Int32: UInt64] = [:]
    private var allStories: UInt64 = 0
    private var airStory: UInt64 = 0
    private var identity: UInt64 = 0

    package init() {}

    /// An event happened.
    package mutating func take(_ head: Head, label: String, at time: UInt64) {
        happenings.append(
            Happening(
                event: EventID(channel: label, ordinal: head.ordinal), head: head, time: time))
        let reachesDevice = head.device >= 0
        let own = reachesDevice ? stories[head.device, default: 0] : allStories
        let story = head.owner.with(head.ordinal).with(airStory).with(own).value
        if reachesDevice {
            stories[head.device] = story
            allStories &+= story &- own
        } else {
            airStory = story
        }
        // A sum, because independent neighbours may stand in either order.
        identity &+= story
    }

    /// What is known of a run by these afters.
    package func survey(_ afters: [After]) -> OrderSurvey {
        let places = Dictionary(
            happenings.enumerated().map { ($0.element.event, $0.offset) }, uniquingKeysWith: { $1 })
        return OrderSurvey(
            identity: identity, reversals: happenings.indices.flatMap(reversals),
            isAsScheduled: afters.allSatisfy { after in
                guard let place = places[after.event] else { return true }
                return places[after.after].map { $0 < place } ?? false
            })
    }

    /// What could make the event at a place wait.
    private func reversals(of place: Int) -> [After] {
        let waiting = happenings[place]
        var found: [After] = []
        // An event that needs this one cannot be before it; only one of the air may come of another cause,
        // because both ends of a link share their connection events.
        var dependents = [waiting.head.order]
        var channels = [waiting.head.owner]
        for other in happenings[(place + 1)...] {
            guard other.time <= waiting.head.latest else { break }
            let needsIt = other.head.device >= 0 && dependents.contains(other.head.cause)
            if needsIt || channels.contains(other.head.owner) {
                dependents.append(other.head.order)
                channels.append(other.head.owner)
            } else if other.head.races(with: waiting.head),
                other.head.earliest <= waiting.head.latest
            {
                found.append(After(event: waiting.event, after: other.event))
            }
        }
        return found
    }
}
