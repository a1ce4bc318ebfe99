import Orchestration
import Reports
import RunSupport
import Testing

@testable import Campaigns

/// Ways to fail that have one cause.
struct CausesTests {
    private func finding(_ promise: String, _ fingerprint: String, seed: UInt64) -> Finding {
        let report = RunReport.of(
            "t", seed: seed, [.of(promise, .violated, "It was not.")], status: .violated)
        return Finding(
            interrupted: WayToFail(
                fingerprint: fingerprint, first: report,
                task: RunTask(name: "t", file: "t.yaml", text: "", seed: seed),
                place: WayToFail.Place(lot: 0, run: 0)))
    }

    @Test func waysThatBreakOnePromiseFirstAreOneCase() {
        let findings = [
            finding("quiet", "quiet: link.down", seed: 1), finding("b", "b: link.up", seed: 2),
            finding("quiet", "quiet: uwb.starting", seed: 3),
        ]
        #expect(findings.causes.map { $0.map(\.report.seed) } == [[1, 3], [2]])
        #expect(findings.causes.map(\.name) == ["quiet, in 2 ways", "b: link.up"])
        #expect(
            findings.causes[0].lines == [
                "ways to fail:", "    quiet: link.down: 1 run, first t, seed 1",
                "    quiet: uwb.starting: 1 run, first t, seed 3",
            ])
    }
}
