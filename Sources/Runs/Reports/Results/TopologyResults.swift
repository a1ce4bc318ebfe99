import Artifacts

/// What became of topologies in many runs: a suite for each, with one case that all its runs share.
///
/// There may be millions of runs, in whatever sequence they end, so they are counted.
package struct TopologyResults {
    private struct Tally {
        let file: String
        var wall: UInt64 = 0
        /// The runs that did not hold, by how they ended.
        var failing: [ExitStatus: Evidence] = [:]
    }

    private var tallies: [String: Tally] = [:]

    package init() {}

    /// Takes a run of the topology in a file.
    package mutating func take(_ run: RunReport, of file: String) {
        // What was cut short says nothing.
        guard run.status != .interrupted else { return }
        var tally = tallies[run.topology] ?? Tally(file: file)
        tally.wall += run.wall ?? 0
        if run.status != .held { tally.failing[run.status, default: Evidence()].insert(run) }
        tallies[run.topology] = tally
    }

    /// The suites, by name.
    package var suites: [TestSuite] {
        tallies.sorted { $0.key < $1.key }.map { name, tally in
            let gravest = tally.failing.keys.reduce(ExitStatus.held) { $0.combined(with: $1) }
            var suite = TestSuite.ofTopology(
                name, file: tally.file, shownBy: tally.failing[gravest] ?? Evidence())
            suite.wall = tally.wall
            return suite
        }
    }
}

extension TestSuite {
    /// A topology, which passes unless a run shows that it does not.
    package static func ofTopology(
        _ name: String, file: String, shownBy evidence: Evidence = Evidence()
    ) -> TestSuite {
        var test = TestCase("topology", in: name, evidence.first?.outcome ?? .passed)
        test.evidence = evidence
        test.place = SourcePlace(file, line: evidence.first?.complaint.line)
        var suite = TestSuite(name, [test])
        suite.file = file
        return suite
    }
}

extension RunReport {
    package var outcome: TestCase.Outcome {
        switch status {
        case .held: .passed
        case .violated, .inconclusive: .failure(type: verdict, message: complaint.sentence)
        default: .error(type: verdict, message: complaint.sentence)
        }
    }

    /// The first thing that is wrong with it, and the line of the topology that says so.
    fileprivate var complaint: (sentence: String, line: Int?) {
        if let failure { return (failure, nil) }
        if let (promise, violation) = firstViolation {
            return ("\(promise.promise): \(violation.sentence)", nil)
        }
        if let unmet = expectations.first(where: { $0.verdict != .held }) {
            return ("\(unmet.expectation): \(unmet.reason ?? "it was not decided")", unmet.line)
        }
        if let open = promises.first(where: { $0.verdict == .inconclusive }) {
            return ("\(open.promise): the run ended before it was decided", nil)
        }
        return (unwritten ?? verdict, nil)
    }
}
