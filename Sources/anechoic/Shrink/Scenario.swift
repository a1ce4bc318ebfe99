import Orchestration
import Simulation

/// What fails: a topology and a schedule, and the seed that its devices draw from.
struct Scenario: Hashable {
    var task: RunTask
    var schedule: Schedule

    /// How much there is of it.
    var size: Size {
        Size(
            lines: task.text.split(separator: "\n").count, afters: schedule.afters.count,
            decisions: schedule.decisions.count)
    }

    struct Size: Codable, Equatable {
        var lines: Int
        var afters: Int
        var decisions: Int
    }
}
