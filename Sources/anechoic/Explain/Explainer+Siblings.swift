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
}
