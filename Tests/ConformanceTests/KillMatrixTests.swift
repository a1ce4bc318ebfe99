import Reports
import RunSupport
import Scenarios
import Testing
import Topologies

@testable import Conformance

/// Which defect breaks which promise.
struct KillMatrixTests {
    private static func topology() throws -> Topology {
        let text = "devices: {lock: {profile: qorvo, defects: [silent-rejection]}}"
        return try Topology(parsing: Array(text.utf8), name: "defects/one", file: "one.yaml")
    }

    private static func run(_ seed: UInt64, broken: String...) -> RunReport {
        .of(
            "defects/one", seed: seed,
            ["quiet", "fresh"].map { .of($0, broken.contains($0) ? .violated : .held) })
    }

    @Test func whatEveryRunBreaksIsToldApartFromWhatSomeDo() throws {
        let row = KillMatrix.Row(
            try Self.topology(),
            sick: [Self.run(1, broken: "quiet", "fresh"), Self.run(2, broken: "quiet")],
            healthy: [Self.run(1)])
        #expect(row.problem == "")
        #expect((row.broken, row.sometimes) == (["quiet"], ["fresh"]))
        let matrix = KillMatrix([row], exercised: ["quiet", "fresh"])
        #expect(matrix.isComplete)
        #expect(matrix.text.contains("defects/one  silent-rejection  quiet (at times: fresh)\n"))
    }

    @Test func aDefectThatBreaksNothingSurvives() throws {
        var failing = Self.run(3)
        failing.status = .violated
        let row = KillMatrix.Row(try Self.topology(), sick: [failing], healthy: [])
        #expect(row.problem.hasPrefix("survives: seed 3 "))
        #expect(!KillMatrix([row], exercised: []).isComplete)
    }

    @Test func aTopologyThatFailsWithoutItsDefectProvesNothing() throws {
        var ill = Self.run(4, broken: "fresh")
        ill.status = .violated
        let row = KillMatrix.Row(
            try Self.topology(), sick: [Self.run(1, broken: "quiet")], healthy: [ill])
        #expect(row.problem == "fails without it: seed 4 fresh")
    }

    @Test func aPromiseThatNoDefectBreaksIsNamed() throws {
        let row = KillMatrix.Row(
            try Self.topology(), sick: [Self.run(1, broken: "quiet")], healthy: [])
        let matrix = KillMatrix([row], exercised: ["quiet", "fresh"])
        #expect(!matrix.isComplete)
        #expect(matrix.text.hasSuffix("No defect breaks fresh.\n"))
    }
}
