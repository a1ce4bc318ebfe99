import Foundation
import Testing

@testable import Reports

/// GitLab's code quality.
struct CodeQualityTests {
    private struct Issue: Decodable {
        let description: String
        let fingerprint: String
        let severity: String
        let location: Location

        struct Location: Decodable {
            let path: String
            let lines: [String: Int]
        }
    }

    private func issues(_ results: TestResults) throws -> [Issue] {
        try JSONDecoder().decode([Issue].self, from: CodeQuality.text(of: results))
    }

    @Test func anIssueNamesTheFileAndTheCase() throws {
        let found = try issues(SampleResults.mixed)
        #expect(
            found.map { "\($0.severity) \($0.location.path):\($0.location.lines["begin"] ?? 0)" }
                == ["major Topologies/dropout.yaml:9", "minor .:1"])
        #expect(
            found.map(\.description) == [
                "R4.accessory R4-2.3-6: It sent <stop> & went on.",
                "R4.app R4-3.6.1-3: should, not kept: It ranged on.",
            ])
        #expect(Set(found.map(\.fingerprint.count)) == [64])
        #expect(Set(found.map(\.fingerprint)).count == 2)
    }

    @Test func whatEndedACommandIsAnIssueAndWhatHeldIsNone() throws {
        #expect(try issues(SampleResults.ended).map(\.severity) == ["critical"])
        #expect(try issues(TestResults(of: "run")).isEmpty)
    }
}
