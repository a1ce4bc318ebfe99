import Artifacts
import Foundation
import TestSupport
import Testing

/// Programs that we did not write: what they get, what they may cost, and what is left of them.
@Suite(.processes) struct StrangerTests {
    private static let rogue = root + "/Tests/Strangers/rogue.py"

    /// A topology of one rogue, and of a tag that keeps the run going.
    private static func topology(
        _ vice: String, length: String = "2s", expect: String = ""
    ) -> String {
        """
        length: \(length)
        devices:
          mine: {run: python3, arguments: [-B, "\(rogue)", \(vice)]}
          tag: {profile: qorvo, start: 10ms}
        \(expect)
        """
    }

    /// Runs a rogue and returns what became of it.
    private func run(
        _ vice: String, _ arguments: [String] = [], expect: String = ""
    ) throws -> (outcome: Command.Outcome, place: Place) {
        let place = try Place()
        try place.write(Self.topology(vice, expect: expect), to: "rogue.yaml")
        let command = try Command(["run", "rogue.yaml"] + arguments, in: place)
        return (try command.outcome(), place)
    }

    // MARK: What they do wrong

    /// In their only turn, so that no grant follows in which it would be seen.
    @Test(arguments: [
        ("twice", "expected silence between turns, found answers of turn"),
        ("apart", "expected silence between turns, found answers of turn"),
        ("for-ever", "expected silence between turns, found answers of turn"),
        ("half", "expected 24 bytes of a frame, found the end of the stream after 5"),
    ])
    func whatIsLeftInAStreamBreaksTheContract(vice: String, said: String) throws {
        for more in [[], ["--transport", "unix"]] {
            let outcome = try run(vice, ["--seeds", "1..2", "--jobs", "1"] + more).outcome
            #expect(outcome.status == 3, "\(outcome.output)")
            #expect(outcome.output.contains("2 runs: 2 device failed"), "\(outcome.output)")
            #expect(outcome.output.contains(said), "\(outcome.output)")
        }
    }

