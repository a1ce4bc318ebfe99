import Basics
package import Reports

extension KillMatrix {
    /// One line that says why it is complete or is not.
    package var conclusion: String {
        let idle = exercised.count { !$0.kills }
        let bare = isWhole ? targets.count(where: \.killers.isEmpty) : 0
        return firstLine
            + (idle == 0
                ? ""
                : " No defect breaks \(idle.counted("promise")) that \(idle == 1 ? "was" : "were") exercised.")
            + (bare == 0 ? "" : " No defect is about \(bare.counted("promise")) of a clause.")
    }

    /// Whether each defect is killed, and whether all that was put to the test can fail, for other tools.
    package var suites: [TestSuite] {
        let defects = rows.map { row in
            TestCase(
                row.name, in: "defects",
                row.problem.isEmpty
                    ? .passed : .failure(type: "not killed", message: row.problem))
        }
        let promises = exercised.map { promise in
            TestCase(
                promise.promise, in: "promises",
                promise.kills
                    ? .passed : .failure(type: "no killer", message: "no defect breaks it"))
        }
        let clauses = targets.map { target in
            TestCase(
                "\(target.clause) \(target.promise)", in: "R4",
                target.killers.isEmpty
                    ? .failure(type: "no killer", message: "no defect is about it") : .passed)
        }
        return [TestSuite("defects", defects), TestSuite("promises", promises)]
            + (isWhole ? [TestSuite("R4", clauses)] : [])
    }
}
