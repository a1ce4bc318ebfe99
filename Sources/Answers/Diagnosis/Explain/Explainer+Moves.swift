import Artifacts
import Choices
import Reports
import Simulation
import Topologies

/// Steps of the script, and the starts of devices, on the other side of the events around them.
extension Explainer {
    /// How many events away from an entry those are that it is moved past first, and those that it is moved past
    /// as well where the trace shows them.
    private static let (near, far) = (1...40, 41...400)

    /// An entry of the script, or the start of a device: what it does at its moment, one thing after another.
    struct Entry {
        /// The topology with the entry at another time.
        let text: (_ time: UInt64) -> String
        let events: [EventID]
        /// The steps of the run in which its events happened.
        let steps: ClosedRange<Int>
    }

    /// An entry on the other side of an event.
    struct Crossing {
        let entry: Entry
        /// Whether the entry is later than it was, behind the other event, and not before it.
        let isBehind: Bool
        let first: EventID
        let second: EventID
        /// When the entry is then: at the time of the other event.
        let time: UInt64
        /// What its steps wait for there, and what waits for them.
        let afters: [After]
        /// Up to which step of the run nothing is different.
        let parting: Int
        /// How many steps of the run lie between.
        let distance: Int
    }

    /// An entry moved past the events around it: first where the run is the same for longest, and of these
    /// where it is moved least.
    var movedNear: [Swap] {
        swaps(of: entries, within: Self.near) {
            ($1.parting, $0.distance) < ($0.parting, $1.distance)
        }
    }

    /// An entry moved past events further away, first where it is moved least.
    var movedFar: [Swap] { swaps(of: entries, within: Self.far) { $0.distance < $1.distance } }

    /// The start of a device moved, which moves all that it does: first where it is moved least.
    var startedElsewhere: [Swap] {
        swaps(of: starts, within: Self.near.lowerBound...Self.far.upperBound) {
            $0.distance < $1.distance
        }
    }

    private func swaps(
        of entries: (TopologyParts) -> [Entry], within distances: ClosedRange<Int>,
        by isFirst: (Crossing, Crossing) -> Bool
    ) -> [Swap] {
        guard let parts = TopologyParts(task.text) else { return [] }
        let found = entries(parts).flatMap { entry in
            distances.flatMap { crossings(of: entry, at: $0) }
        }
        return found.sorted(by: isFirst).map(swap)
    }

    private func swap(_ crossing: Crossing) -> Swap {
        let isBehind = crossing.isBehind
        let other = isBehind ? crossing.second : crossing.first
        let moved = isBehind ? crossing.first : crossing.second
        return Swap(
            first: crossing.first, second: crossing.second,
            sentence: "with \(words.words(moved)) at \(Console.milliseconds(crossing.time)), "
                + "\(isBehind ? "behind" : "before") \(words.words(other))",
            ground: .moving(crossing)
        ) { $0 = sibling(of: crossing) }
    }

    /// The moment of the entry is halved between its own, where it breaks, and that where it holds.
    mutating func prove(_ crossing: Crossing) throws -> Proven? {
        let entry = crossing.entry
        let own = failing.steps[entry.steps.lowerBound].time.nanoseconds
        // At one time the steps of the script come first.
        let other = crossing.isBehind ? crossing.time + 1 : crossing.time
        guard let event = entry.events.first else { return nil }
        return try prove(halving: words.words(event), from: own, to: other) { explainer, time in
            explainer.sibling(entry, at: time)
        }
    }

    /// The failing run with an entry at another time, where it waits for nothing.
    private func sibling(_ entry: Entry, at time: UInt64) -> Sibling {
        var sibling = itself
        sibling.task.text = entry.text(time)
        sibling.schedule.afters.removeAll { entry.events.contains($0.event) }
        return sibling
    }

    /// The failing run with an entry at the time of the other event, on its other side.
    private func sibling(of crossing: Crossing) -> Sibling {
        var sibling = itself
        sibling.task.text = crossing.entry.text(crossing.time)
        let others = [crossing.first, crossing.second] + crossing.entry.events
        sibling.schedule.afters.removeAll { others.contains($0.event) }
        sibling.schedule.afters += crossing.afters
        return sibling
    }

    /// The entries of a fixed time that have happened.
    private func entries(of parts: TopologyParts) -> [Entry] {
        guard let steps = StepPlaces.steps(of: task.text) else { return [] }
        // An entry that does several things has several steps.
        let firsts = steps.indices.filter {
            $0 == 0 || steps[$0].source != steps[$0 - 1].source
        }
        return parts.moments.compactMap { moment in
            guard firsts.indices.contains(moment.place) else { return nil }
            let next = moment.place + 1
            let end = next < firsts.count ? firsts[next] : steps.count
            let events = (firsts[moment.place]..<end).compactMap { EventID("step \($0 + 1) #0") }
            let places = events.compactMap { words.step(of: $0) }
            guard let first = places.min(), let last = places.max() else { return nil }
            return Entry(
                text: { parts.text(movingStep: moment.place, to: $0) }, events: events,
                steps: first...last)
        }
    }

    /// The starts of its devices.
    private func starts(of parts: TopologyParts) -> [Entry] {
        parts.singleDevices.compactMap { device in
            let event = EventID.start(of: device)
            guard let step = words.step(of: event) else { return nil }
            return Entry(
                text: { parts.text(startingDevice: device, at: $0) }, events: [event],
                steps: step...step)
        }
    }

    /// What comes after the failure does not matter to it, and what the entry causes at a device cannot come
    /// before it.
    private func crossings(of entry: Entry, at distance: Int) -> [Crossing] {
        let before = entry.steps.lowerBound - distance
        let behind = entry.steps.upperBound + distance
        let isPossible =
            behind <= lastPick
            && (failing.steps[behind].device == nil || !words.comes(behind, of: entry.steps))
        return [
            before >= 1 && isWorthIt(before, at: distance)
                ? crossing(of: entry, before: before) : nil,
            isPossible && isWorthIt(behind, at: distance)
                ? crossing(of: entry, behind: behind) : nil,
        ].compactMap { $0 }
    }

    private func isWorthIt(_ step: Int, at distance: Int) -> Bool {
        Self.near.contains(distance) || words.shows(step)
    }

    /// At one time the steps of the script come first, where nothing says otherwise.
    private func crossing(of entry: Entry, behind other: Int) -> Crossing? {
        guard let event = words.event(at: other), !event.isEnd, let own = entry.events.first else {
            return nil
        }
        return Crossing(
            entry: entry, isBehind: true, first: own, second: event,
            time: failing.steps[other].time.nanoseconds,
            afters: entry.events.map { After(event: $0, after: event) },
            parting: entry.steps.lowerBound, distance: other - entry.steps.upperBound)
    }

    private func crossing(of entry: Entry, before other: Int) -> Crossing? {
        let (previous, record) = (failing.steps[other - 1], failing.steps[other])
        guard let event = words.event(at: other), !event.isEnd, let own = entry.events.last else {
            return nil
        }
        let waits = previous.time == record.time ? words.event(at: other - 1) : nil
        return Crossing(
            entry: entry, isBehind: false, first: event, second: own,
            time: record.time.nanoseconds,
            afters: [After(event: event, after: own)]
                + (waits.map { waits in entry.events.map { After(event: $0, after: waits) } } ?? []),
            parting: other, distance: entry.steps.lowerBound - other)
    }
}

extension EventID {
    /// Whether the run may end in it: whatever happens only after that holds.
    var isEnd: Bool { text.hasPrefix("end of the run ") }
}