    @Test func dyingWordsStandBeforeTheStack() throws {
        let outcome = try run("talks").outcome
        #expect(outcome.status == 3)
        #expect(
            outcome.output.contains(
                """
                its last lines:
                    app.swift:220: Fatal error: found nil
                    0 0x00f0 frame
                """), "\(outcome.output)")
        #expect(
            outcome.output.contains(
                """
                    6 0x00f6 frame
                      … 190 more lines
                    197 0x00f197 frame
                """), "\(outcome.output)")
    }

    // MARK: What they get

    /// The stranger of Tests/Strangers, over a service that its maker thought of, and that a topology tells of.
    @Test func messagesGoOverAServiceOfTheMakersOwn() throws {
        let place = try Place()
        try place.write(
            """
            import sys
            sys.path.insert(0, "\(root)/Sources/Devices/Foreign/Python")
            from anechoic.accessory import Accessory
            from anechoic.link import serve

            class Mine(Accessory):
                service, receive, transmit = (
                    bytes.fromhex(f"A0B4000{part}926D4D6198DF8C5C62EE53B3")[::-1] for part in (1, 2, 3))

            serve("mine.py", Mine)
            """, to: "mine.py")
        let services = """
            services:
              - service: A0B40001-926D-4D61-98DF-8C5C62EE53B3
                receive: A0B40002-926D-4D61-98DF-8C5C62EE53B3
                transmit: A0B40003-926D-4D61-98DF-8C5C62EE53B3
            """
        let topology = """
            length: 5s
            devices:
              ben: {model: iPhone 15}
              lock: {run: python3, arguments: [-B, mine.py]}
            expect: [eventually: msg.accessoryUwbDidStart.received on ben, eventually: ni.didUpdate on ben]

            """
        try place.write(topology + services, to: "told.yaml")
        try place.write(topology, to: "untold.yaml")
        let outcome = try Command.run(
            "run", "told.yaml", "untold.yaml", "--format", "json", in: place)
        #expect(try outcome.reports.map(\.status) == [.held, .violated], "\(outcome.errors)")
    }

    @Test func aDeviceGetsAHandfulOfVariablesAndNoToken() throws {
        let place = try Place()
        // A shell adds variables of its own; this is what it began with.
        try place.write(
            "#!/bin/sh\ncat /proc/$$/environ >&2\nexec python3 -B \(Self.rogue) idle\n",
            to: "device.sh")
        try place.makeExecutable("device.sh")
        try place.write(
            "length: 1s\ndevices: {mine: {run: ./device.sh, environment: [WANTED, SET=1]}}",
            to: "it.yaml")
        let outcome = try Command(
            ["run", "it.yaml"], in: place,
            limits: "export CI_TOKEN=secret WANTED=yes GLIBC_TUNABLES=glibc.malloc.arena_max=1"
        ).outcome()
        #expect(outcome.status == 0, "\(outcome.output)")
        let names = place.read("out/it/1/logs/mine.log").split(separator: "\0").map {
            $0.prefix { $0 != "=" }
        }
        let wanted: Set<Substring> = ["ANECHOIC_LINK", "PATH", "SET", "WANTED"]
        #expect(wanted.isSubset(of: names))
        let usual: Set<Substring> = [
            "ANECHOIC_MARK", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "LD_LIBRARY_PATH", "TMPDIR",
            "TZ",
            "SWIFT_BACKTRACE", "SWIFT_DETERMINISTIC_HASHING", "ASAN_OPTIONS", "LSAN_OPTIONS",
            "TSAN_OPTIONS", "UBSAN_OPTIONS",
        ]
        #expect(Set(names).subtracting(wanted).subtracting(usual) == [])
    }

    @Test func noSignalIsBlockedForADevice() throws {
        let (outcome, place) = try run("signals")
        #expect(outcome.status == 0, "\(outcome.output)")
        let log = place.read("out/rogue/1/logs/mine.log")
        #expect(log.contains("SigBlk:\t0000000000000000"))
    }

    @Test func noSignalIsIgnoredForADevice() throws {
        let place = try Place()
        try place.write(
            "#!/bin/sh\ngrep SigIgn /proc/self/status >&2\nexec python3 -B \(Self.rogue) idle\n",
            to: "device.sh")
        try place.makeExecutable("device.sh")
        try place.write("length: 1s\ndevices: {mine: {run: ./device.sh}}", to: "it.yaml")
        let outcome = try Command.run("run", "it.yaml", in: place)
        #expect(outcome.status == 0, "\(outcome.output)")
        let digits = try #require(place.read("out/it/1/logs/mine.log").split(separator: "\t").last)
        let ignored = try #require(UInt64(digits.dropLast(), radix: 16))
        // Signals 32 and 33 are the C library's own.
        #expect(ignored & ~0x1_8000_0000 == 0)
    }

    @Test func aProgramIsFoundFromTheFolderOfItsTopologyOn() throws {
        let place = try Place()
        try place.write(
            "#!/bin/sh\npwd >&2\nexec python3 -B \(Self.rogue) idle\n", to: "deep/device.sh")
        try place.makeExecutable("deep/device.sh")
        try place.write("length: 1s\ndevices: {mine: {run: ./device.sh}}", to: "deep/it.yaml")
        let outcome = try Command.run("run", "deep/it.yaml", in: place)
        #expect(outcome.status == 0, "\(outcome.output)")
        #expect(place.read("out/it/1/logs/mine.log").hasSuffix("/deep\n"))

        // A replay file knows it still where it is taken elsewhere.
        let elsewhere = try Place()
        try elsewhere.write(place.read("out/it/1/replay.json"), to: "replay.json")
        let again = try Command.run("replay", "replay.json", "--trust", in: elsewhere)
        #expect(again.status == 0, "\(again.output)\(again.errors)")
    }

    // MARK: What they may cost

    @Test func aFloodedLogIsCutAndTheRunGoesOn() throws {
        let (outcome, place) = try run("flood")
        #expect(outcome.status == 0, "\(outcome.output)")
        let log = place.read("out/rogue/1/logs/mine.log")
        let end = "\n(the log ends here: 16 MiB in one run)\n"
        #expect(log.utf8.count == 16 << 20 + end.utf8.count)
        #expect(log.hasSuffix(end))
    }

    @Test(.disabled(if: Command.sanitizer != nil, "a sanitizer maps terabytes"))
    func memoryIsLimitedOnRequest() throws {
        let (limited, place) = try run("memory", ["--device-memory", "512MB"])
        #expect(limited.status == 0, "\(limited.output)")
        #expect(place.read("out/rogue/1/logs/mine.log") == "no memory\n")
        let (tiny, _) = try run("memory", ["--device-memory", "1MB"])
        #expect(tiny.status == 3, "\(tiny.output)")
        #expect(tiny.output.contains("unasked (--device-memory limits what it may have); "))
        let (free, elsewhere) = try run("memory")
        #expect(free.status == 0, "\(free.output)")
        #expect(elsewhere.read("out/rogue/1/logs/mine.log") == "")
    }

    // MARK: What is left of them

    @Test func helpersOfADeviceAreGoneAfterTheRun() throws {
        let place = try Place()
        try place.write(Self.topology("parent"), to: "rogue.yaml")
        let outcome = try Command(
            ["run", "rogue.yaml"], in: place,
            wrapper: Command.lookingForOrphans
        ).outcome()
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        #expect(place.helpers.count == 2)
        #expect(!isAnyAlive(place.helpers))
        #expect(outcome.output.hasSuffix("nothing left behind\n"), "\(outcome.output)")
    }

    @Test func helpersOfADeviceAreGoneAfterAKillOfTheOrchestrator() throws {
        let place = try Place()
        try place.write(Self.topology("parent", length: "600s"), to: "rogue.yaml")
        let command = try Command(["run", "rogue.yaml", "--clock", "wall"], in: place)
        try #require(wait(seconds: 30) { place.helpers.count == 2 && isAnyAlive(place.helpers) })
        command.send(SIGKILL)
        #expect(wait(seconds: Double(2 * Command.patience)) { !isAnyAlive(place.helpers) })
    }

    @Test func theShellsOwnChildrenAreLeftAlone() throws {
        let place = try Place()
        try place.write(Self.topology("parent"), to: "rogue.yaml")
        // Whoever becomes us has a child of his own.
        let outcome = try Command(
            ["run", "rogue.yaml"], in: place,
            wrapper: """
                import os, subprocess, sys
                print(subprocess.Popen(["sleep", "600"]).pid, file=open("bystander", "w"))
                os.execv(sys.argv[1], sys.argv[1:])
                """
        ).outcome()
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        let bystander = try #require(Int32(place.read("bystander").dropLast()))
        #expect(isAnyAlive([bystander]))
        kill(bystander, SIGKILL)
    }

    // MARK: What is ours to answer for

    @Test(arguments: [
        ("ulimit -n 20", "(EMFILE)", "ulimit -n"),
        ("export TMPDIR=/nowhere", "cannot make a folder for sockets in /nowhere", "--sockets"),
    ])
    func whatTheSystemRefusesIsNoFaultOfADevice(
        limits: String, reason: String, remedy: String
    ) throws {
        let place = try Place()
        let transport = limits.contains("TMPDIR") ? ["--transport", "unix"] : []
        let command = try Command(
            ["run", topologies + "/basics/four-by-four.yaml", "--no-out"] + transport, in: place,
            limits: limits)
        let outcome = try command.outcome()
        #expect(outcome.status == 70, "\(outcome.output)\(outcome.errors)")
        let said = outcome.output + outcome.errors
        #expect(said.contains(reason) && said.contains(remedy), "\(said)")
        #expect(!said.contains("launch failure of"))
    }

    @Test func aSocketsPathThatIsTooLongIsNoFaultOfADevice() throws {
        let place = try Place()
        let folder = String(repeating: "long/", count: 20) + "sockets"
        let outcome = try Command.run(
            "run", topologies + "/basics/one-to-one.yaml", "--no-out", "--transport", "unix",
            "--sockets", folder, in: place)
        #expect(outcome.status == 70, "\(outcome.output)")
        #expect(outcome.output.contains("at most 107 bytes: give a shorter folder with --sockets"))
    }

    // MARK: What they say

    /// What turns the direction of writing round, and a control character of the second set.
    private static let hostile: [Unicode.Scalar] = ["\u{202E}", "\u{9B}", "\u{1B}"]

    @Test(arguments: ["bidi", "refuses"], ["text", "json"])
    func nothingThatTheySaySteersATerminal(vice: String, format: String) throws {
        let (outcome, place) = try run(
            vice, ["--format", format], expect: "expect: [never: mine.said on mine]")
        #expect(outcome.status == (vice == "bidi" ? 1 : 3), "\(outcome.output)")
        for text in [outcome.output, outcome.errors, place.read("out/rogue/1/verdict.json")] {
            #expect(!text.unicodeScalars.contains { Self.hostile.contains($0) })
        }
        let lines = outcome.output.split(separator: "\n")
        #expect(!lines.contains { $0.hasPrefix("1 run: 1 held") || $0.hasPrefix("all held") })
    }

    @Test func nothingThatATopologySaysSteersATerminal() throws {
        let place = try Place()
        try place.write(
            "about: \"\\u202Eevil\"\ndevices: {mine: {run: \"./\\u202E\\x9b.py\"}}", to: "it.yaml")
        for arguments in [["run", "it.yaml"], ["list", "it.yaml"], ["check", "it.yaml"]] {
            let outcome = try Command(arguments, in: place).outcome()
            for text in [outcome.output, outcome.errors] {
                #expect(!text.unicodeScalars.contains { Self.hostile.contains($0) }, "\(text)")
            }
        }
    }

    // MARK: Whom we trust

    @Test func aReplayAsksBeforeItRunsPrograms() throws {
        let (first, place) = try run("exit")
        let command = try #require(first.output.firstMatch(of: #/replay: anechoic (.+)/#)?.1)
        #expect(command == "replay out/rogue/1/replay.json --trust")
        let untrusted = try Command.run("replay", "out/rogue/1/replay.json", in: place)
        #expect(untrusted.status == 64)
        #expect(untrusted.errors.contains("python3 -B \(Self.rogue) exit  (in "))
        #expect(untrusted.errors.contains("add --trust to run them"))
        let trusted = try Command(command.split(separator: " ").map(String.init), in: place)
        #expect(try trusted.outcome().status == 3)
    }

    @Test(arguments: ["shrink", "explain"])
    func shrinkAndExplainAskAsWell(_ command: String) throws {
        let (_, place) = try run("exit")
        let outcome = try Command.run(command, "out/rogue/1/replay.json", in: place)
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("runs programs of this machine"), "\(outcome.errors)")
    }

    @Test func anArgumentForgesNoLineOfTheList() throws {
        let place = try Place()
        try place.write(
            "devices: {mine: {run: python3, arguments: [\"-c\", \"1\\n  innocent\"]}}",
            to: "it.yaml")
        _ = try Command.run("run", "it.yaml", in: place)
        let outcome = try Command.run("replay", "out/it/1/replay.json", in: place)
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("python3 -c '1 ⏎   innocent'  (in "), "\(outcome.errors)")
    }

    @Test func aReplayOfOurOwnDevicesAsksNothing() throws {
        let place = try Place()
        _ = try Command.run("run", topologies + "/basics/one-to-one.yaml", in: place)
        let outcome = try Command.run("replay", "out/basics/one-to-one/1/replay.json", in: place)
        #expect(outcome.status == 0, "\(outcome.errors)")
    }
}

extension Place {
    func makeExecutable(_ name: String) throws {
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: path + "/" + name)
    }

    /// What a rogue has started.
    fileprivate var helpers: [Int32] {
        read("pids").split(separator: "\n").compactMap { Int32($0) }
    }
}
