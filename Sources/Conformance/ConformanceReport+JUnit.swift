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
    /// A case stands for the verdict, for each clause of R4, for each other promise, and for each topology that
    /// could not be played to its end, or that promises and expects something itself.
    package var junit: String {
        let others = promises.filter { $0.topology == nil && bindsBesideItsClauses($0) }
        var clauses = JUnit.Suite("R4", matrix.rows.map(clauseCase))
        clauses.version = version
        clauses.properties = properties
        clauses.wall = Self.wall(of: runs)
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
        let decisive = row.broken.first ?? clause.promises.first
        let promise = promises.first { $0.id == decisive }
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

    /// What went wrong with a topology, or what it brings along; nil where it only serves the clauses.
    private func topologySuite(_ runs: [RunReport]) -> JUnit.Suite? {
        let name = runs[0].topology
        let own = promises.filter { $0.topology == name }
        let expects = !isPartial && runs.contains { !$0.expectations.isEmpty }
        let complaint =
            brokenEnd(of: runs) ?? own.lazy.compactMap(brokenPromise).first
            ?? (isPartial ? nil : unmetExpectation(of: runs))
        guard complaint != nil || !own.isEmpty || expects else { return nil }
        var suite = JUnit.Suite(
            name,
            [
                JUnit.Case(
                    "topology", in: name, complaint?.outcome ?? .passed,
                    shownBy: complaint?.runs ?? [])
            ])
        suite.file = outcome.files[name]
        suite.wall = Self.wall(of: runs)
        return suite
    }

    private typealias Complaint = (outcome: JUnit.Case.Outcome, runs: [RunReport])

    private static func wall(of runs: [RunReport]) -> UInt64 {
        runs.reduce(0) { $0 + ($1.wall ?? 0) }
    }

    private var topologySuites: [JUnit.Suite] {
        let runs = self.runs.map { run in
            var run = run
            // Hundreds of placements of one fault are one suite.
            if run.sweptFault != nil {
                run.topology = run.topology.split(separator: "/").dropLast().joined(separator: "/")
            }
            return run
        }
        return runs.byTopology.compactMap(topologySuite)
    }

    /// Runs that did not come to their end.
    private func brokenEnd(of runs: [RunReport]) -> Complaint? {
        let broken = runs.filter {
            ![.held, .violated, .inconclusive].contains($0.status)
        }.map { run in
            var run = run
            run.promises = []
            run.expectations = []
            return run
        }
        return broken.first.map {
            (.error(type: $0.verdict, message: $0.failure ?? $0.verdict), broken)
        }
    }

    /// A promise that the topology brings along, and that was not kept.
    private func brokenPromise(_ promise: SuiteSummary.PromiseSummary) -> Complaint? {
        let outcome = promiseCase(promise).outcome
        return outcome == .passed ? nil : (outcome, promise.failing)
    }

    /// An expectation that a run did not meet.
    private func unmetExpectation(of runs: [RunReport]) -> Complaint? {
        let names = Set(runs.map(\.topology))
        let unmet = self.unmet.filter { names.contains($0.topology) }
        return unmet.first.map { run in
            let worst = run.expectations.first { $0.verdict == .violated } ?? run.expectations[0]
            let reason = worst.reason ?? "The run ended before it was decided."
            let type = worst.verdict == .violated ? "violation" : "inconclusive"
            return (.failure(type: type, message: "\(worst.expectation): \(reason)"), unmet)
        }
    }

    private var notPlayed: [JUnit.Suite] {
        outcome.skipped.map { skipped in
            let outcome: JUnit.Case.Outcome =
                gate.demand == .vacuity
                ? .error(type: "not played", message: skipped.reason) : .skipped(skipped.reason)
            var suite = JUnit.Suite(
                skipped.name, [JUnit.Case("topology", in: skipped.name, outcome)])
            suite.file = self.outcome.files[skipped.name]
            return suite
        }
    }
}
