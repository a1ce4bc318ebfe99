import Foundation
import TestSupport
import Testing

/// What can go wrong around a run, and the one sentence that is said about it.
@Suite(.processes) struct MistakeTests {
    private static let plain = topologies + "/basics/one-to-one.yaml"

    private func outcome(_ arguments: String..., limits: String? = nil) throws -> Command.Outcome {
        try Command(arguments, in: try Place(), limits: limits).outcome()
    }

    // MARK: Output

    @Test func aFolderThatCannotBeIsTold() throws {
        let outcome = try outcome("run", Self.plain, "--out", "/proc/none")
        #expect(outcome.status == 70)
        #expect(outcome.errors.hasPrefix("cannot make the folder /proc/none: No such file"))
    }

    @Test(arguments: ["text", "json"])
    func resultsThatCannotBeShownAreAnError(format: String) throws {
        let full = try outcome(
            "run", Self.plain, "--no-out", "--format", format, limits: "exec >/dev/full")
        #expect(full.status == 70)
        #expect(full.errors.hasPrefix("cannot write the results to standard output: No space"))
    }

    @Test(arguments: ["exec <&-", "exec >&-", "exec 2>&-", "exec <&- >&- 2>&-"])
    func aClosedStandardDescriptorDoesNoHarm(limits: String) throws {
        #expect(try outcome("run", Self.plain, "--no-out", limits: limits).status == 0)
    }

    @Test func twoTopologiesOfOneNameAreKeptApart() throws {
        let place = try Place()
        for folder in ["a", "b"] {
            try place.write("devices: {lock: {profile: qorvo}}", to: "\(folder)/x.yaml")
        }
        let outcome = try Command.run("run", "a/x.yaml", "b/x.yaml", in: place)
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        for folder in ["a", "b"] {
            #expect(place.read("out/\(folder)/x/1/verdict.json").contains("\"\(folder)/x\""))
        }
    }

    @Test(arguments: [
        ("3..1", "the first seed is greater than the last"), ("1-3", "expected FIRST..LAST"),
        ("0..18446744073709551615", "expected at most 10000000 seeds"),
    ])
    func seedsThatAreNoneAreExplained(seeds: String, words: String) throws {
        let outcome = try outcome("run", Self.plain, "--seeds", seeds)
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains(words), "\(outcome.errors)")
    }

    // MARK: Replays

    @Test func aReplayTracesTurnsAsItsRunDidAndLeavesThatRunAlone() throws {
        let place = try Place()
        _ = try Command.run("run", Self.plain, "--trace-turns", in: place)
        let folder = "out/basics/one-to-one/1/"
        let trace = place.read(folder + "trace.jsonl")
        #expect(trace.contains("device.turn"))
        let replay = try Command.run("replay", folder + "replay.json", in: place)
        #expect(replay.status == 0, "\(replay.output)")
        #expect(place.read(folder + "replay/trace.jsonl") == trace)
    }

    @Test(arguments: [
        (
            #""name" : "one""#, #""name" : "../one""#,
            "the name \"../one\" cannot be that of a topology"
        ),
        (#""name" : "one""#, #""name" : "a\nFORGED""#, #"the name "a ⏎ FORGED" cannot be"#),
        (#""random""#, #""a\nFORGED""#, #""a ⏎ FORGED" has more than one line"#),
        (#""digest" : ""#, #""digest" : "/etc/"#, "the digest \"/etc/"),
        (#""random""#, #""lifo""#, "the scheduler \"lifo\" is none of fifo, random, urw"),
        (
            #""decisions" : ["#, #""decisions" : [{"identity": "link x #1 loss", "value": 1}"#,
            "the recorded decision \"link x #1 loss\" never came up"
        ),
    ])
    func aReplayFileThatWasChangedIsTold(from: String, to: String, words: String) throws {
        let place = try Place()
        try place.write("length: 1s\ndevices: {lock: {profile: qorvo}}", to: "one.yaml")
        _ = try Command.run("run", "one.yaml", in: place)
        let changed = place.read("out/one/1/replay.json").replacingOccurrences(of: from, with: to)
        try place.write(changed, to: "changed.json")
        let outcome = try Command.run("replay", "changed.json", in: place)
        #expect(outcome.status == (words.contains("never") ? 70 : 65))
        #expect((outcome.output + outcome.errors).contains(words), "\(outcome)")
    }

    // MARK: Devices of somebody else

    /// A second of a device with a vice, alone.
    private static func rogue(_ vice: String) -> String {
        """
        length: 1s
        devices:
          mine: {run: python3, arguments: [-B, "\(root)/Tests/Strangers/rogue.py", \(vice)]}
        """
    }

    /// A foreign device keeps what it prints in a buffer until it is asked to become another one.
    @Test func whatADeviceLoggedLateIsInTheLogOfItsOwnRun() throws {
        let place = try Place()
        try place.write(Self.rogue("buffered"), to: "late.yaml")
        let outcome = try Command(
            ["run", "late.yaml", "--seeds", "1..3", "--jobs", "1"], in: place,
            limits: "unset PYTHONUNBUFFERED"
        ).outcome()
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        #expect(
            (1...3).map { place.read("out/late/\($0)/logs/mine.log") } == [
                "reset 1\n", "reset 2\n", "reset 3\n",
            ])
    }

    @Test func aDeviceThatNeverLetsTimeGoOnIsAHang() throws {
        let place = try Place()
        try place.write(Self.rogue("restless"), to: "stuck.yaml")
        let outcome = try Command.run("run", "stuck.yaml", "--no-out", in: place)
        #expect(outcome.status == 3)
        #expect(outcome.output.contains("hang of mine: virtual time stands still after "))
    }

    @Test func aDeviceThatDialsInIsOneRunsAtATime() throws {
        let place = try Place()
        try place.write("devices: {mine: {dials-in: true}}", to: "dial.yaml")
        try FileManager.default.createDirectory(
            atPath: place.path + "/sockets", withIntermediateDirectories: false)
        let arguments = ["run", "dial.yaml", "--no-out", "--sockets", "sockets", "--watchdog"]
        let first = try Command(arguments + ["2s"], in: place)
        try #require(wait(seconds: 20) { place.has("sockets/mine.sock") })
        let second = try Command(arguments + ["300ms"], in: place).outcome()
        #expect(second.output.contains("address already in use"), "\(second.output)")
        #expect(try first.outcome().output.contains("nobody dialled sockets/mine.sock within 2000"))
        #expect(place.has("sockets"))
        #expect(
            try Command(arguments + ["300", "--jobs", "2", "--seeds", "1..2"], in: place)
                .outcome().status == 64)
    }
}

extension Place {
    fileprivate func has(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: path + "/" + name)
    }
}
