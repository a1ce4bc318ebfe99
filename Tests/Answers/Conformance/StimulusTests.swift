import Orchestration
import Reports
import RunSupport
import TestSupport
import Testing

/// A clause is decided by what puts it to the test, and by nothing else.
struct StimulusTests {
    private static func outcomes(_ devices: String) throws -> [String: ClauseMatrix.Outcome] {
        let report = try LocalRunner.inline { runner in
            runner.run(
                RunTask(name: "it", file: "it", text: "length: 10s\ndevices: \(devices)", seed: 1))
        }
        let rows = ClauseMatrix(SuiteSummary([report])).rows.filter { !$0.clause.promises.isEmpty }
        return Dictionary(uniqueKeysWithValues: rows.map { ($0.clause.id, $0.outcome) })
    }

    @Test func whereTwoNeverMeetNothingIsExercised() throws {
        let outcomes = try Self.outcomes(
            "{ben: {model: iPhone 15, start: 8s, launch: false}, lock: {profile: qorvo, start: 9s}}"
        )
        #expect(outcomes.filter { $0.value != .inconclusive(.notExercised) } == [:])
    }

    @Test func aPlainHandshakeLeavesOpenWhatOnlyTroubleTellsApart() throws {
        let outcomes = try Self.outcomes(
            "{ben: {model: iPhone 15}, lock: {profile: qorvo, at: [2m, 0m]}}")
        let open = outcomes.filter { $0.value == .inconclusive(.notExercised) }.keys
        #expect(outcomes.count - open.count == outcomes.values.count { $0 == .pass })
        // A link that is lost; encryption; Multiple values.
        let some = ["R4-2.4-1", "R4-4.3-4", "R4-4.3.3-7"]
        #expect(some.filter { !open.contains($0) } == [])
        #expect(!open.contains("R4-3.4.1-1") && !open.contains("R4-3.5.1-4"))
    }
}
