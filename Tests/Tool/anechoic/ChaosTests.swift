import Artifacts
import RunSupport
import TestSupport
import Testing

/// Healthy devices keep every promise, whatever happens to them.
@Suite(.processes) struct ChaosTests {
    @Test func randomFaultsRaiseNoAlarm() throws {
        let seeds = (isWhole ? 250 : 20) / Command.patience
        let outcome = try Command.run(
            "run", topologies + "/chaos", "--seeds", "1..\(seeds)", "--hosting", "inline", "--jobs",
            "2",
            "--no-out", "--format", "json", in: try Place())
        let reports = try outcome.reports
        #expect(reports.count == 2 * seeds)
        for report in reports {
            #expect(report.status == .held, "\(report.topology), seed \(report.seed)")
        }
        #expect(outcome.status == 0)
    }

    @Test func nearlyEveryPromiseIsExercised() throws {
        let outcome = try Command.run(
            "run", topologies + "/chaos", "--seeds", "1..20", "--hosting", "inline", "--no-out",
            "--format", "json", in: try Place())
        let exercised = try outcome.reports.flatMap(\.promises).filter { $0.exercised > 0 }
        // The others are about several sessions of one accessory, and about what the user forbids.
        #expect(Set(exercised.map(\.promise)).count >= 65)
    }
}
