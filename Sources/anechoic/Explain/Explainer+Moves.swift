import Orchestration
import Simulation
import Topologies

/// Steps of the script on the other side of the events around them.
extension Explainer {
    /// Past how many events a step is moved, in each direction.
    private static let reach = 40

    /// A step of the script on the other side of an event.
    private struct Crossing {
        let first: EventID
        let second: EventID
        /// When the step is then: at the time of the other event.
        let time: UInt64
        /// What it waits for there, and what waits for it.
        let afters: [After]
        /// Up to which place of the run nothing is different.
        let parting: Int
        /// How many events it is moved past, and the other ones of their time.
        let distance: Int
    }

    /// A step of the script moved past the events around it: first where the run is the same for longest, and
    /// of these where it is moved least.
    var moved: [Swap] {
        guard let parts = TopologyParts(task.text), let firsts = firstSteps else { return [] }
        let candidates = parts.moments.flatMap { moment -> [(step: Int, Crossing)] in
            guard firsts.indices.contains(moment.place),
                let own = EventID("step \(firsts[moment.place] + 1) #0")
            else { return [] }
            return crossings(of: own).map { (moment.place, $0) }
        }
        return candidates.sorted {
            ($1.1.parting, $0.1.distance) < ($0.1.parting, $1.1.distance)
        }.map { step, crossing in
            Swap(first: crossing.first, second: crossing.second) { sibling in
                sibling.task.text = parts.text(movingStep: step, to: crossing.time)
                sibling.schedule.afters += crossing.afters
            }
        }
    }

    /// For each entry of the script the place of its first step: one that does several things has several.
    private var firstSteps: [Int]? {
        guard let steps = StepPlaces.steps(of: task.text) else { return nil }
        return steps.indices.filter { $0 == 0 || steps[$0].source != steps[$0 - 1].source }
    }

    private func crossings(of own: EventID) -> [Crossing] {
        guard let place = words.step(of: own) else { return [] }
        // What comes after the failure does not matter to it.
        let last = max(min(place + Self.reach, lastPick), place)
        return (max(place - Self.reach, 1)..<max(place, 1)).compactMap {
            crossing(of: own, at: place, before: $0)
        } + (place..<last).compactMap { crossing(of: own, at: place, behind: $0 + 1) }
    }

    /// At one time steps of the script come first, where nothing says otherwise.
    private func crossing(of own: EventID, at place: Int, behind other: Int) -> Crossing? {
        guard let event = EventID(failing.steps[other].event) else { return nil }
        return Crossing(
            first: own, second: event, time: failing.steps[other].time.nanoseconds,
            afters: [After(event: own, after: event)], parting: place, distance: other - place)
    }

    private func crossing(of own: EventID, at place: Int, before other: Int) -> Crossing? {
        let (previous, record) = (failing.steps[other - 1], failing.steps[other])
        guard let event = EventID(record.event) else { return nil }
        let waits = previous.time == record.time ? EventID(previous.event) : nil
        return Crossing(
            first: event, second: own, time: record.time.nanoseconds,
            afters: [After(event: event, after: own)]
                + (waits.map { [After(event: own, after: $0)] } ?? []),
            parting: other, distance: place - other)
    }
}
