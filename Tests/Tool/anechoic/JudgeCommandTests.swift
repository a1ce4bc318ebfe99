import TestSupport
import Testing

/// `anechoic judge`: a recorded trace and promises as data.
@Suite(.processes) struct JudgeCommandTests {
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

    /// What `judge` says of these lines.
    private func verdict(of lines: String...) throws -> Command.Outcome {
        let place = try Place()
        try place.write(lines.joined(separator: "\n"), to: "t.jsonl")
        return try Command.run("judge", "t.jsonl", in: place)
    }

    /// A line of a trace.
    private func line(
        _ number: UInt64, at time: UInt64, _ kind: String = "app.launched", observed: Bool = false,
        _ fields: String = ""
    ) -> String {
        """
        {"number":\(number),"time":\(time),"step":0,"kind":"\(kind)","device":"ben",\
        "observed":\(observed),"fields":{\(fields)}}
        """
    }

    @Test func timeThatRunsBackwardsIsRefusedWithBothTimes() throws {
        let outcome = try verdict(of: line(0, at: 5_000_000_000), line(1, at: 1_000))
        #expect(outcome.status == 65)
        #expect(
            outcome.errors.contains(
                "t.jsonl:2:1: error: time runs backwards: \"time\" is 1000 here, and 5000000000 in "
                    + "line 1"), "\(outcome.errors)")
    }

    @Test(arguments: [1, UInt64.max])
    func aTraceWithoutItsBeginningIsRefused(_ number: UInt64) throws {
        let outcome = try verdict(of: line(number, at: 0))
        #expect(outcome.status == 65)
        #expect(
            outcome.errors.contains(
                "t.jsonl:1:1: error: the beginning is missing: \"number\" is \(number) here, "
                    + "expected 0"), "\(outcome.errors)")
    }

    @Test(arguments: [[0, 2], [0, 0], [0, UInt64.max]])
    func numbersWithGapsAreRefusedWithBoth(_ numbers: [UInt64]) throws {
        let outcome = try verdict(of: line(numbers[0], at: 0), "", line(numbers[1], at: 0))
        #expect(outcome.status == 65)
        #expect(
            outcome.errors.contains(
                "t.jsonl:3:1: error: the numbers have a gap: \"number\" is \(numbers[1]) here, and "
                    + "\(numbers[0]) in line 1"), "\(outcome.errors)")
    }

    @Test(arguments: ["script.ended", "msg.accessoryUwbDidStop.sent", "run.ended", "link"])
    func whatOnlyTheOrchestratorSeesIsNoObservation(_ kind: String) throws {
        let outcome = try verdict(of: line(0, at: 0), line(1, at: 1, kind, observed: true))
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("t.jsonl:2:"), "\(outcome.errors)")
        #expect(
            outcome.errors.contains("expected a kind that a device may observe"),
            "\(outcome.errors)")
        #expect(try verdict(of: line(0, at: 0), line(1, at: 1, kind)).status != 65)
    }

    @Test(arguments: [
        "", "\n\n", #"{"schema":1,"topology":"t","seed":1,"scheduler":"fifo","tool":"t"}"#,
    ])
    func aTraceWithoutEventsWasNotJudged(_ text: String) throws {
        let outcome = try verdict(of: text)
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("there is no event in this file, so nothing was judged"))
    }

    @Test func aTraceInWhichNothingWasPutToTheTestProvesNothing() throws {
        let place = try Place()
        try place.write(
            #"{"number":0,"time":0,"step":0,"kind":"quantum.leap"}"#, to: "t.jsonl")
        let outcome = try Command.run("judge", "t.jsonl", "--junit", "j.xml", in: place)
        #expect(outcome.status == 2)
        #expect(outcome.output.contains("t.jsonl, seed 0: inconclusive"), "\(outcome.output)")
        #expect(outcome.output.contains("nothing was put to the test: none of 1"))
        #expect(place.read("j.xml").contains(#"failures="1""#), "\(place.read("j.xml"))")
    }

    /// A time, and the fields of a link.
    private static let absurdities: [(time: UInt64, fields: String)] = [
        (
            .max, #""link":1,"peer":"lock","interval":4611686018427387904,"latency":3,"timeout":1"#
        ),
        (
            0,
            #""link":1,"peer":"lock","interval":9223372036854775807,"latency":9223372036854775807"#
        ),
        (.max - 1, #""link":-9223372036854775808,"interval":-9223372036854775808,"timeout":-1"#),
    ]

    @Test(arguments: absurdities)
    func absurdNumbersAreJudged(_ time: UInt64, _ fields: String) throws {
        let outcome = try verdict(
            of: line(0, at: 0, "link.up", fields), line(1, at: time, "link.up", fields),
            line(
                2, at: time, "msg.stop.received", #""link":1,"peer":"lock","session":1,"length":1"#),
            line(3, at: time, "run.ended", #""reason":"quiescent""#))
        #expect([0, 1, 2].contains(outcome.status), "\(outcome.errors)")
    }

    @Test func aLongLineTakesNoLongerThanManyShortOnes() throws {
        let text = String(repeating: "x", count: 3_000_000)
        let outcome = try verdict(of: line(0, at: 0, "app.launched", "\"text\":\"\(text)\""))
        #expect(outcome.status == 0 || outcome.status == 2, "\(outcome.errors)")
        let endless = String(repeating: "x", count: 17 << 20)
        #expect(try verdict(of: endless).errors.contains("this line is longer than 16 MiB"))
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
        #expect(outcome.errors.hasPrefix("t:2:1: error: this is no line of a trace"))
    }
}
