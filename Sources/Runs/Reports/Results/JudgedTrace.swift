import Artifacts
import Promises

extension RunReport {
    /// Makes a recorded trace or capture in which no promise had an occasion inconclusive, with a remark that says so:
    /// what was never put to the test proves nothing.
    package mutating func demandOccasions() {
        guard status == .held, promises.allSatisfy({ $0.exercised == 0 }) else { return }
        status = .inconclusive
        verdict = status.word
        failure =
            "nothing was put to the test: none of \(promises.count.counted("promise")) had an occasion; "
            + "expected the events of devices (TRACE.md), or promises that speak of what happened"
    }

    /// A recorded trace, promise by promise; `line` is the line of its first event.
    package func suite(named name: String, of file: String, firstEventAt line: Int?) -> TestSuite {
        var suite = TestSuite(
            name,
            SuiteSummary([self]).promises.map { promise in
                var test = TestCase(
                    promise.id, in: "promises", promise.outcome, shownBy: promise.failing)
                test.rules = promise.rules
                // Numbers of events have no gaps, and each has a line.
                let event = promise.failing.first?.promises.first?.violations.first?.events.first
                test.place = SourcePlace(
                    file, line: event.flatMap { event in line.map { $0 + Int(event) } })
                return test
            })
        suite.file = file
        if status == .inconclusive, let failure {
            suite.cases.append(
                TestCase(
                    "something is exercised", in: "judge",
                    .failure(type: "inconclusive", message: failure)))
        }
        return suite
    }
}

extension SuiteSummary.PromiseSummary {
    fileprivate var outcome: TestCase.Outcome {
        switch verdict {
        case .held: .passed
        case .vacuous: .skipped("never exercised")
        case .inconclusive:
            .failure(type: "inconclusive", message: "the run ended before it was decided")
        case .violated:
            .failure(
                type: "violation",
                message: failing.first?.promises.first?.violations.first?.sentence
                    ?? about.sentence)
        }
    }

    /// The clauses that it stands for, or else itself.
    fileprivate var rules: [Rule] {
        let clauses = ClauseTable.r4.filter { $0.promises.contains(id) }.map(Rule.init)
        return clauses.isEmpty ? [Rule(about)] : clauses
    }
}
