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
        let folder = "out/dropout/mid-handshake/3/shrunk"
        #expect(
            place.read("\(folder)/topology.yaml") == """
                length: 1s
                devices:
                  ben:
                    model: iPhone 15
                  lock:
                    profile: qorvo
                    defects:
                    - reused-configuration
                steps:
                - when: msg.accessoryConfigurationData.received on ben
                  disconnect:
                  - ben
                  - lock

                """)
        for hosting in ["process", "inline"] {
            let again = try Command.run(
                "replay", "\(folder)/replay.json", "--hosting", hosting, in: place)
            #expect(again.status == 1)
        }
        #expect(place.read("\(folder)/replay.json").contains("\"digest\" : \"\"") == false)
    }

    @Test func randomFaultsBecomeTheFewThatMatter() throws {
        let place = try Place()
        let run = try Command.run(
            "run", Self.chaos, "--seed", "34", "--scheduler", "urw", "--defect",
            "lock=stop-acknowledged-though-running", in: place)
        #expect(run.status == 1)
        let outcome = try Command.run(
            "shrink", "out/chaos/everything-at-once/34/replay.json", in: place)
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("decided: random suspend ben"))
        #expect(outcome.output.contains("certificate: "))
    }

    @Test func whatHeldIsNotShrunk() throws {
        let place = try Place()
        _ = try Command.run("run", Self.pair, in: place)
        let outcome = try Command.run(
            "shrink", "out/dropout/mid-handshake/1/replay.json", in: place)
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("there is nothing to shrink"))
    }
}
