import Foundation
import Orchestration
import Reports
import RunSupport
import TestSupport
import Testing

/// Steps that never fired or hit nothing are reported, and fail nothing.
struct ScriptNoteTests {
    private static let text = """
        length: 12s
        devices:
          ben: {model: iPhone 15, permission: allowed, at: [0m, 0m]}
          lock: {profile: qorvo, at: [2m, 0m]}
        steps:
          - {at: 3s, kill: lock, for: 1s}
          - {when: app.gaveUp on ben, disconnect: [ben, lock]}
          - {at: 1ms, release: [lock, ben]}
          - {when: uwb.started on lock, after: 12s, move: ben, to: [1m, 0m]}
          - {at: 9s, garble: lock, message: iOSNotify}
          - {when: link.down on ben, times: 2, disconnect: [ben, lock]}
          - {when: ni.didUpdate on ben, after: 500ms, disconnect: [ben, lock]}
        """

    private static func report(seed: UInt64 = 1) throws -> RunReport {
        try LocalRunner.inline { settings in
            settings.scheduler = .fifo
        } _: { runner in
            runner.run(RunTask(name: "door", file: "door.yaml", text: text, seed: seed))
        }
    }

    @Test func eachStepSaysHowOftenItFiredAndHit() throws {
        let report = try Self.report()
        #expect(report.status == .held)
        let picture = report.script.map { "\($0.line) \($0.fired) \($0.hits) \($0.late)" }
        // The end of `for: 1s` is no step of the file.
        #expect(
            picture == [
                "6 1 1 0", "7 0 0 0", "8 1 0 0", "9 0 0 1", "10 1 0 0", "11 2 0 0", "12 1 1 0",
            ])
    }

    @Test func whatDidNothingIsALineOfTheOutput() throws {
        var summaries = ScriptSummaries()
        summaries.take(try Self.report())
        #expect(
            summaries.lines(atMost: 9) == [
                "door: steps 2/7; line 7 never fired: disconnect: [ben, lock]",
                "door: steps 2/7; line 8 hit nothing: release: [lock, ben]",
                "door: steps 2/7; line 9 never fired, because its moment lies after the run's length: "
                    + "move: ben, to: [1m, 0m]",
                "door: steps 2/7; line 10 hit nothing: garble: lock, message: iOSNotify",
                "door: steps 2/7; line 11 hit nothing: disconnect: [ben, lock]",
            ])
        summaries.take(try Self.report(seed: 2))
        let both = summaries.lines(atMost: 1)
        #expect(
            both == [
                "door: steps 2/7; line 7 never fired in any of 2 runs: disconnect: [ben, lock]",
                "… and 4 more such steps",
            ])
    }
}
