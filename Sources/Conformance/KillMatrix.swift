internal import Notation
package import Reports
package import Scenarios

/// Which defect breaks which promise.
package struct KillMatrix {
    /// One topology with a defect, played with it and without.
    package struct Row: Encodable {
        let name: String
        let defects: String
        /// The promises that are broken in every run with the defect.
        let broken: [String]
        /// Those that are broken in some of them only.
        let sometimes: [String]
        /// What is wrong; empty where the defect is killed.
        let problem: String

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
            if let failing = sick.first(where: { $0.status != .held }) {
                let reason = failing.expectations.first { $0.verdict != .held }?.reason
                problem =
                    "survives: seed \(failing.seed) \(failing.failure ?? reason ?? failing.verdict)"
            } else if let failing = healthy.first(where: { $0.status != .held }) {
                let promise = failing.promises.first { $0.verdict == .violated }?.promise
                problem =
                    "fails without it: seed \(failing.seed) \(failing.failure ?? promise ?? failing.verdict)"
            } else {
                problem = ""
            }
        }
    }

    /// One row for each topology, in their sequence.
    package let rows: [Row]
    /// The promises that some run put to the test, and whether some defect breaks them.
    private let exercised: [(promise: String, kills: Bool)]

    package init(_ rows: [Row], exercised promises: [String]) {
        self.rows = rows
        exercised = promises.map { promise in
            (promise, rows.contains { ($0.broken + $0.sometimes).contains(promise) })
        }
    }

    /// Whether every defect is killed, and every promise that was exercised kills one.
    package var isComplete: Bool {
        rows.allSatisfy(\.problem.isEmpty) && exercised.allSatisfy(\.kills)
    }

    /// What it says, for people.
    package var text: String {
        let table = TextTable(
            header: ["topology", "defect", "broken promises"],
            rows: rows.map { row in
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
        let killed = rows.count { $0.problem.isEmpty }
        let without = exercised.filter { !$0.kills }.map(\.promise)
        var lines = [
            "\(killed) of \(rows.count) defects are killed, and without its defect no topology breaks a promise."
        ]
        if killed < rows.count { lines = ["\(killed) of \(rows.count) defects are killed."] }
        if without.isEmpty {
            lines.append("Each of the \(exercised.count) promises that were exercised kills one.")
        } else {
            lines.append("No defect breaks \(without.joined(separator: ", ")).")
        }
        return table + "\n" + lines.joined(separator: "\n") + "\n"
    }
}
