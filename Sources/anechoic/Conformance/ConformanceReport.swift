import Foundation
import Invariants
import Promises
import Reports
import Topologies

/// What a conformance test says: clause by clause, and in one line.
struct ConformanceReport {
    private let outcome: ConformanceSuite.Outcome
    private let summary: SuiteSummary
    private let matrix: ClauseMatrix
    private let gatesVacuity: Bool
    /// The promises that count.
    private let promises: [SuiteSummary.PromiseSummary]
    private let isPartial: Bool

    init(
        _ outcome: ConformanceSuite.Outcome, outOfScope: Set<String>, only: [String],
        gatesVacuity: Bool
    ) {
        self.outcome = outcome
        self.gatesVacuity = gatesVacuity
        isPartial = !only.isEmpty
        summary = SuiteSummary(outcome.reports)
        let clauses =
            only.isEmpty
            ? ClauseTable.r4
            : ClauseTable.r4.filter { clause in
                only.contains { name in
                    clause.promise == name || Profile.clauses(named: name).contains(clause.id)
                }
            }
        matrix = ClauseMatrix(summary, clauses: clauses, outOfScope: outOfScope)
        let wanted = Set(clauses.compactMap(\.promise) + only)
        let applicable = Set(
            matrix.rows.filter { $0.outcome != .notApplicable }.compactMap(\.clause.promise))
        let known = Set(ClauseTable.r4.compactMap(\.promise))
        promises = summary.promises.filter { promise in
            (only.isEmpty || wanted.contains(promise.id))
                && (!known.contains(promise.id) || applicable.contains(promise.id))
        }
    }

    /// How the command ends.
    var status: ExitStatus {
        if outcome.isInterrupted { return .interrupted }
        let verdicts = promises.map(\.verdict)
        let failed = outcome.reports.map(\.status).filter {
            ![.held, .violated, .inconclusive].contains($0)
        }
        var status = failed.reduce(ExitStatus.held) { $0.combined(with: $1) }
        if verdicts.contains(.violated) || (!isPartial && unmet > 0) {
            status = status.combined(with: .violated)
        }
        if verdicts.contains(.inconclusive) || (gatesVacuity && !vacuous.isEmpty) {
            status = status.combined(with: .inconclusive)
        }
        if outcome.unwritten != nil { status = status.combined(with: .harnessError) }
        return status
    }

    /// How many runs broke an expectation of their topology.
    private var unmet: Int {
        outcome.reports.count { run in run.expectations.contains { $0.verdict == "violated" } }
    }

    private var vacuous: [String] { promises.filter { $0.verdict == .vacuous }.map(\.id) }

    /// The runs as JUnit XML.
    var junit: String {
        let wanted = Set(promises.map(\.id))
        let runs = outcome.reports.map { run in
            var run = run
            // Hundreds of placements of one fault are one suite.
            if run.sweptFault != nil {
                run.topology = run.topology.split(separator: "/").dropLast().joined(separator: "/")
            }
            run.promises = run.promises.filter { wanted.contains($0.promise) }
            return run
        }
        return JUnit.text(of: runs + interruption, gateVacuity: gatesVacuity)
    }

    /// A run that stands for those that were not played, so that nobody takes the rest for all.
    private var interruption: [RunReport] {
        guard outcome.isInterrupted else { return [] }
        var report = RunReport(
            topology: "interrupted", seed: 0, scheduler: "", status: .interrupted,
            ended: "not run", digest: "", steps: 0, simulated: 0)
        report.failure =
            "interrupted \(progress): the others were not played, and nothing is decided"
        return [report]
    }

    private var progress: String {
        outcome.interruptedOf.map {
            $0 == 0 ? "before the first run" : "after \(outcome.reports.count) of \($0) runs"
        } ?? ""
    }

    // MARK: Text

    var text: String {
        var parts = [matrix.text, others]
        if !isPartial { parts.append(goals) }
        parts += [sweep, skipped]
        parts += promises.compactMap(\.story).prefix(Self.stories)
        parts += failures
        parts.append(conclusion)
        return parts.filter { !$0.isEmpty }.joined(separator: "\n") + "\n"
    }

    private static let stories = 10

    /// The promises that no clause of R4 stands for.
    private var others: String {
        let clauses = Set(ClauseTable.r4.compactMap(\.promise))
        let rows = promises.filter { !clauses.contains($0.id) }.map {
            [$0.id, $0.keeper, $0.verdict.rawValue, "\($0.exercised)", $0.clause]
        }
        guard !rows.isEmpty else { return "" }
        return TextTable(
            header: ["promise", "keeper", "result", "exercised", "written in"], rows: rows
        ).text + "\n"
    }

    private var goals: String {
        let goals = GoalSummary.all(PropertyLibrary.standard.goals, in: outcome.reports)
        return goals.isEmpty ? "" : goals.map(\.line).joined(separator: "\n") + "\n"
    }

    /// What the sweep struck with.
    private var sweep: String {
        let kinds = outcome.reports.compactMap(\.sweptFault?.kind).reduce(into: [String]()) {
            if !$0.contains($1) { $0.append($1) }
        }
        guard !kinds.isEmpty else { return "" }
        return
            "single faults: each of \(kinds.count) kinds, once at every moment of the handshake in its "
            + "plain timing:\n\(kinds.joined(separator: ", "))\n"
    }

    private var skipped: String {
        guard let first = outcome.skipped.first else { return "" }
        let more = outcome.skipped.count > 1 ? " and \(outcome.skipped.count - 1) more" : ""
        return "not played, because they ask for what only the reference device has: "
            + "\(first.name) (\(first.reason))\(more)\n"
    }

    /// Runs that could not be judged to their end.
    private var failures: [String] {
        let failed = outcome.reports.filter { $0.failure != nil }
        let more = failed.count - Self.stories
        return failed.prefix(Self.stories).compactMap(Console.story)
            + (more > 0 ? ["and \(more) more runs that failed\n"] : [])
    }

    /// One line for a person.
    private var conclusion: String {
        let word =
            switch status {
            case .interrupted: "INTERRUPTED \(progress), which decides nothing"
            case .held: "CONFORMS"
            case .violated: "DOES NOT CONFORM"
            case .inconclusive: "UNDECIDED"
            default: "FAILED"
            }
        let held = promises.count { $0.verdict == .held }
        let broken = promises.count { $0.verdict == .violated }
        var line =
            "\(word): \(held) promises held, \(broken) broken, \(vacuous.count) never exercised, in "
            + "\(outcome.reports.count) runs"
        let swept = outcome.reports.compactMap(\.sweptFault)
        if !swept.isEmpty { line += " (\(swept.count) of them single faults)" }
        let failed = outcome.reports.count { $0.failure != nil }
        if failed > 0 { line += "; \(failed) runs failed" }
        return line + "."
    }
}
