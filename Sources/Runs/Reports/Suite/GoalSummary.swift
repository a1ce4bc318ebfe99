package import Promises

/// How far a suite came on the way to one goal.
package struct GoalSummary: Sendable {
    package let id: String
    /// How many steps it has.
    package let of: Int
    /// The most steps that one run has seen.
    package private(set) var steps = 0
    /// The run that came nearest, by topology and then seed.
    package private(set) var nearest: (topology: String, seed: UInt64)?

    /// The goals of a set in many runs.
    package static func all(_ goals: [Goal], in runs: [RunReport]) -> [GoalSummary] {
        var summaries = goals.map { GoalSummary(id: $0.id, of: $0.steps.count) }
        for run in runs.inOrder {
            for report in run.goals {
                guard let place = summaries.firstIndex(where: { $0.id == report.goal }),
                    report.steps > summaries[place].steps
                else { continue }
                summaries[place].steps = report.steps
                summaries[place].nearest = (run.topology, run.seed)
            }
        }
        return summaries
    }

    /// One line for a person: covered, or how far the nearest run came.
    package var line: String {
        guard let nearest else { return "gap      \(id): not one step of \(of) was seen" }
        let place = "\(nearest.topology), seed \(nearest.seed)"
        return steps == of
            ? "covered  \(id): \(place)"
            : "gap      \(id): \(steps) of \(of) steps in \(place)"
    }
}
