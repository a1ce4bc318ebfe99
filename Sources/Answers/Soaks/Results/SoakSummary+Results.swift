package import Reports

// What other tools read.
extension SoakSummary {
    /// What was found: whether the soak itself can be believed, and a case for each group of failures.
    package var suites: [TestSuite] {
        [
            TestSuite("soak", [canaryCase, workersCase] + growthCases),
            TestSuite("failures", groups.map(\.testCase)),
        ]
    }

    private var canaryCase: TestCase {
        let outcome: TestCase.Outcome =
            switch canary {
            case .found: .passed
            case .undecided: .skipped(canaryLine)
            case .missed: .error(type: "canary missed", message: canaryLine)
            }
        return TestCase("canary", in: "soak", outcome)
    }

    private var workersCase: TestCase {
        TestCase(
            "workers", in: "soak",
            troubles.isEmpty
                ? .passed
                : .error(type: "silent worker", message: troubles.joined(separator: "\n")))
    }

    private var growthCases: [TestCase] {
        Growth.allowed.map { name, _ in
            let grown = growths.first { $0.hasPrefix("\(name) ") }
            return TestCase(
                name, in: "soak", grown.map { .failure(type: "growth", message: $0) } ?? .passed)
        }
    }
}

extension SoakSummary.Group {
    /// A known failure does not count, nor does one that was not seen: whether it is gone is a matter of chance.
    fileprivate var testCase: TestCase {
        let report = finding?.finding.report
        let outcome: TestCase.Outcome =
            switch state {
            case .gone: .passed
            case .rare: .skipped("not seen this time, which can be chance")
            case .new, .ongoing:
                !counts
                    ? .skipped("known: \(acknowledged ?? "the baseline has it")")
                    : finding?.finding.outcome
                        ?? .failure(type: state.rawValue, message: "\(rate.hits) runs failed so")
            }
        return TestCase(
            fingerprint, in: report?.topology ?? "soak", outcome, shownBy: report.map { [$0] } ?? []
        )
    }
}
