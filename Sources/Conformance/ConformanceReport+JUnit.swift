internal import DeviceLink
internal import Invariants
internal import Monitors
internal import Notation
internal import Promises
internal import Reports

// What a CI server reads.
extension ConformanceReport {
    /// JUnit XML, without failure and error where the status is 0, and only there.
    ///
    /// A case stands for the verdict, for each clause of R4, for each other promise, and for each topology:
    /// whether its runs came to their end, and what the topology itself promises and expects.
    package var junit: String {
        let others = promises.filter { $0.topology == nil && bindsBesideItsClauses($0) }
        var clauses = JUnit.Suite("R4", matrix.rows.map(clauseCase))
        clauses.version = version
        return JUnit.text(
            of: [verdictSuite, clauses]
                + (others.isEmpty ? [] : [JUnit.Suite("promises", others.map(promiseCase))])
                + topologySuites + notPlayed)
    }

    private var verdictSuite: JUnit.Suite {
        let outcome: JUnit.Case.Outcome =
            switch status {
            case .held: .passed
            case .violated: .failure(type: status.word, message: conclusion)
            default: .error(type: status.word, message: conclusion)
            }
        var suite = JUnitFile.suite(outcome)
        suite.version = version
        suite.properties = properties
        return suite
    }

    // MARK: Clauses and promises

    private func clauseCase(_ row: ClauseMatrix.Row) -> JUnit.Case {
        let clause = row.clause
        let promise = promises.first { $0.id == clause.promise }
        let outcome: JUnit.Case.Outcome =
            switch row.outcome {
            case .pass: .passed
            case .fail, .inconclusive(.leftOpen): complaint(about: promise, at: clause.level)
            case .inconclusive(.notExercised):
                gate.demands(clause)
                    ? .failure(type: "vacuous", message: "never exercised")
                    : .skipped("never exercised")
            case .notTestable: .skipped("not testable: \(clause.untestable ?? "")")
            case .notApplicable: .skipped("it does not bind the device")
            }
        return JUnit.Case(
            clause.id, in: "R4.\(clause.keeper.rawValue)", outcome,
            shownBy: promise?.failing ?? [])
    }

    private func promiseCase(_ promise: SuiteSummary.PromiseSummary) -> JUnit.Case {
        let outcome: JUnit.Case.Outcome =
            switch promise.verdict {
            case .held: .passed
            case .violated, .inconclusive: complaint(about: promise, at: level(of: promise))
            case .vacuous:
                gate.demand == .vacuity
                    ? .failure(type: "vacuous", message: "never exercised")
                    : .skipped("never exercised")
            }
        return JUnit.Case(
            promise.id, in: promise.topology ?? "promises", outcome, shownBy: promise.failing)
    }

    /// What is said of a promise that was broken or left open, where it binds as much as this.
    private func complaint(
        about promise: SuiteSummary.PromiseSummary?, at level: Property.Level
    ) -> JUnit.Case.Outcome {
        let isOpen = promise?.verdict == .inconclusive
        let violation = promise?.failing.first?.promises.first?.violations.first
        let sentence =
            isOpen
            ? "the run ended before it was decided"
            : violation?.sentence ?? promise?.sentence ?? "it was not kept"
        guard gate.fails(level) else { return .skipped("\(level.rawValue), not kept: \(sentence)") }
        return .failure(type: isOpen ? "inconclusive" : "violation", message: sentence)
    }

    // MARK: Topologies

    private var topologySuites: [JUnit.Suite] {
        let runs = outcome.reports.map { run in
            var run = run
            // Hundreds of placements of one fault are one suite.
            if run.sweptFault != nil {
                run.topology = run.topology.split(separator: "/").dropLast().joined(separator: "/")
            }
            return run
        }
        return runs.byTopology.map { runs in
            let name = runs[0].topology
            var suite = JUnit.Suite(
                name,
                [endingCase(of: runs)]
                    + promises.filter { $0.topology == name }.map(promiseCase)
                    + (isPartial ? [] : expectationCases(of: runs)))
            suite.file = outcome.files[name]
            suite.wall = runs.reduce(0) { $0 + ($1.wall ?? 0) }
            return suite
        }
    }

    /// Whether every run came to its end.
    private func endingCase(of runs: [RunReport]) -> JUnit.Case {
        let broken = runs.filter {
            ![.held, .violated, .inconclusive].contains($0.status)
        }.map { run in
            var run = run
            run.promises = []
            run.expectations = []
            return run
        }
        let outcome = broken.first.map {
            JUnit.Case.Outcome.error(type: $0.verdict, message: $0.failure ?? $0.verdict)
        }
        return JUnit.Case("run", in: runs[0].topology, outcome ?? .passed, shownBy: broken)
    }

    /// One case for each text; two lines that say the same come to the same.
    private func expectationCases(of runs: [RunReport]) -> [JUnit.Case] {
        runs.flatMap(\.expectations).map(\.expectation).uniqued.map { text in
            func showing(_ verdict: Verdict.Outcome) -> [RunReport] {
                runs.compactMap { run in
                    run.expectations.first { $0.expectation == text && $0.verdict == verdict }
                        .map { run.only($0) }
                }
            }
            let (violated, open) = (showing(.violated), showing(.inconclusive))
            let outcome: JUnit.Case.Outcome
            if let first = violated.first {
                let reason = first.expectations.first?.reason ?? "It was not met."
                outcome = .failure(type: "violation", message: reason)
            } else if open.isEmpty {
                outcome = .passed
            } else {
                outcome = .failure(
                    type: "inconclusive", message: "the run ended before it was decided")
            }
            return JUnit.Case(
                text, in: runs[0].topology, outcome, shownBy: violated.isEmpty ? open : violated)
        }
    }

    private var notPlayed: [JUnit.Suite] {
        outcome.skipped.map { skipped in
            let outcome: JUnit.Case.Outcome =
                gate.demand == .vacuity
                ? .error(type: "not played", message: skipped.reason) : .skipped(skipped.reason)
            var suite = JUnit.Suite(
                skipped.name, [JUnit.Case("run", in: skipped.name, outcome)])
            suite.file = self.outcome.files[skipped.name]
            return suite
        }
    }
}
