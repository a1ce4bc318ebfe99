import Reports
import RunSupport
import Scenarios
import Testing
import Topologies

@testable import Conformance

/// Which defect breaks which promise.
struct KillMatrixTests {
    /// A topology whose defect is meant to break `quiet`, and what it says beside that.
    private static func topology(
        expecting more: String = "  - {unavoidable: fresh, because: they go together}\n"
    ) throws -> Topology {
        let text =
            "devices: {lock: {profile: qorvo, defects: [silent-rejection]}}\n"
            + "promises: [{promise: fresh, never: link.up}]\nexpect:\n  - violated: quiet\n" + more
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
        let matrix = KillMatrix([row], exercised: ["quiet", "fresh"], isWhole: false)
        #expect(matrix.isComplete)
        #expect(matrix.text().contains("defects/one  silent-rejection  quiet (at times: fresh)\n"))
    }

    @Test func aTopologyThatNamesNoPromiseKillsNothing() throws {
        let text = "devices: {lock: {profile: qorvo, defects: [silent-rejection]}}\n"
        let topology = try Topology(parsing: Array(text.utf8), name: "defects/one", file: "one")
        let row = KillMatrix.Row(topology, sick: [Self.run(1)], healthy: [Self.run(1)])
        #expect(row.problem.hasPrefix("names no promise that its defect breaks"))
    }

    @Test func aDefectThatBreaksNothingSurvives() throws {
        var failing = Self.run(3)
        failing.status = .violated
        let row = KillMatrix.Row(try Self.topology(), sick: [failing], healthy: [])
        #expect(row.problem.hasPrefix("survives: seed 3 "))
        #expect(!KillMatrix([row], exercised: [], isWhole: false).isComplete)
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
            try Self.topology(expecting: ""), sick: [Self.run(1, broken: "quiet")], healthy: [])
        let matrix = KillMatrix([row], exercised: ["quiet", "fresh"], isWhole: false)
        #expect(!matrix.isComplete)
        #expect(matrix.text().hasSuffix("No defect breaks fresh.\n"))
    }

    @Test func aDefectDeclaresAllThatItBreaks() throws {
        let sick = [Self.run(1, broken: "quiet", "fresh")]
        let undeclared = KillMatrix.Row(
            try Self.topology(expecting: ""), sick: sick, healthy: [])
        #expect(undeclared.problem == "breaks more than it declares: fresh")
        let declared = KillMatrix.Row(
            try Self.topology(
                expecting: "  - {unavoidable: fresh, because: they go together}\n"),
            sick: sick, healthy: [])
        #expect(declared.problem == "")
    }

    @Test func theWholeTableNeedsAKillerForEachClause() throws {
        let row = KillMatrix.Row(
            try Self.topology(expecting: ""), sick: [Self.run(1, broken: "quiet")], healthy: [])
        let matrix = KillMatrix([row], exercised: ["quiet"], isWhole: true)
        #expect(!matrix.isComplete)
        #expect(matrix.text().contains("R4-3.6.1-3    quiet"))
        #expect(
            matrix.text().contains(
                "No defect is about shareable-data-sent of R4-2.3-1, final-parameters-used of "))
    }
}
