import DeviceLink
import Orchestration
import Reports
import RunSupport
import Scenarios
import Simulation
import TestSupport
import Testing
import Topologies
import Traces
import Vocabulary

/// Faults at random: swarms, healing, and topologies that get them from an exploration.
@Suite struct FaultPlanTests {
    private static let pair = """
        devices:
          ben: {model: iPhone 15, permission: allowed, at: [0m, 0m]}
          lock: {profile: qorvo, at: [2m, 0m]}

        """

    private static func studies(_ text: String, seeds: ClosedRange<UInt64>) throws -> [Study] {
        try LocalRunner.inline { runner in
            try seeds.map {
                try runner.study(RunTask(name: "faults", file: "faults", text: text, seed: $0))
            }
        }
    }

    @Test func aSwarmHasSomeKindsInSomeRuns() throws {
        let text = """
            length: 10s
            \(Self.pair)faults: {swarm: true, disconnect: {ratio: 1/1}, background: {ratio: 1/1}}
            """
        let counts = try Self.studies(text, seeds: 1...40).map { study in
            let kinds = study.randomFaults.map(\.fault.deed.name)
            let disconnects = kinds.count { $0 == .disconnect }
            return [disconnects, kinds.count - disconnects]
        }
        let presences = Set(counts.map { $0.map { $0 > 0 } })
        #expect(presences == [[false, false], [false, true], [true, false], [true, true]])
        // In each second always, half of the time, or a quarter of it.
        #expect(counts.contains { $0[0] == 10 })
        #expect(counts.contains { (1...6).contains($0[0]) })
    }

