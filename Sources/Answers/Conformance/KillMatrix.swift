import Basics
import Promises
package import Reports
package import Scenarios

/// Which defect breaks which promise, and so which clause.
package struct KillMatrix {
    /// One topology with a defect, played with it and without.
    package struct Row: Encodable {
        let name: String
        let defects: String
        /// The promises that are broken in every run with the defect.
        let broken: [String]
        /// Those that are broken in some of them only.
        let sometimes: [String]
        let meant: [String]
        /// Those that it cannot but break, too, each with the reason.
        let unavoidable: [Topology.SideEffect]
        /// What is wrong; empty where the defect is killed.
        let problem: String

        /// How many promises a defect may break beside those that it is about.
        private static let tolerance = 3

        package init(_ topology: Topology, sick: [RunReport], healthy: [RunReport]) {
            name = topology.name
            let defects = topology.devices.flatMap(\.defects)
            self.defects =
                defects.isEmpty ? "a fault" : Set(defects).sorted().joined(separator: ", ")
            let violated = sick.map { run in
                run.promises.filter { $0.verdict == .violated }.map(\.promise)
            }
            let all = violated.joined().uniqued
            let always = all.filter { promise in violated.allSatisfy { $0.contains(promise) } }
            (broken, sometimes) = (always, all.filter { !always.contains($0) })
            (meant, unavoidable) = (topology.mustViolate, topology.sideEffects)
            let declared = meant + unavoidable.map(\.promise)
            let undeclared = all.filter { !declared.contains($0) }
            if meant.isEmpty {
                problem = "names no promise that its defect breaks; expected `violated: PROMISE`"
            } else if let failing = sick.first(where: { $0.status != .held }) {
                let reason = failing.expectations.first { $0.verdict != .held }?.reason
                problem =
                    "survives: seed \(failing.seed) \(failing.failure ?? reason ?? failing.verdict)"
            } else if let failing = healthy.first(where: { $0.status != .held }) {
                let promise = failing.promises.first { $0.verdict == .violated }?.promise
                problem =
                    "fails without it: seed \(failing.seed) \(failing.failure ?? promise ?? failing.verdict)"
            } else if let stray = undeclared.first {
                problem = "breaks more than it declares: \(stray)"
            } else if let idle = unavoidable.first(where: { !all.contains($0.promise) }) {
                problem = "does not break what it declares: \(idle.promise)"
            } else if unavoidable.count > Self.tolerance {
                problem = "cannot avoid \(unavoidable.count) promises; at most \(Self.tolerance)"
            } else {
                problem = ""
            }
        }
    }

    /// A clause that can be tested, and the defects that are about its promise.
    struct Target: Encodable {
        let clause: String
        let promise: String
        let killers: [String]
    }

    /// One row for each topology, in their sequence.
    package let rows: [Row]
    /// The promises that some run put to the test, and whether some defect breaks them.
    let exercised: [(promise: String, kills: Bool)]
    /// Whether all shipped defects were played, so that every clause has to have its killer among them.
    let isWhole: Bool

    package init(_ rows: [Row], exercised promises: [String], isWhole: Bool) {
        self.rows = rows
        self.isWhole = isWhole
        exercised = promises.map { promise in
            (promise, rows.contains { ($0.broken + $0.sometimes).contains(promise) })
        }
    }

    /// Whether every defect is killed and breaks no more than it declares, and everything that was put to
    /// the test has a killer: each promise, and of the whole table each clause.
    package var isComplete: Bool {
        rows.allSatisfy(\.problem.isEmpty) && exercised.allSatisfy(\.kills)
            && !(isWhole && targets.contains { $0.killers.isEmpty })
    }

    /// The testable clauses of R4 with their killers.
    var targets: [Target] {
        let killed = rows.filter(\.problem.isEmpty)
        return ClauseTable.r4.flatMap { clause in
            clause.promises.map { promise in
                let killers = killed.filter { $0.meant.contains(promise) }.map(\.name)
                return Target(clause: clause.id, promise: promise, killers: killers)
            }
        }
    }

    /// All clauses of R4 with level, keeper and killers, as a table in Markdown.
    package var markdown: String {
        let killers = Dictionary(grouping: targets, by: \.clause)
            .mapValues { $0.flatMap(\.killers) }
        let rows = ClauseTable.r4.map { clause in
            let names = clause.promises.map { "`\($0)`" }.joined(separator: ", ")
            let promise = clause.untestable ?? names
            let killed = killers[clause.id, default: []].uniqued.joined(separator: ", ")
            return "| \(clause.id) | \(clause.level.rawValue) | \(clause.keeper.rawValue) | "
                + "\(clause.statement) | \(promise) | \(killed) |\n"
        }
        return
            "| clause | level | keeper | statement | promise, or why there is none | killed by |\n"
            + "|---|---|---|---|---|---|\n" + rows.joined()
    }

    /// How many defects are killed.
    var firstLine: String {
        let killed = rows.count { $0.problem.isEmpty }
        return killed < rows.count
            ? "\(killed) of \(rows.count) defects are killed."
            : "\(killed) of \(rows.count) defects are killed, and without its defect no topology breaks a promise."
    }

    /// For people; in brief without what is as it should be.
    package func text(isBrief: Bool = false) -> String {
        let shown = isBrief ? rows.filter { !$0.problem.isEmpty } : rows
        let table = TextTable(
            header: ["topology", "defect", "broken promises"],
            rows: shown.map { row in
                let often =
                    row.sometimes.isEmpty
                    ? "" : " (at times: \(row.sometimes.joined(separator: ", ")))"
                let broken = row.broken.joined(separator: ", ") + often
                return [
                    row.name, row.defects,
                    row.problem.isEmpty
                        ? broken : "\(row.problem)\(broken.isEmpty ? "" : "; broken: ")\(broken)",
                ]
            }
        ).text
        let without = exercised.filter { !$0.kills }.map(\.promise)
        var lines = [
            firstLine,
            without.isEmpty
                ? "Each of the \(exercised.count) promises that were exercised kills one."
                : "No defect breaks \(without.joined(separator: ", ")).",
        ]
        if isWhole {
            let bare = targets.filter(\.killers.isEmpty).map { "\($0.promise) of \($0.clause)" }
            let clauses = targets.map(\.clause).uniqued.count
            lines.append(
                bare.isEmpty
                    ? "Each of the \(clauses) testable clauses of R4 has a killer, for each of its promises."
                    : "No defect is about \(bare.joined(separator: ", ")).")
        }
        let clauses = TextTable(
            header: ["clause", "promise", "killed by"],
            rows: targets.map { [$0.clause, $0.promise, $0.killers.joined(separator: ", ")] })
        return (shown.isEmpty && isBrief ? "" : table + "\n")
            + (isWhole && !isBrief ? clauses.text + "\n" : "") + lines.joined(separator: "\n")
            + "\n"
    }
}
