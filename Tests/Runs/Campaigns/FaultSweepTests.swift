import Orchestration
import Scenarios
import TestSupport
import Testing
import Topologies
import Vocabulary

@testable import Campaigns

/// A sweep strikes with every kind of the table, at all that it can hit, at every moment.
struct FaultSweepTests {
    private static let pair = """
        length: 2s
        devices:
          ben: {model: iPhone 15, at: [0m, 0m]}
          lock: {profile: qorvo, at: [2m, 0m]}

        """

    @Test func everyFaultOfTheTableIsAStepOfATopology() throws {
        let topology = try Topology(parsing: Array(Self.pair.utf8), name: "t", file: "t")
        let faults = SweptFaults(of: topology).all
        let kinds = VerbForm.all.flatMap(\.sweep).map(\.kind)
        #expect(Set(faults.map(\.swept.kind)) == Set(kinds))
        #expect(Set(faults.map(\.name)).count == faults.count)
        for fault in faults {
            let steps =
                ["{at: 1s, \(fault.deed)}"] + (fault.ending.map { ["{at: 3s, \($0)}"] } ?? [])
            let text = try #require(
                TopologyParts(Self.pair)?.text(adding: steps, endingAt: 3_000_000_000))
            let struck = try Topology(parsing: Array(text.utf8), name: "t", file: "t")
            #expect(!struck.steps.isEmpty, "\(fault.name)")
        }
    }

    @Test func whereAllArePhonesEachPairOfThemIsStruck() throws {
        let text =
            "devices: {ann: {model: iPhone 15}, ben: {model: iPhone 15}, cat: {model: iPhone 15}}"
        let topology = try Topology(parsing: Array(text.utf8), name: "t", file: "t")
        let disconnects = SweptFaults(of: topology).all.filter { $0.swept.kind == "disconnect" }
        #expect(
            disconnects.map { "\($0.deed)" } == [
                "disconnect: [ann, ben]", "disconnect: [ann, cat]", "disconnect: [ben, cat]",
            ])
    }

    @Test func eachIsPlayedAtEachMomentUnderEachSchedule() throws {
        var settings = RunSettings(programs: Command.executables, tool: "test")
        settings.files.tree = nil
        let task = RunTask(name: "pair", file: "pair", text: Self.pair, seed: 1)
        let sweeps = try (1...3).map { schedules in
            try FaultSweep.over([task], with: settings, schedules: schedules) {
                $0.kind == .linkUp
            }[0].get()
        }
        let once = sweeps[0].count
        #expect(sweeps.map(\.count) == [once, 2 * once, 3 * once])
        let all = (0..<sweeps[2].count).map { "\(sweeps[2].name($0)) \(sweeps[2].schedule($0))" }
        #expect(Set(all).count == all.count)
        #expect(all.prefix(once).allSatisfy { $0.hasSuffix(" 0") })
        #expect(sweeps[2].strike(0) == sweeps[2].strike(once))
        #expect(sweeps[2].strike(0) != sweeps[2].strike(once - 1))
    }
}