    @Test func whereAllArePhonesEachPairOfThemCanBeHit() throws {
        let text = """
            length: 3s
            devices: {ann: {model: iPhone 15}, ben: {model: iPhone 15}, cat: {model: iPhone 15}}
            faults: {disconnect: {ratio: 1/1}}
            """
        let faults = try Self.studies(text, seeds: 1...20).flatMap(\.randomFaults)
        let pairs = [("ann", "ben"), ("ann", "cat"), ("ben", "cat")].map {
            Deed.Target.pair(DevicePair($0, $1))
        }
        for pair in pairs { #expect(faults.contains { $0.fault.deed.target == pair }) }
        #expect(faults.allSatisfy { pairs.contains($0.fault.deed.target) })
    }

    @Test func whichFaultsStrikeARunIsKnownBeforeIt() throws {
        let text = """
            length: 10s
            \(Self.pair)faults: {swarm: true, disconnect: {ratio: 1/2}, background: {ratio: 1/2}}
            """
        let topology = try RunTask(name: "faults", file: "faults", text: text, seed: 1).topology()
        let studies = try Self.studies(text, seeds: 1...8)
        for (seed, study) in zip(UInt64(1)..., studies) {
            #expect(topology.drawnFaults(seed: seed) == study.randomFaults.map(\.fault))
        }
    }

    @Test(arguments: [
        "partition: [ben, lock]", "hold: [lock, ben]", "loss: [ben, lock], ratio: 1/1",
        "kill: lock", "kill: ben, after-answers: 2", "freeze: ben", "background: ben",
        "bluetooth-off: lock", "suspend: ben", "terminate: ben", "refuse-uwb: lock, count: 9",
        "corrupt: lock, count: 9", "throttle: [ben, lock], to: 1", "busy: ben, by: 20ms",
        "uwb-loss: [ben, lock], ratio: 1/1", "delay: [ben, lock], by: 200ms",
        "obstruct: [ben, lock]", "block-main: ben",
    ])
    func whatHealsRangesAgain(fault: String) throws {
        let text = """
            length: 60s
            \(Self.pair)steps: [{at: 4s, \(fault)}]
            faults: {between: 0s..20s, heal: true}
            expect:
              - in order:
                - faults.stopped
                - ni.didUpdate on ben
              - exactly 1: faults.stopped
            """
        let study = try Self.studies(text, seeds: 1...1)[0]
        #expect(study.report.status == .held, "\(study.report.summary)")
        let stop = study.events.last { $0.kind == .faultsStopped }
        #expect(stop?.time.nanoseconds == .seconds(20))
    }

    /// Devices that keep their promises keep them whatever one kind of random fault does to them.
    @Test(arguments: RandomFaultForm.all.map(\.name).prefix(isWhole ? .max : 3))
    func everyKindStrikesAndIsSurvived(kind: String) throws {
        let text = """
            length: 60s
            \(Self.pair)faults: {between: 0s..20s, heal: true, \(kind): {ratio: 1/4}}
            """
        let studies = try Self.studies(text, seeds: 1...3)
        for study in studies {
            #expect(study.report.status == .held, "\(study.report.summary)")
        }
        #expect(studies.contains { !$0.randomFaults.isEmpty })
        // Written as steps they are the same.
        let drawn = try #require(studies.first { !$0.randomFaults.isEmpty })
        let spelt = try #require(
            TopologyParts(text)?.text(adding: .drawn(drawn.randomFaults.map(\.fault))))
        #expect(
            try Topology(parsing: Array(spelt.utf8), name: "t", file: "t").steps.count
                >= drawn.randomFaults.count)
    }

    /// An app of a user's meets what the reference app meets, and its accessory what the reference accessory does.
    @Test func somebodyElsesAppIsStruckByEveryKind() throws {
        let kinds = RandomFaultForm.all.map { "\($0.name): {ratio: 1/1}" }
        let faults = "length: 5s\nfaults: {\(kinds.joined(separator: ", "))}\ndevices:\n"
        let lock = "  lock: {profile: qorvo, at: [2m, 0m]}"
        let struck = try ["", "run: ./app, "].map { program in
            let text = faults + "  ben: {\(program)model: iPhone 15, at: [0m, 0m]}\n" + lock
            return try Topology(parsing: Array(text.utf8), name: "t", file: "t")
                .drawnFaults(seed: 1).map(\.deed)
        }
        #expect(struck[0] == struck[1])
        #expect(Set(struck[1].map(\.name)) == Set(RandomFaultForm.all.map(\.verb.name)))
    }

    @Test func anExplorationAddsAllKindsToAFileThatHasNone() throws {
        let text = """
            length: 5s
            \(Self.pair)steps: [{at: 2s, stop: ben}]
            expect: [never: ni.didRemove]
            """
        let faulty = try #require(TopologyParts(text)).textWithRandomFaults
        let topology = try Topology(parsing: Array(faulty.utf8), name: "t", file: "t")
        let faults = try #require(topology.randomFaults)
        #expect(faults.rates.map(\.kind) == RandomFaultForm.all.map(\.name))
        #expect(faults.between == 0...Nanoseconds.seconds(5))
        #expect(faults.isSwarm)
        #expect(faults.heals)
        #expect(topology.length == .seconds(45))
        #expect(topology.expectations == [])
        #expect(topology.steps.count == 1)
    }

    @Test func aSmallerTopologyIsWholeInItself() throws {
        let text = """
            length: 5s
            devices:
              ben: {model: iPhone 15, at: [0m, 0m]}
              amy: {model: iPhone 15, at: [0m, 1m], peers: [lock, tag-1]}
              lock: {profile: qorvo, at: [2m, 0m]}
              tag: {profile: qorvo, count: 8, grid: {from: [1m, 1m], columns: 4, spacing: 1m}}
            steps:
              - {when: link.up on amy, disconnect: [amy, lock]}
              - {at: 1s, background: ben}
            """
        let parts = try #require(TopologyParts(text))
        var sizes: Set<Int> = []
        for seed in 1...60 as ClosedRange<UInt64> {
            guard let smaller = parts.text(ofSize: Keyed(seed)) else { continue }
            let topology = try Topology(parsing: Array(smaller.utf8), name: "t", file: "t")
            sizes.insert(topology.devices.count)
            #expect(topology.devices.contains { $0.role == .appleDevice })
            #expect(topology.devices.contains { $0.role == .accessory })
            if !topology.devices.contains(where: { $0.name == "amy" }) {
                #expect(!topology.steps.contains { $0.text.contains("disconnect") })
            }
        }
        #expect(sizes.count >= 6, "\(sizes)")
    }
}
