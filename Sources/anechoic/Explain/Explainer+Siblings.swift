import Orchestration
import Reports
import Simulation
import Topologies

/// Runs that are like the failing one but for one thing.
extension Explainer {
    struct Sibling {
        var task: RunTask
        var schedule: Schedule
    }

    /// What puts two events the other way round.
    struct Swap {
        /// The one that is first in the failing run.
        let first: EventID
        let second: EventID
        let change: (inout Sibling) -> Void
    }

    var itself: Sibling { Sibling(task: task, schedule: failing.schedule) }

    /// Whether nothing more may be played.
    var isExhausted: Bool { explanation.candidates >= mostReplays || runner.isInterrupted }

    /// Whether a sibling passes, which then keeps of its schedule only what makes a difference.
    mutating func passes(_ sibling: inout Sibling) throws -> Bool {
        guard !isExhausted else { return false }
        explanation.candidates += 1
        // A run that a device has cut short says nothing of how long one is that holds.
        let isCut = failing.report.status == .deviceFailed
        do {
            let (report, idle) = try runner.judge(
                sibling.task, by: .schedule(sibling.schedule),
                mostSteps: isCut ? .max : Study.mostSteps(of: failing))
            guard report.status == .held else { return false }
            sibling.schedule.subtract(idle)
            return true
        } catch is TopologyError {
            // A step may come to lie behind the end.
            return false
        }
    }

    /// One ordering of the schedule taken back, the latest first.
    var takenBack: [Swap] {
        failing.schedule.afters.reversed().map { after in
            Swap(first: after.after, second: after.event) { sibling in
                sibling.schedule.afters.removeAll { $0 == after }
            }
        }
    }

    /// Two events the other way round, of which either could have been first, the latest first.
    func picked(_ rivals: KeyPath<Pick, [EventID]>) -> [Swap] {
        failing.picks.prefix(lastPick + 1).reversed().flatMap { pick in
            pick[keyPath: rivals].filter { words.step(of: $0) != nil }.map { rival in
                Swap(first: pick.event, second: rival) { sibling in
                    // Neither waits for anything else any more, least of all for the other one.
                    sibling.schedule.afters.removeAll {
                        $0.event == pick.event || $0.event == rival
                    }
                    sibling.schedule.afters.append(After(event: pick.event, after: rival))
                }
            }
        }
    }

    /// How many events a step of the script is moved past, in each direction.
    private static let reach = 40

    /// A step of the script moved past the events around it, the nearest first.
    var moved: [Swap] {
        guard let parts = TopologyParts(task.text), let firsts = firstSteps else { return [] }
        return parts.moments.flatMap { step -> [Swap] in
            guard firsts.indices.contains(step.place),
                let own = EventID("step \(firsts[step.place] + 1) #0")
            else { return [] }
            return crossings(of: own).map { crossing in
                Swap(first: crossing.first, second: crossing.second) { sibling in
                    sibling.task.text = parts.text(
                        movingStep: step.place, to: crossing.time)
                }
            }
        }
    }

    /// For each entry of the script the place of its first step: one that does several things has several.
    private var firstSteps: [Int]? {
        guard let steps = StepPlaces.steps(of: task.text) else { return nil }
        return steps.indices.filter { $0 == 0 || steps[$0].source != steps[$0 - 1].source }
    }

    /// Which events a step would cross, and where it would be then.
    private func crossings(
        of own: EventID
    ) -> [(first: EventID, second: EventID, time: UInt64)] {
        guard let place = words.step(of: own) else { return [] }
        let behind = failing.steps[(place + 1)...].prefix(Self.reach).compactMap { other in
            EventID(other.event).map { (own, $0, other.time.nanoseconds + 1) }
        }
        let before = failing.steps[..<place].reversed().prefix(Self.reach).compactMap { other in
            EventID(other.event).map { ($0, own, max(other.time.nanoseconds, 1) - 1) }
        }
        return (0..<max(behind.count, before.count)).flatMap { place in
            [behind, before].compactMap { $0.indices.contains(place) ? $0[place] : nil }
        }
    }
}
