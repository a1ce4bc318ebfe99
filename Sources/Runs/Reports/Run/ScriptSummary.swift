import Basics

/// What became of a topology's steps in one run, or in many: which did what they are there for.
struct ScriptSummary {
    /// One step of the file, which may stand for many devices (`every tag`).
    private struct Written {
        let line: Int
        /// As written, for the first of the devices.
        let step: String
        var fired = 0
        var hits = 0
        var late = 0
    }

    private var steps: [Written] = []
    private var runs = 0

    mutating func take(_ report: RunReport) {
        runs += 1
        for step in report.script {
            let place = steps.firstIndex { $0.line == step.line } ?? steps.count
            if place == steps.count { steps.append(Written(line: step.line, step: step.step)) }
            steps[place].fired += step.fired
            steps[place].hits += step.hits
            steps[place].late += step.late
        }
    }

    /// `2/3`: how many hit something, of how many there are; empty where there are none.
    var count: String {
        steps.isEmpty ? "" : "\(steps.count { $0.hits > 0 })/\(steps.count)"
    }

    /// A sentence for each step that never fired, or hit nothing.
    ///
    /// For one run also how often a step hit nothing; for many, only what is so in all of them.
    var complaints: [String] {
        steps.compactMap { step in
            complaint(about: step).map { "line \(step.line) \($0): \(step.step)" }
        }
    }

    private func complaint(about step: Written) -> String? {
        let everywhere = runs > 1 ? " in any of \(runs) runs" : ""
        if step.fired == 0, step.late > 0 {
            return "never fired\(everywhere), because its moment lies after the run's length"
        }
        if step.fired == 0 { return "never fired\(everywhere)" }
        if step.hits == 0 { return "hit nothing\(everywhere)" }
        guard runs == 1, step.hits < step.fired else { return nil }
        return "hit nothing \(step.fired - step.hits) of \(step.fired) times"
    }
}

/// What became of the steps of all topologies that were played.
package struct ScriptSummaries {
    /// In the order in which they came.
    private var names: [String] = []
    /// By the topology's name; looked up only.
    private var summaries: [String: ScriptSummary] = [:]

    package init() {}

    /// Takes a run.
    ///
    /// One that did not come to its end does not count, because its later steps had no chance.
    package mutating func take(_ report: RunReport) {
        guard [.held, .violated, .inconclusive].contains(report.status),
            report.ended != RunReport.left, !report.script.isEmpty
        else { return }
        if summaries[report.topology] == nil { names.append(report.topology) }
        summaries[report.topology, default: ScriptSummary()].take(report)
    }

    /// Steps that were never done or hit nothing, a line each: `door: steps 2/3; line 7 never fired: …`.
    ///
    /// It is no failure, but the author of the step expected an effect.
    package func lines(atMost most: Int) -> [String] {
        let all = names.sorted().flatMap { name -> [String] in
            guard let summary = summaries[name] else { return [] }
            return summary.complaints.map { "\(name): steps \(summary.count); \($0)" }
        }
        return all.capped(at: most) { "… \($0) such steps" }
    }
}

extension RunReport {
    /// `2/3`: how many of its topology's steps hit something; empty where there are none.
    var stepCount: String {
        var summary = ScriptSummary()
        summary.take(self)
        return summary.count
    }
}
