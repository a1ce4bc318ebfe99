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
        let anchor = FaultSweep.Anchor(kind: "link.up", device: "ben", first: .seconds(1))
        for (fault, added) in faults.flatMap({
            [($0, $0.striking(at: .seconds(1))), ($0, $0.striking(atEach: anchor, times: 3))]
        }) {
            let text = try #require(TopologyParts(Self.pair)?.text(adding: added))
            let struck = try Topology(parsing: Array(text.utf8), name: "t", file: "t")
            #expect(!struck.steps.isEmpty, "\(fault.name)")
            let same = try #require(topology.adding(added)).steps
            #expect(same.map(\.verb) == struck.steps.map(\.verb), "\(fault.name)")
            #expect(same.map(\.moment) == struck.steps.map(\.moment), "\(fault.name)")
        }
    }

    @Test func whereAllArePhonesEachPairOfThemIsStruck() throws {
        let text =
            "devices: {ann: {model: iPhone 15}, ben: {model: iPhone 15}, cat: {model: iPhone 15}}"
        let topology = try Topology(parsing: Array(text.utf8), name: "t", file: "t")
        let disconnects = SweptFaults(of: topology).all.filter { $0.swept.kind == "disconnect" }
        #expect(
            disconnects.flatMap(\.deeds).map(\.words) == [
                "disconnect: [ann, ben]", "disconnect: [ann, cat]", "disconnect: [ben, cat]",
            ])
    }

    @Test func lateTimersHaveMomentsOfTheirOwn() throws {
        var settings = RunSettings(programs: Command.executables, tool: "test")
        settings.files.tree = nil
        let task = RunTask(name: "pair", file: "pair", text: Self.pair, seed: 1)
        func last() throws -> AddedFaults? {
            let sweep = try FaultSweep.over([task], with: settings) {
                $0.name == "msg.accessoryConfigurationData.sent"
            }[0].get()
            return (0..<sweep.count).map { sweep.variation($0, of: 1) }
                .last { $0.name?.contains("/each-") == false }?.faults
        }
        // The accessory takes from 2 to 10 ms for its answer.
        let plain = try last()
        settings.scheduler = .portfolio
        #expect(try last() == plain)
        settings.scheduler = .late
        #expect(try last() != plain)
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
        let runs = (0..<sweeps[2].count).map { sweeps[2].variation($0, of: 0) }
        let all = runs.map { "\($0.name ?? "") \($0.seed)" }
        #expect(Set(all).count == all.count)
        #expect(all.prefix(once).allSatisfy { $0.hasSuffix(" 0") })
        #expect(runs[0].faults == runs[once].faults)
        #expect(runs[0].faults != runs[once - 1].faults)
        #expect(
            runs.prefix(6).map(\.name) == [
                "sweep/disconnect-ben-lock/0", "sweep/disconnect-ben-lock/each-air.connecting-ben",
                "sweep/loss-ben-lock/0", "sweep/disconnect-ben-lock/each-air.advertising-lock",
                "sweep/uwb-loss-ben-lock/0", "sweep/disconnect-ben-lock/each-link.up-ben",
            ])
    }
}
