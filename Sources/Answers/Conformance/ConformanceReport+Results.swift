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
    /// A case stands for each cause of what was broken, with the clauses and promises below it, and for each way in which
    /// devices failed; else for each clause of R4, for each other promise, and for each topology that promises and expects
    /// something itself.
    package var results: TestResults {
        var results = TestResults(of: "conform", version: version)
        (results.status, results.conclusion) = (status, conclusion)
        results.properties = properties
        let others = promises.filter {
            ![.violated, .inconclusive].contains($0.verdict) && $0.topology == nil
                && bindsBesideItsClauses($0)
        }
        let open = promises.filter { $0.verdict == .inconclusive }
        let cases = groups.map(causeCase) + open.map { causeCase([$0]) } + others.map(promiseCase)
        var clauses = TestSuite("R4", matrix.rows.compactMap(clauseCase))
        clauses.version = version.isEmpty ? nil : version
        clauses.properties = properties
        clauses.wall = Self.wall(of: runs)
        results.found =
            [clauses]
            + [("promises", cases), ("devices", deviceCases)].filter { !$0.1.isEmpty }
            .map(TestSuite.init) + topologySuites + notPlayed
        return results
    }

    // MARK: Clauses and promises

    /// Nil for a clause that was broken or left open, which stands below another case.
    private func clauseCase(_ row: ClauseMatrix.Row) -> TestCase? {
        let clause = row.clause
        let outcome: TestCase.Outcome? =
            switch row.outcome {
            case .pass: .passed
            case .fail, .inconclusive(.leftOpen): nil
            case .inconclusive(.notExercised): neverExercised(gate.demands(clause))
            case .notTestable: .skipped("not testable: \(clause.untestable ?? "")")
            case .notApplicable: .skipped("it does not bind the device")
            }
        guard let outcome else { return nil }
        var test = TestCase(clause.id, in: "R4.\(clause.keeper.rawValue)", outcome)
        test.rules = [Rule(clause)]
        test.place = place(of: test, keptBy: clause.keeper)
        return test
    }

    private func neverExercised(_ isDemanded: Bool) -> TestCase.Outcome {
        isDemanded
            ? .failure(type: "vacuous", message: "never exercised") : .skipped("never exercised")
    }

    /// A promise that was neither broken nor left open.
    private func promiseCase(_ promise: SuiteSummary.PromiseSummary) -> TestCase {
        var test = TestCase(
            promise.id, in: promise.topology ?? "promises",
            promise.verdict == .held ? .passed : neverExercised(gate.demand == .vacuity))
        test.rules = [Rule(promise.about)]
        test.place = place(of: test, keptBy: promise.blamed)
        return test
    }

    /// Promises that break by one cause, or one that was left open, with their clauses below them.
    private func causeCase(_ group: [SuiteSummary.PromiseSummary]) -> TestCase {
        let head = group[0]
        var test = TestCase(
            head.id, in: head.topology ?? "promises", complaint(about: group),
            shownBy: head.failing)
        test.rules = group.flatMap(rules).mostBindingFirst
        test.place = place(of: test, keptBy: test.rules.first?.keeper)
        test.details = details(of: group)
        return test
    }

    /// The clauses for which a promise counts that was broken or left open, and itself where it counts beside them.
    private func rules(of promise: SuiteSummary.PromiseSummary) -> [Rule] {
        let isOpen = promise.verdict == .inconclusive
        let rows = matrix.rows.filter { row in
            isOpen
                ? row.clause.promises.first == promise.id : row.broken.contains(promise.id)
        }
        let counts = bindsBesideItsClauses(promise) || rows.isEmpty
        return rows.map { Rule($0.clause) } + (counts ? [Rule(promise.about)] : [])
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

    /// What is said of promises that break together, or of one that was left open: they bind as much as the most binding
    /// one that is not known.
    private func complaint(about group: [SuiteSummary.PromiseSummary]) -> TestCase.Outcome {
        let isOpen = group[0].verdict == .inconclusive
        let violation = group[0].failing.first?.promises.first?.violations.first
        let sentence =
            isOpen
            ? "the run ended before it was decided"
            : violation?.sentence ?? group[0].about.sentence
        let binding = group.filter { excuse(for: $0) == nil }.map(level)
        guard let level = Property.Level.allCases.first(where: binding.contains) else {
            return .skipped("known: \(excuse(for: group[0]) ?? "")")
        }
        guard gate.fails(level) else { return .warning("\(level.rawValue), not kept: \(sentence)") }
        return .failure(type: isOpen ? "inconclusive" : "violation", message: sentence)
    }

    // MARK: Topologies

    /// What went wrong with a topology, or what it brings along; nil where it only serves the clauses.
    ///
    /// What another case tells it does not tell again.
    private func topologySuite(_ runs: [RunReport]) -> TestSuite? {
        let name = runs[0].topology
        let own = promises.filter { $0.topology == name }
        let expects = !isPartial && runs.contains { !$0.expectations.isEmpty }
        guard !own.isEmpty || expects else { return nil }
        let broken = own.first { [.violated, .inconclusive].contains($0.verdict) }
        let vacuous = own.contains { $0.verdict == .vacuous }
        let complaint =
            broken.map { (.skipped("\($0.id) is a case of its own"), []) }
            ?? (isPartial ? nil : unmetExpectation(of: runs))
        let outcome =
            complaint?.outcome ?? (vacuous ? neverExercised(gate.demand == .vacuity) : .passed)
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

    /// The ways in which runs did not come to their end.
    private var deviceCases: [TestCase] {
        failures.map { runs in
            let first = runs[0]
            var test = TestCase(
                first.fingerprint ?? first.verdict, in: "devices",
                .error(type: first.verdict, message: first.failure ?? first.verdict),
                shownBy: runs)
            test.place = place(of: test, keptBy: nil)
            test.details = runs.inOtherTopologies
            return test
        }
    }

    /// An expectation that a run did not meet.
    private func unmetExpectation(of runs: [RunReport]) -> Complaint? {
        let names = Set(runs.map(\.topology))
        let unmet = self.unmet.filter { names.contains($0.topology) }
        // A run in which a promise was broken before is told there.
        let broken = runs.filter { $0.firstViolation != nil }
        let told = unmet.filter { run in !broken.contains { $0.seed == run.seed } }
        guard let run = told.first else {
            return unmet.isEmpty
                ? nil
                : broken.first?.firstViolation.map {
                    (.skipped("not as expected, where \($0.promise.promise) is broken"), unmet)
                }
        }
        let worst = run.expectations.first { $0.verdict == .violated } ?? run.expectations[0]
        let reason = worst.reason ?? "The run ended before it was decided."
        let type = worst.verdict == .violated ? "violation" : "inconclusive"
        return (.failure(type: type, message: "\(worst.expectation): \(reason)"), told)
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

extension SuiteSummary.PromiseSummary {
    /// Who has to keep it; of what both ends of a link have to keep, the one that has not.
    fileprivate var blamed: Property.Keeper? {
        guard about.keeper == .link else { return about.keeper }
        return switch failing.first?.promises.first?.violations.first?.role {
        case .accessory: .accessory
        case .appleDevice: .app
        case nil: nil
        }
    }
}
