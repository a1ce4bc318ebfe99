import Foundation
import TestSupport
import Testing

/// Options that people know from other test tools.
@Suite(.processes) struct HabitTests {
    private static let pair = topologies + "/dropout/mid-handshake.yaml"
    private static let sick = ["--defect", "lock=reused-configuration", "--hosting", "inline"]

    @Test func topologiesAreFilteredByTheirNames() throws {
        let place = try Place()
        let listed = try Command.run("list", topologies, "-k", "mid and not defects", in: place)
        #expect(
            listed.output.split(separator: "\n").dropFirst().map { $0.prefix { $0 != " " } } == [
                "dropout/mid-handshake"
            ])
        let none = try Command.run("run", topologies, "-k", "nowhere", in: place)
        #expect(none.status == 64)
        #expect(none.errors.contains("-k \"nowhere\": none of "), "\(none.errors)")
        let promises = try Command.run("promises", "-k", "fresh-conf", in: place)
        #expect(promises.output.split(separator: "\n").count == 2)
    }

    @Test func noRunBeginsAfterTheFirstFailure() throws {
        let outcome = try Command(
            ["run", Self.pair, "-x", "--seeds", "1..20", "--jobs", "1"] + Self.sick, in: Place()
        ).outcome()
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("1 of 20 runs: 1 violated"), "\(outcome.output)")
    }

    @Test func aTestThatStopsAtTheFirstFailureIsNoYes() throws {
        let place = try Place()
        try place.write(
            "devices: {lock: {profile: qorvo}}\nlength: 1s\nexpect: [eventually: link.up]",
            to: "suite/a.yaml")
        try place.write("devices: {lock: {profile: qorvo}}\nlength: 1s", to: "suite/b.yaml")
        let outcome = try Command.run(
            "conform", "--suite", "suite", "-x", "-q", "--no-sweep", "--no-search", "--only",
            "quiet", "--jobs",
            "1",
            "--hosting", "inline", in: place)
        #expect(outcome.status == 2, "\(outcome.output)\(outcome.errors)")
        #expect(
            outcome.output.hasPrefix("UNDECIDED (stopped at the first failure, after "),
            "\(outcome.output)")
    }

    @Test func quietlyOnlyFailuresAreShown() throws {
        let held = try Command.run("run", Self.pair, "-q", in: Place())
        #expect(held.output == "1 run: 1 held\n")
        let broken = try Command(["run", Self.pair, "-q"] + Self.sick, in: Place()).outcome()
        #expect(broken.output.hasPrefix("topology "), "\(broken.output)")
        #expect(broken.output.contains("promise fresh-configuration"))
    }

    @Test func whatFailedLastTimeIsPlayedAgain() throws {
        let place = try Place()
        try place.write(
            "devices: {lock: {profile: qorvo}}\nlength: 1s\nexpect: [eventually: link.up]",
            to: "suite/fails.yaml")
        try place.write("devices: {lock: {profile: qorvo}}\nlength: 1s", to: "suite/holds.yaml")
        let first = try Command.run("run", "suite", "--seeds", "1..2", in: place)
        #expect(first.output.contains("4 runs: 2 held, 2 violated"), "\(first.output)")
        let again = try Command.run("run", "--last-failed", in: place)
        #expect(again.output.contains("2 runs: 2 violated"), "\(again.output)\(again.errors)")
        // One of the two stays to be played.
        let one = try Command.run("run", "--last-failed", "-x", "--jobs", "1", in: place)
        #expect(one.output.contains("1 of 2 runs: 1 violated"))
        try place.write("devices: {lock: {profile: qorvo}}\nlength: 1s", to: "suite/fails.yaml")
        #expect(
            try Command.run("run", "suite", "--last-failed", in: place).output.contains(
                "2 runs: 2 held"))
        let none = try Command.run("run", "--last-failed", in: place)
        #expect(none.status == 64)
        #expect(none.errors == "--last-failed: nothing failed in the last run into out\n")
    }

    @Test func withoutALastTimeThereIsNothingToPlayAgain() throws {
        let outcome = try Command.run("run", "--last-failed", in: Place())
        #expect(outcome.status == 64)
        #expect(
            outcome.errors
                == "--last-failed: nothing was run into out yet; run without --last-failed first\n")
    }

    @Test func coloursAreForTerminals() throws {
        let place = try Place()
        #expect(try !Command.run("run", Self.pair, in: place).output.contains("\u{1B}["))
        let coloured = try Command(
            ["run", Self.pair, "--color", "always"] + Self.sick, in: place
        ).outcome()
        #expect(
            coloured.output.contains("\u{1B}[1;31m1 run: 1 violated\u{1B}[0m"), "\(coloured.output)"
        )
        let explored = try Command.run(
            "explore", Self.pair, "--runs", "16", "--color", "always", in: place)
        #expect(explored.output.contains("\u{1B}[32m16 runs of 1 topology"), "\(explored.output)")
    }
}
