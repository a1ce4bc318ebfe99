package import Reports

extension Exploration {
    /// What was found, for other tools: a suite for each topology, with a case for each cause of failures.
    package func suites(_ findings: [Finding]) -> [TestSuite] {
        let found = Dictionary(grouping: findings) { plan.name(of: $0.report) }
        return plan.topologies.map { task in
            var suite = TestSuite.ofTopology(task.name, file: task.file)
            if let findings = found[task.name] {
                suite.cases = findings.causes.map { $0.testCase(in: task.name, of: task.file) }
            }
            return suite
        }
    }
}

extension Exploration.Plan {
    /// The topology that a run is of: a sweep puts the fault behind its name.
    fileprivate func name(of run: RunReport) -> String {
        let names = topologies.map(\.name)
        return names.first { $0 == run.topology }
            ?? names.filter { run.topology.hasPrefix("\($0)/") }.max { $0.count < $1.count }
            ?? run.topology
    }
}

extension Finding {
    package var outcome: TestCase.Outcome {
        doubt.map { .error(type: "not repeated", message: $0) } ?? report.outcome
    }
}

extension [Finding] {
    /// The case of ways to fail that have one cause.
    fileprivate func testCase(in topology: String, of file: String) -> TestCase {
        var test = TestCase(
            count == 1 ? head.fingerprint : head.cause, in: topology, head.outcome,
            shownBy: map(\.report))
        test.place = SourcePlace(file)
        test.details = lines
        return test
    }
}
