import TestSupport
import Testing

@Suite(.processes) struct ShrinkTests {
    private static let chaos = topologies + "/chaos/everything-at-once.yaml"
    private static let pair = topologies + "/dropout/mid-handshake.yaml"

    /// The first failure that an exploration finds; returns the folder of its run.
    private static func found(
        _ topology: String, _ defect: String, _ options: String..., in place: Place
    ) throws -> String {
        let outcome = try Command(
            [
                "explore", topology, "--defect", defect, "--until-failures", "1", "--jobs", "1",
            ] + options, in: place
        ).outcome()
        try #require(outcome.status == 1, "\(outcome.output)")
        let replay = try #require(
            outcome.output.firstMatch(of: /replay: .* (out\/\S+)\/replay.json/))
        return String(replay.output.1)
    }

    @Test func aFailureBecomesTheFewLinesThatItNeeds() throws {
        let place = try Place()
        let folder = try Self.found(Self.pair, "lock=reused-configuration", in: place)
        let outcome = try Command.run("shrink", "\(folder)/replay.json", in: place)
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("certificate: without any one of these "))
        let sizes = outcome.output.matches(of: /\w+ (\d+) → (\d+)/).compactMap { size in
            Int(size.output.1).flatMap { one in Int(size.output.2).map { (one, $0) } }
        }
        #expect(sizes.count == 5)
        #expect(sizes[0].1 < sizes[0].0, "fewer lines")
        #expect(sizes.allSatisfy { $0.1 <= $0.0 })
        #expect(
            place.read("\(folder)/shrunk/topology.yaml").hasSuffix(
                """
                  ben: {model: iPhone 15}
                  lock: {profile: qorvo, defects: [reused-configuration]}
                steps:
                - {when: msg.accessoryConfigurationData.received on ben, disconnect: [ben, lock]}
                expect: violated fresh-configuration

                """))
        for hosting in ["process", "inline"] {
            let again = try Command.run(
                "replay", "\(folder)/shrunk/replay.json", "--hosting", hosting, in: place)
            #expect(again.status == 1)
        }
        #expect(place.read("\(folder)/shrunk/replay.json").contains("\"digest\" : \"\"") == false)
    }

    /// A second earlier the disconnection would race with the first request.
    @Test func whatFailsInEveryOrderDoesNotBecomeARace() throws {
        let place = try Place()
        try place.write(
            """
            length: 20s
            devices:
              ben: {model: iPhone 15, permission: allowed}
              lock: {profile: qorvo, defects: [reused-configuration]}
            steps: [{at: 4s, disconnect: [ben, lock]}]
            """, to: "drop.yaml")
        #expect(try Command.run("run", "drop.yaml", in: place).status == 1)
        let outcome = try Command.run("shrink", "out/drop/1/replay.json", in: place)
        #expect(outcome.output.contains("it fails in 16 of 16 runs → 16 of 16"))
        #expect(outcome.output.contains("does not fail in this way, or not in every order"))
    }

    @Test func randomFaultsBecomeTheStepsThatMatter() throws {
        let place = try Place()
        let folder = try Self.found(
            Self.chaos, "lock=stop-acknowledged-though-running", in: place)
        #expect(place.read("\(folder)/replay.json").contains("faults:"))
        let outcome = try Command.run("shrink", "\(folder)/replay.json", in: place)
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("certificate: without any one of these "))
        let topology = "\(folder)/shrunk/topology.yaml"
        let text = place.read(topology)
        #expect(!text.contains("faults:"))
        #expect(text.contains(/steps:\n(- \{at: .*\}\n)+expect: violated \S+\n$/), "\(text)")
        let regression = try Command.run("run", topology, in: place)
        #expect(regression.status == 0)
    }

    @Test func whatFailsByItsScheduleAloneExpectsNothing() throws {
        let place = try Place()
        let folder = try Self.found(Self.pair, "ben=keeps-session-after-disconnect", in: place)
        let outcome = try Command.run("shrink", "\(folder)/replay.json", in: place)
        #expect(outcome.status == 1)
        let topology = place.read("\(folder)/shrunk/topology.yaml")
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
