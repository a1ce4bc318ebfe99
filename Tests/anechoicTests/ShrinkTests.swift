import TestSupport
import Testing

@Suite struct ShrinkTests {
    private static let chaos = topologies + "/chaos/everything-at-once.yaml"
    private static let pair = topologies + "/dropout/mid-handshake.yaml"

    @Test func aFailureBecomesTheFewLinesThatItNeeds() throws {
        let place = try Place()
        let run = try Command.run(
            "run", Self.pair, "--seed", "3", "--defect", "lock=reused-configuration", in: place)
        #expect(run.status == 1)
        let outcome = try Command.run(
            "shrink", "out/dropout/mid-handshake/3/replay.json", in: place)
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("certificate: without any one of these "))
        #expect(outcome.output.contains("lines 11 → 6, devices 2 → 2, steps 1 → 1, afters "))
        let folder = "out/dropout/mid-handshake/3/shrunk"
        #expect(
            place.read("\(folder)/topology.yaml") == """
                about: Breaks fresh-configuration; found in dropout/mid-handshake with seed 3.
                length: 1s
                devices:
                  ben: {model: iPhone 15}
                  lock: {profile: qorvo, defects: [reused-configuration]}
                steps:
                - {when: msg.accessoryConfigurationData.received on ben, disconnect: [ben, lock]}
                expect: violated fresh-configuration

                """)
        for hosting in ["process", "inline"] {
            let again = try Command.run(
                "replay", "\(folder)/replay.json", "--hosting", hosting, in: place)
            #expect(again.status == 1)
        }
        #expect(place.read("\(folder)/replay.json").contains("\"digest\" : \"\"") == false)
    }

    @Test func randomFaultsBecomeTheStepsThatMatter() throws {
        let place = try Place()
        let run = try Command.run(
            "run", Self.chaos, "--seed", "34", "--scheduler", "urw", "--defect",
            "lock=stop-acknowledged-though-running", in: place)
        #expect(run.status == 1)
        let outcome = try Command.run(
            "shrink", "out/chaos/everything-at-once/34/replay.json", in: place)
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("certificate: without any one of these "))
        let topology = "out/chaos/everything-at-once/34/shrunk/topology.yaml"
        #expect(
            place.read(topology).contains(
                """
                steps:
                - {at: 2s, suspend: ben}
                expect: violated quiet

                """))
        let regression = try Command.run("run", topology, in: place)
        #expect(regression.status == 0)
    }

    @Test func whatFailsByItsScheduleAloneExpectsNothing() throws {
        let place = try Place()
        let run = try Command.run(
            "run", Self.pair, "--seed", "54", "--scheduler", "starvation", "--defect",
            "ben=keeps-session-after-disconnect", in: place)
        #expect(run.status == 1)
        let outcome = try Command.run(
            "shrink", "out/dropout/mid-handshake/54/replay.json", in: place)
        #expect(outcome.status == 1)
        let topology = place.read("out/dropout/mid-handshake/54/shrunk/topology.yaml")
        #expect(
            topology.hasPrefix(
                "about: Breaks shareable-data-without-delay by the schedule of replay.json; "))
        #expect(!topology.contains("expect"))
    }

    @Test func whatHeldIsNotShrunk() throws {
        let place = try Place()
        _ = try Command.run("run", Self.pair, in: place)
        let outcome = try Command.run(
            "shrink", "out/dropout/mid-handshake/1/replay.json", in: place)
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("expected a run that failed"))
    }
}
