import Testing

/// `anechoic judge`: a recorded trace and promises as data.
struct JudgeCommandTests {
    private static let library = """
        fluents:
          linked: {per: [link], set: link.up, clear: [link.down, air.disconnected]}
          suspended:
            {per: [device], set: ni.sessionWasSuspended, clear: ni.sessionSuspensionEnded}
        promises:
          - promise: configuration-data-answers
            clause: R4 2.3
            keeper: accessory
            says: Every initialize on a link is answered with configuration data.
            per: [link]
            while: linked
            when: msg.initialize.received
            then: msg.accessoryConfigurationData.sent
            within: 2s
          - promise: fresh-configuration
            clause: R4 3.4.1
            keeper: accessory
            says: Configuration data is never sent twice.
            per: [device, configuration]
            count: msg.accessoryConfigurationData.sent
            max: 1
          - promise: suspension-ends-updates
            per: [device]
            while: suspended
            never: ni.didUpdate
        """

    private func judged(_ more: String...) throws -> Command.Outcome {
        let place = try Place()
        try place.write(Self.library, to: "library.yaml")
        let topology = topologies + "/dropout/mid-handshake.yaml"
        _ = try Command(["run", topology] + more, in: place).outcome()
        return try Command.run(
            "judge", "out/dropout/mid-handshake/1/trace.jsonl", "--promises", "library.yaml",
            in: place)
    }

    @Test func aHealthyTraceHolds() throws {
        let outcome = try judged()
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains("configuration-data-answers  held     2 "))
        #expect(outcome.output.contains("fresh-configuration         held     2 "))
        #expect(outcome.output.contains("suspension-ends-updates     vacuous  0 "))
    }

    @Test func aDefectBreaksWhatIsWritten() throws {
        let outcome = try judged("--defect", "lock=reused-configuration")
        #expect(outcome.status == 1)
        #expect(
            outcome.output.contains(
                "promise fresh-configuration, kept by the accessory: Configuration data is never "
                    + "sent twice.\n    broken at "))
        #expect(outcome.output.contains("msg.accessoryConfigurationData.sent on lock"))
    }

    @Test func withoutAFileTheUsualPromisesJudge() throws {
        let place = try Place()
        let topology = topologies + "/dropout/mid-handshake.yaml"
        _ = try Command.run(
            "run", topology, "--defect", "lock=reused-configuration", in: place)
        let outcome = try Command.run(
            "judge", "out/dropout/mid-handshake/1/trace.jsonl", in: place)
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("promise fresh-configuration, kept by the accessory"))
    }

    @Test func promisesAreListed() throws {
        let place = try Place()
        try place.write(Self.library, to: "library.yaml")
        let usual = try Command.run("promises", in: place)
        #expect(usual.output.contains("fresh-configuration"))
        let own = try Command.run("promises", "library.yaml", in: place)
        #expect(
            own.output.split(separator: "\n").map { $0.split(separator: " ")[0] } == [
                "promise", "configuration-data-answers", "fresh-configuration",
                "suspension-ends-updates",
            ])
    }

    @Test func aLineThatIsNoneOfATraceIsNamed() throws {
        let place = try Place()
        try place.write("{\"number\":0,\"time\":0,\"step\":0,\"kind\":\"a\"}\nnonsense\n", to: "t")
        let outcome = try Command.run("judge", "t", in: place)
        #expect(outcome.status == 65)
        #expect(outcome.errors.hasPrefix("t:2:1: error: this line is none of a trace"))
    }
}
