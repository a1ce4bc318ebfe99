import Artifacts
package import Foundation

/// The Common Test Report Format, which reporters for chats and dashboards read: JSON, one object a case.
package enum CTRF {
    /// The whole document; it demands when the command began and ended.
    package static func text(of results: TestResults, from start: Date, to stop: Date) throws
        -> Data
    {
        try json(Document(results, start: milliseconds(start), stop: milliseconds(stop)))
    }

    private static func milliseconds(_ date: Date) -> Int64 {
        Int64((date.timeIntervalSince1970 * 1_000).rounded())
    }

    private struct Document: Encodable {
        let reportFormat = "CTRF"
        let specVersion = "1.0.0"
        let generatedBy: String
        let results: Results

        init(_ results: TestResults, start: Int64, stop: Int64) {
            generatedBy = "anechoic \(results.command)"
            self.results = Results(
                tool: ToolName(
                    name: "anechoic", version: results.version.isEmpty ? nil : results.version),
                summary: Summary(results, start: start, stop: stop),
                tests: results.suites.flatMap { suite in suite.cases.map { Test($0, in: suite) } })
        }
    }

    private struct Results: Encodable {
        let tool: ToolName
        let summary: Summary
        let tests: [Test]
    }

    private struct ToolName: Encodable {
        let name: String
        let version: String?
    }

    private struct Summary: Encodable {
        let tests: Int
        let passed: Int
        let failed: Int
        let skipped: Int
        let pending = 0
        let other: Int
        let suites: Int
        let start: Int64
        let stop: Int64
        let extra: [String: String]?

        init(_ results: TestResults, start: Int64, stop: Int64) {
            let cases = results.cases
            tests = cases.count
            passed = cases.count { $0.status == .passed }
            failed = cases.count { $0.status == .failed }
            skipped = cases.count { $0.status == .skipped }
            other = cases.count { $0.status == .other }
            suites = results.suites.count
            (self.start, self.stop) = (start, stop)
            let properties = results.properties
            extra =
                properties.isEmpty
                ? nil : Dictionary(properties.map { ($0.name, $0.value) }) { $1 }
        }
    }

    fileprivate enum Status: String, Encodable {
        case passed, failed, skipped, other
    }

    private struct Test: Encodable {
        let name: String
        let status: Status
        /// In milliseconds; 0 where nobody took the time.
        let duration: UInt64
        let suite: [String]
        let rawStatus: String?
        let message: String?
        let trace: String?
        let filePath: String?
        let line: Int?
        let tags: [String]?
        /// The clauses and promises below a case that has not passed.
        let steps: [Step]?

        struct Step: Encodable {
            let name: String
            let status: Status
        }

        init(_ test: TestCase, in suite: TestSuite) {
            // A name must not be empty.
            name = test.name.isEmpty ? "?" : test.name
            status = test.status
            duration = test.evidence.wall / 1_000
            let own = suite.name.split(separator: "/").joined(separator: ".")
            self.suite = [suite.name] + (test.classname == own ? [] : [test.classname])
            rawStatus = test.kind
            message = test.message
            trace = test.text.isEmpty ? nil : test.text
            filePath = test.place?.file ?? suite.file
            line = test.place?.line
            tags = test.rules.isEmpty ? nil : test.rules.map(\.id)
            let steps = test.rules.map { rule in
                Step(
                    name: "\(rule.id): \(rule.statement)",
                    status: rule.level == .must ? .failed : .other)
            }
            self.steps = steps.isEmpty || !(test.isRed || test.isWarning) ? nil : steps
        }
    }
}

extension TestCase {
    fileprivate var status: CTRF.Status {
        switch outcome {
        case .passed: .passed
        case .failure, .error: .failed
        case .skipped: .skipped
        case .warning: .other
        }
    }

    /// In our words, where CTRF has no word for it.
    fileprivate var kind: String? {
        switch outcome {
        case .passed, .skipped: nil
        case .warning: "warning"
        case .failure(let type, _), .error(let type, _): type
        }
    }
}
