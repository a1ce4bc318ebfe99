import Artifacts
import Foundation
import RunSupport
import TestSupport
import Testing

/// Every command stops soon after INT, TERM or HUP, keeps what it has and ends with 130.
@Suite(.processes) struct InterruptionTests {
    private static let pair = topologies + "/dropout/mid-handshake.yaml"
    private static let sick = ["--defect", "lock=reused-configuration"]
    private static let replay = "failed/dropout/mid-handshake/42/replay.json"
    /// In seconds; what is promised is one, but other tests want the cores as well.
    private static let patience = 20

    /// Commands that go on for long, by name.
    private static let commands: [String: [String]] = [
        "run": ["run", pair, "--seeds", "1..100000", "--jobs", "1"],
        "run by workers": ["run", pair, "--seeds", "1..100000", "--jobs", "2", "--no-out"],
        "run inline": [
            "run", pair, "--seeds", "1..1000000", "--jobs", "2", "--no-out", "--hosting", "inline",
        ],
        "run as JSON": [
            "run", pair, "--seeds", "1..100000", "--jobs", "2", "--no-out", "--format", "json",
        ],
        "run by the clock": ["run", pair, "--clock", "wall", "--hosting", "inline"],
        "explore": ["explore", pair, "--runs", "10000000", "--jobs", "2"] + sick,
        "sweep": ["explore", pair, "--faults", "sweep", "--jobs", "1"],
        "shrink": ["shrink", replay, "--replays", "1000000"],
        "explain": ["explain", replay, "--runs", "1000000"],
        "conform": ["conform", "--hosting", "inline", "--seeds", "1000", "--junit", "j.xml"],
        "defects": ["defects", "--jobs", "1", "--seeds", "1000"],
        "replay": ["replay", replay, "--clock", "wall"],
        "judge": ["judge", "fifo"], "diff": ["diff", "fifo", "fifo"],
        "report": ["report", "fifo"],
        "soak": ["soak", pair, "--for", "1h", "--jobs", "2"],
    ]
    /// How often a command may be done before its signal comes: a busy machine may let us sleep for longer
    /// short one takes.
    private static let tries = 20

    private func place() throws -> Place {
        let place = try Place()
        _ = try Command(
            ["run", Self.pair, "--seed", "42", "--out", "failed"] + Self.sick, in: place
        ).outcome()
        #expect(mkfifo(place.path + "/fifo", 0o600) == 0)
        return place
    }

    private static let byDay = ["conform", "explore", "run by workers"]

    @Test(arguments: isWhole ? commands.keys.sorted() : byDay)
    func aCommandStopsAndEndsWith130(name: String) throws {
        let place = try place()
        let moments: [(Int32, UInt32)] = [
            (SIGINT, 60_000), (SIGTERM, 300_000), (SIGHUP, isWhole ? 1_500_000 : 400_000),
        ]
        // By day each has one signal of its own.
        let chosen = isWhole ? moments : [moments[Self.byDay.firstIndex(of: name) ?? 0]]
        for (signal, microseconds) in chosen.prefix(name == "shrink" ? 1 : 3) {
            let command = try running(name, for: microseconds, in: place)
            let children = command.children.map(\.pid)
            command.send(signal)
            let outcome = try command.outcome(seconds: Self.patience)
            #expect(outcome.status == 130, "\(name), \(signal): \(outcome)")
            // A child may be told of its end by that of the command.
            #expect(wait(seconds: 5) { !isAnyAlive(children) })
            #expect(!(outcome.output + outcome.errors).contains("error of the harness"))
            if name == "run as JSON", outcome.output != "" { _ = try outcome.reports }
        }
    }

    /// A command that has been running for a while.
    private func running(_ name: String, for microseconds: UInt32, in place: Place) throws
        -> Command
    {
        for _ in 0..<Self.tries {
            let command = try Command(Self.commands[name] ?? [], in: place)
            usleep(microseconds)
            if command.isRunning { return command }
        }
        throw Ended(name: name)
    }

    private struct Ended: Error { let name: String }

    @Test func anInterruptedGateDecidesNothing() throws {
        let place = try Place()
        let command = try Command(
            [
                "conform", "--hosting", "inline", "--seeds", "1000", "--no-sweep", "--junit",
                "j.xml",
            ],
            in: place)
        try #require(command.hasChildren(1))
        usleep(isWhole ? 1_000_000 : 300_000)
        command.send(SIGINT)
        let outcome = try command.outcome(seconds: Self.patience)
        #expect(outcome.status == 130)
        let last = try #require(outcome.output.split(separator: "\n").last)
        #expect(
            last.hasPrefix("INTERRUPTED (after ") && last.contains(", which decides nothing): "))
        let report = place.read("j.xml")
        #expect(report.contains("<error type=\"interrupted\""), "\(report)")
    }

    /// What a failure's repetition would have shown nobody knows, so nobody is accused.
    @Test(arguments: [SIGINT, SIGTERM])
    func whatWasFoundAndNotConfirmedAccusesNobody(signal: Int32) throws {
        let place = try Place()
        let text = try String(contentsOfFile: Self.pair, encoding: .utf8)
        try place.write(
            text.replacing(#/length: [0-9]+s/#, with: "length: 10min"), to: "long.yaml")
        let explore = ["explore", "long.yaml", "--runs", "16", "--jobs", "2"] + Self.sick
        let command = try Command(explore, in: place)
        // The first file of a failing run shows that it is being repeated.
        let folder = place.path + "/out/long"
        try #require(
            wait(seconds: 100) {
                FileManager.default.fileExists(atPath: folder) || !command.isRunning
            })
        try #require(command.isRunning)
        command.send(signal)
        let outcome = try command.outcome(seconds: Self.patience)
        #expect(outcome.status == 130, "\(outcome)")
        #expect(outcome.output.contains("  not confirmed yet: interrupted; --resume goes on\n"))
        #expect(!outcome.output.contains("did not repeat"), "\(outcome)")
    }

    /// When there is something to keep depends on the machine, so it is tried later and later.
    @Test(arguments: [("shrink", "shrunk/"), ("explain", "explained/failing/")])
    func whatShrinkAndExplainHaveIsKept(_ name: String, _ folder: String) throws {
        let place = try place()
        let file = "failed/dropout/mid-handshake/42/\(folder)replay.json"
        for round in 0..<8 as Range<UInt32> where place.read(file) == "" {
            let command = try Command(Self.commands[name] ?? [], in: place)
            usleep(100_000 << round)
            command.send(SIGTERM)
            let outcome = try command.outcome(seconds: Self.patience)
            // It was done before.
            if outcome.status == 1, !outcome.output.contains("interrupted") { continue }
            #expect(outcome.status == 130, "\(outcome)")
            #expect(place.read(file) == "" || outcome.output.contains("interrupted"), "\(outcome)")
        }
        let kept = try Replay.read(place.path + "/" + file)
        #expect(kept.afters != nil && kept.seed == 42)
        #expect(try Command.run("replay", file, in: place).status == 1)
    }

    @Test func nohupHoldsHangUpsOff() throws {
        let place = try Place()
        try place.write("length: 60s\ndevices: {lock: {profile: qorvo}}", to: "one.yaml")
        let command = try Command(
            ["run", "one.yaml", "--clock", "wall", "--no-out"], in: place, limits: "trap '' HUP")
        try #require(command.hasChildren(1))
        command.send(SIGHUP)
        sleep(2)
        #expect(command.isRunning)
        command.send(SIGTERM)
        #expect(try command.outcome(seconds: Self.patience).status == 130)
    }
}
