import Basics
package import Reports

// What other tools read.
extension SoakSummary {
    /// What was found: whether the soak itself can be believed, and a case for each cause of failures.
    package var suites: [TestSuite] {
        [
            TestSuite("soak", [canaryCase, workersCase] + growthCases),
            TestSuite("failures", causes.map(Self.testCase)),
        ]
    }

    /// The groups, those of one cause together.
    var causes: [[Group]] {
        groups.map(\.cause).uniqued.map { cause in groups.filter { $0.cause == cause } }
    }

    /// The group of a cause that decides what it is: the first that counts.
    private static func head(of groups: [Group]) -> Group {
        groups.first { $0.counts } ?? groups[0]
    }

    private static func testCase(_ groups: [Group]) -> TestCase {
        let head = head(of: groups)
        let report = head.finding?.finding.report
        var test = TestCase(
            head.cause, in: report?.topology ?? "soak", head.outcome,
            shownBy: report.map { [$0] } ?? [])
        test.details = details(of: groups)
        return test
    }

    /// What is known of a cause beside the story of its first run, a line each.
    static func details(of groups: [Group]) -> [String] {
        let head = head(of: groups)
        var cause = Cause([], fails: head.counts, first: head.finding?.finding.report)
        head.finding?.diagnosis?.explain(&cause)
        let ways = groups.map {
            "\($0.fingerprint): \($0.state.rawValue), \($0.rate.hits.counted("run"))"
        }
        return (groups.count > 1 ? ["ways to fail:"] + ways.map { "    " + $0 } : []) + cause.lines
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
    fileprivate var outcome: TestCase.Outcome {
        switch state {
        case .gone: .passed
        case .rare: .skipped("not seen this time, which can be chance")
        case .new, .ongoing:
            !counts
                ? .skipped("known: \(acknowledged ?? "the baseline has it")")
                : finding?.finding.outcome
                    ?? .failure(type: state.rawValue, message: "\(rate.hits) runs failed so")
        }
    }
}
