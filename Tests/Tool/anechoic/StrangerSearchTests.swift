import Foundation
import TestSupport
import Testing

/// Programs of somebody else, explored, shrunk and explained.
@Suite(.processes) struct StrangerSearchTests {
    private static func write(_ bug: String, _ steps: String, to place: Place) throws {
        let program = root + "/Tests/Strangers/hasty.py"
        try place.write(
            """
            length: 3s
            devices:
              ben: {model: iPhone 15, permission: allowed}
              lock: {run: python3, arguments: [-B, "\(program)", \(bug)], model: qorvo}
            \(steps)
            """, to: "it.yaml")
    }

    /// A timer that a stop does not cancel: the lock ranges though it was told to stop, where the stop comes first.
    private static let suspension = """
        steps:
          - {when: msg.configureAndStart.received on lock, suspend: ben, for: 1s}
        """

    @Test(.long) func aRaceOfSomebodyElsesIsFoundShrunkAndExplained() throws {
        let place = try Place()
        try Self.write("forgets-to-cancel", Self.suspension, to: place)
        let found = try Command.run(
            "explore", "it.yaml", "--until-failures", "1", "--jobs", "1", in: place)
        #expect(found.status == 1, "\(found.output)\(found.errors)")
        #expect(found.output.contains("3 of 3"))
        let file = try #require(found.output.firstMatch(of: /replay: .* (out\/\S+)/)?.output.1)
        let shrunk = try Command.run("shrink", String(file), "--trust", in: place)
        #expect(shrunk.status == 1, "\(shrunk.output)\(shrunk.errors)")
        #expect(shrunk.output.contains("devices 2 → 2, steps 1 → 1"), "\(shrunk.output)")
        #expect(shrunk.output.contains("certificate: without any one of these"))
        let folder = file.dropLast("replay.json".count) + "shrunk"
        let outcome = try Command.run(
            "explain", "\(folder)/replay.json", "--runs", "20", "--trust", in: place)
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        let race = outcome.output.prefix { $0 != "\n" }
        #expect(
            race.hasPrefix("race: ") && race.contains("msg.stop.received (ben → lock)"), "\(race)")
        #expect(
            race.contains("timer prepare (lock)") || race.contains("uwb.starting (lock)"), "\(race)"
        )
        #expect(outcome.output.contains("\n  played: both orders at one time"))
        for (run, status) in [("failing", 1), ("passing", 0)] as [(String, Int32)] {
            let replay = "\(folder)/explained/\(run)/replay.json"
            #expect(try Command.run("replay", replay, "--trust", in: place).status == status)
        }
    }

    /// Its log is another one in each run, and it dies in the plain run as well.
    @Test(.long) func equalCrashesAreOneWayToFail() throws {
        let place = try Place()
        try Self.write("dies", "", to: place)
        let outcome = try Command.run("explore", "it.yaml", "--runs", "16", in: place)
        #expect(outcome.status == 3, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains("16 failed, in 1 way\n"), "\(outcome.output)")
        #expect(
            outcome.output.contains(
                "device failed: crash of lock: the process exited with status # unasked: KeyError: 'radio'"
            ),
            "\(outcome.output)")
        #expect(outcome.output.contains("3 of 3"))
    }

    /// What is shrunk, or explained, is what was recorded.
    @Test(arguments: ["shrink", "explain"])
    func aProgramThatIsAnotherOneNowIsNoFinding(command: String) throws {
        let place = try Place()
        try Self.write("dies", "", to: place)
        #expect(try Command.run("run", "it.yaml", in: place).status == 3)
        let file = "out/it/1/replay.json"
        try place.write(place.read(file).replacing("hasty.py", with: "gone.py"), to: file)
        let outcome = try Command.run(command, file, "--trust", in: place)
        #expect(outcome.status == 70, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.errors.contains("the run did not repeat: digest "), "\(outcome.errors)")
    }

    @Test func whereThePlainRunFailsTheSweepReportsThat() throws {
        let place = try Place()
        try Self.write("dies", "", to: place)
        let outcome = try Command.run(
            "explore", "it.yaml", "--faults", "sweep", "--runs", "16", in: place)
        #expect(outcome.status == 3, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains("device failed: crash of lock: "), "\(outcome.output)")
        #expect(outcome.output.contains("3 of 3"), "\(outcome.output)")
    }

    @Test func somebodyElsesProgramsAreNotExploredInline() throws {
        let place = try Place()
        try Self.write("forgets-to-cancel", "", to: place)
        let outcome = try Command.run(
            "explore", "it.yaml", "--runs", "16", "--hosting", "inline", in: place)
        #expect(outcome.status == 64)
        #expect(
            outcome.errors.hasPrefix("--hosting inline: lock of it: inline a program has no "),
            "\(outcome.errors)")
    }

    /// There was no accessory left in what came of it.
    @Test func anExpectationFailsForTheSameReasonAfterwards() throws {
        let place = try Place()
        try Self.write(
            "forgets-to-cancel",
            """
            steps:
              - {at: 1s, disconnect: [ben, lock]}
              - {at: 2s, disconnect: [ben, lock]}
            expect:
              - exactly 3: link.down on ben
            """, to: place)
        #expect(try Command.run("run", "it.yaml", "--seed", "7", in: place).status == 1)
        let outcome = try Command.run(
            "shrink", "out/it/7/replay.json", "--trust", in: place)
        #expect(outcome.status == 1, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains("it was seen 2 times."), "\(outcome.output)")
        #expect(outcome.output.contains("steps 2 → 2"), "\(outcome.output)")
    }
}
