import Artifacts
import Basics
import DeviceLink
import Invariants
import Monitors
import Promises
package import Reports

// What other tools read.
extension ConformanceReport {
    /// What was found, with failures and errors where the status is not 0, and only there.
    ///
    /// A case stands for the verdict, for each clause of R4, for each other promise, and for each topology that
    /// could not be played to its end, or that promises and expects something itself.
    package var results: TestResults {
        var results = TestResults(of: "conform", version: version)
        (results.status, results.conclusion) = (status, conclusion)
        results.properties = properties
        let others = promises.filter { $0.topology == nil && bindsBesideItsClauses($0) }
        var clauses = TestSuite("R4", matrix.rows.map(clauseCase))
        clauses.version = version.isEmpty ? nil : version
        clauses.properties = properties
        clauses.wall = Self.wall(of: runs)
        results.found =
            [clauses]
            + (others.isEmpty ? [] : [TestSuite("promises", others.map(promiseCase))])
            + topologySuites + notPlayed
        return results
    }

    // MARK: Clauses and promises

    private func clauseCase(_ row: ClauseMatrix.Row) -> TestCase {
        let clause = row.clause
        let decisive = row.broken.first ?? clause.promises.first
        let promise = promises.first { $0.id == decisive }
        let outcome: TestCase.Outcome =
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
        var test = TestCase(
            clause.id, in: "R4.\(clause.keeper.rawValue)", outcome,
            shownBy: promise?.failing ?? [])
        test.rules = [Rule(clause)]
        test.place = place(of: test, keptBy: clause.keeper)
        return test
    }

    private func promiseCase(_ promise: SuiteSummary.PromiseSummary) -> TestCase {
        let outcome: TestCase.Outcome =
            switch promise.verdict {
            case .held: .passed
            case .violated, .inconclusive: complaint(about: promise, at: level(of: promise))
            case .vacuous:
                gate.demand == .vacuity
                    ? .failure(type: "vacuous", message: "never exercised")
                    : .skipped("never exercised")
            }
        var test = TestCase(
            promise.id, in: promise.topology ?? "promises", outcome, shownBy: promise.failing)
        test.rules = [Rule(promise.about)]
        test.place = place(of: test, keptBy: promise.about.keeper)
        return test
    }

    /// Where it can be seen, as far as the user wrote it: in what the program under test claims that has to keep it, or
    /// in the program; or else in the topology of the first run that shows it.
    ///
    /// A program is seldom kept beside its sources, and a topology that ships never is.
    private func place(of test: TestCase, keptBy keeper: Property.Keeper?) -> SourcePlace? {
        let program: String? =
            switch keeper {
            case .accessory?: devices.accessory
            case .app?, .appleDevice?: devices.app
            case .link?, nil: nil
            }
        let topology = test.evidence.first.flatMap { file(of: $0.topology) }
        let isOwn = program == nil && files.suite != nil
        return ((isOwn ? topology : files.pics) ?? program ?? topology).map { SourcePlace($0) }
    }

    /// The file of a topology; that of a placement of a fault has none.
    private func file(of topology: String) -> String? { outcome.files[topology] }

    /// What is said of a promise that was broken or left open, where it binds as much as this.
    private func complaint(
        about promise: SuiteSummary.PromiseSummary?, at level: Property.Level
    ) -> TestCase.Outcome {
        let isOpen = promise?.verdict == .inconclusive
        let violation = promise?.failing.first?.promises.first?.violations.first
        let sentence =
            isOpen
            ? "the run ended before it was decided"
            : violation?.sentence ?? promise?.about.sentence ?? "it was not kept"
        if let excuse = promise.flatMap({ excuse(for: $0) }) { return .skipped("known: \(excuse)") }
        guard gate.fails(level) else { return .warning("\(level.rawValue), not kept: \(sentence)") }
        return .failure(type: isOpen ? "inconclusive" : "violation", message: sentence)
    }

    // MARK: Topologies

    /// What went wrong with a topology, or what it brings along; nil where it only serves the clauses.
    private func topologySuite(_ runs: [RunReport]) -> TestSuite? {
        let name = runs[0].topology
        let own = promises.filter { $0.topology == name }
        let expects = !isPartial && runs.contains { !$0.expectations.isEmpty }
        let broken = own.lazy.map { (outcome: promiseCase($0).outcome, runs: $0.failing) }
            .first { $0.outcome != .passed }
        let complaint =
            brokenEnd(of: runs) ?? broken ?? (isPartial ? nil : unmetExpectation(of: runs))
        guard complaint != nil || !own.isEmpty || expects else { return nil }
        let outcome = complaint?.outcome ?? .passed
        let test = TestCase("topology", in: name, outcome, shownBy: complaint?.runs ?? [])
        var suite = TestSuite(name, [test])
        suite.file = file(of: name)
        suite.wall = Self.wall(of: runs)
        return suite
    }

    private typealias Complaint = (outcome: TestCase.Outcome, runs: [RunReport])

    private static func wall(of runs: [RunReport]) -> UInt64 {
        runs.reduce(0) { $0 + ($1.wall ?? 0) }
    }

    private var topologySuites: [TestSuite] {
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
            ![.held, .violated, .inconclusive].contains($0.status) && excuse(for: $0) == nil
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

    private var notPlayed: [TestSuite] {
        outcome.skipped.map { skipped in
            let outcome: TestCase.Outcome =
                gate.demand == .vacuity
                ? .error(type: "not played", message: skipped.reason) : .skipped(skipped.reason)
            var suite = TestSuite(
                skipped.name, [TestCase("topology", in: skipped.name, outcome)])
            suite.file = file(of: skipped.name)
            return suite
        }
    }
}
