import Basics
import TestSupport
import Testing

@Suite(.processes) struct ExplainTests {
    private static let pair = "dropout/mid-handshake"

    private static func file(_ name: String) -> String { "\(topologies)/\(name).yaml" }

    /// A shrunk failure of a topology; returns its replay file.
    private static func shrunk(
        _ name: String, _ defect: String, _ options: [String] = [], in place: Place
    ) throws -> String {
        let found = try Command(
            ["explore", file(name), "--defect", defect, "--until-failures", "1", "--jobs", "1"]
                + options, in: place
        ).outcome()
        try #require(found.status == 1)
        let seed = try #require(
            found.output.firstMatch(of: /replay: .*\/([0-9]+)\/replay.json/)?.output.1)
        let folder = "out/\(name)/\(seed)"
        try #require(try Command.run("shrink", "\(folder)/replay.json", in: place).status == 1)
        return "\(folder)/shrunk/replay.json"
    }

    /// What is said of a shrunk failure of a topology.
    private static func explained(
        _ name: String, _ defect: String, _ options: String...
    ) throws -> Command.Outcome {
        let place = try Place()
        return try Command.run(
            "explain", shrunk(name, defect, options, in: place), "--runs", "40", in: place)
    }

    @Test(.long) func whatMayBeAMatterOfTimeIsNotCalledARace() throws {
        let place = try Place()
        let file = try Self.shrunk(
            Self.pair, "ben=keeps-session-after-disconnect", in: place)
        let outcome = try Command.run("explain", file, in: place)
        #expect(outcome.status == 0)
        // A little later it would be in time in either order: the order alone is not it.
        let lines = outcome.output.split(separator: "\n")
        #expect(lines[0] == "no pair of events is proven to race; the run holds")
        #expect(
            lines[1].contains(
                /^  with "queue ben\/0 main #\d+" only after "link ben\/0-lock\/0 .*"$/))
        #expect(
            lines[2]
                == "  while here ni.didGenerateShareableConfigurationData (ben → lock) is before "
                + "msg.accessoryConfigurationData.received (lock → ben)")
        #expect(outcome.output.contains("  promise: shareable-data-without-delay"))
        #expect(outcome.output.contains("first divergence: step "))
        #expect(outcome.output.contains("under random delivery: it fails in "))
        // Both runs are there: one holds, the other does not.
        let folder = "\(file.dropLast("replay.json".count))explained"
        #expect(try Command.run("replay", "\(folder)/passing/replay.json", in: place).status == 0)
        #expect(try Command.run("replay", "\(folder)/failing/replay.json", in: place).status == 1)
        #expect(
            try Command.run("diff", "\(folder)/failing", "\(folder)/passing", in: place).status == 1
        )
        #expect(!place.read("\(folder)/explanation.json").contains("\"race\""))
    }

    @Test func aStepIsMovedUntilANanosecondDecides() throws {
        let place = try Place()
        let file = try place.rangesOnBehindItsLink(from: "1620ms")
        let outcome = try Command.run("explain", file, "--runs", "40", in: place)
        let played =
            #/
            \n\ \ played:\ with\ the\ step\ "([^"]+)"\ at\ (\S+)\ it\ breaks,
            \ and\ 1\ ns\ (earlier|later)\ it\ holds,\s
            /#
        let moved = try #require(outcome.output.firstMatch(of: played)?.output, "\(outcome.output)")
        #expect(
            outcome.output.contains(
                "effect: msg.configureAndStart.received (ben → lock) is before link.down (lock → ben)"
            ), "\(outcome.output)")
        let folder = "\(file.dropLast("replay.json".count))explained"
        let times = try ["failing", "passing"].map { run in
            let replay = place.read("\(folder)/\(run)/replay.json")
            let step = try #require(replay.range(of: ", \(moved.1)}")).lowerBound
            let at = try #require(replay[..<step].ranges(of: "{at: ").last)
            return try Quantity.duration.value(of: replay[at.upperBound..<step])
        }
        #expect(times[0] == (try Quantity.duration.value(of: moved.2)))
        #expect(times[1] == times[0] + (moved.3 == "later" ? 1 : -1))
    }

    @Test func ofTwoMessagesToOneDeviceTheLastThatMayNotBeFirstIsNamed() throws {
        let outcome = try Self.explained(
            "classics/two-phase-commit", "coordinator=commits-early")
        #expect(outcome.status == 0)
        // The second vote for, and the one against.
        #expect(
            outcome.output.hasPrefix(
                "race: att.received (bert → coordinator) against att.received (carl → coordinator)\n"
            ))
    }

    @Test(.long) func theRaceThatAStepOfTheScriptLeadsToIsNamed() throws {
        let outcome = try Self.explained("races/stop-behind-a-request", "lock=lost-request")
        #expect(outcome.status == 0)
        #expect(
            outcome.output.hasPrefix(
                "race: msg.stop.received (ben → lock) against timer handling (lock): uwb.starting (lock)\n"
            ), "\(outcome.output)")
        #expect(
            outcome.output.contains("these two match the race that lost-request of lock declares"))
    }

    @Test func aPairIsNamedWhereBothOrdersWerePlayed() throws {
        let outcome = try Self.explained("races/second-accessory", "ben=single-configuration")
        #expect(outcome.status == 0)
        #expect(
            outcome.output.hasPrefix(
                "race: msg.accessoryConfigurationData.received (key → ben) against uwb.started (ben)\n"
            ),
            "\(outcome.output)")
        #expect(outcome.output.contains("\n  played: both orders at one time"))
    }

    @Test func whatFailsInAnyOrderIsNoRace() throws {
        let outcome = try Self.explained(Self.pair, "lock=reused-configuration")
        #expect(outcome.status == 0)
        #expect(
            outcome.output.hasPrefix(
                "no race: it fails in every order (in 40 of 40 runs under random delivery)\n"))
    }

    /// Moved by a nanosecond the fault would strike another moment, and that would be called a race.
    @Test func aFaultThatBreaksEveryOrderIsNoRace() throws {
        let place = try Place()
        let file = try place.rangesOnBehindItsLink(from: "2s")
        let outcome = try Command.run("explain", file, "--runs", "40", in: place)
        #expect(outcome.status == 0)
        #expect(
            outcome.output.contains(
                "it takes these steps:\n  {at: 2s, partition: [ben, lock], one-way: true}\n"),
            "\(outcome.output)")
    }

    @Test func aSearchThatMayNotGoOnSaysSo() throws {
        let place = try Place()
        let file = try Self.shrunk(Self.pair, "lock=reused-configuration", in: place)
        let outcome = try Command.run(
            "explain", file, "--replays", "2", "--runs", "4", in: place)
        #expect(outcome.status == 2)
        #expect(
            outcome.output.hasPrefix(
                "no passing run was found in 2 tries; more with --replays\n"))
    }

    @Test func whatHeldIsNotExplained() throws {
        let place = try Place()
        _ = try Command.run("run", Self.file(Self.pair), in: place)
        let outcome = try Command.run(
            "explain", "out/\(Self.pair)/1/replay.json", in: place)
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("expected a run that failed"))
    }
}
