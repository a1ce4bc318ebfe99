import Artifacts
import Foundation
import Reports
import RunSupport
import TestSupport
import Testing
import Traces

/// Processes that go wrong, from inside and from outside, and what is left of them.
@Suite(.processes) struct ProcessTests {
    private static let rogue = root + "/Tests/Strangers/rogue.py"
    /// What the rogue says before its first turn: hello and ready.
    private static let bytesBeforeTheFirstTurn = 21 + 5

    /// A topology of one rogue, and of a tag that keeps the run going.
    private static func topology(_ vice: String, length: String = "2s") -> String {
        """
        length: \(length)
        devices:
          mine: {run: python3, arguments: [-B, "\(rogue)", \(vice)]}
          tag: {profile: qorvo, start: 10ms}
        """
    }

    private func run(_ vice: String, _ more: String...) throws -> (RunReport, Place) {
        let place = try Place()
        try place.write(Self.topology(vice), to: "rogue.yaml")
        let command = try Command(
            ["run", "rogue.yaml", "--format", "json", "--watchdog", "3000ms"] + more, in: place)
        let outcome = try command.outcome()
        let report = try #require(try outcome.reports.first, "\(outcome.errors)")
        #expect(outcome.status == report.status.rawValue)
        return (report, place)
    }

    // MARK: Devices that break the contract

    @Test(arguments: [
        ("over-long", "expected a frame of 1 to 1048576 bytes, found a length of 4294967295"),
        ("truncated", "expected 24 bytes of a frame, found the end of the stream after 5"),
        ("closes", "expected the answers of turn 1, found the end of the stream (process sleeping"),
        ("wrong-turn", "expected the answers of turn 1, found those of turn 8"),
    ])
    func babbleNamesDeviceOffsetAndWhatWasExpected(_ vice: String, _ words: String) throws {
        let (report, place) = try run(vice)
        let begin = "protocol error of mine: byte \(Self.bytesBeforeTheFirstTurn): "
        #expect(report.failure?.hasPrefix(begin + words) == true, "\(report.failure ?? "")")
        #expect(report.status == .deviceFailed)
        try expectArtifacts(of: "rogue", in: place)
    }

    @Test(arguments: [
        ("unknown-frame", "found 0x99"), ("unknown-answer", "found 0x77"),
        ("twice", "expected silence between turns, found answers of turn"),
        ("version", "found version 9."), ("exit", "exited with status 9 unasked; its last lines:"),
    ])
    func whatWasFoundIsNamed(_ vice: String, _ words: String) throws {
        let (report, place) = try run(vice)
        #expect(report.failure?.contains(words) == true, "\(report.failure ?? "")")
        #expect(report.failure?.contains(" of mine: ") == true)
        #expect(report.status == .deviceFailed)
        try expectArtifacts(of: "rogue", in: place)
    }

    /// Where the first value of the first answer of the first turn stands.
    private static let firstValue = bytesBeforeTheFirstTurn + 9 + 5

    @Test(arguments: [
        ("fenced", 0, "\"msg.stop.sent\", which only the orchestrator sees"),
        ("ends-the-run", 0, "\"run.ended\", which only the orchestrator sees"),
        ("interval-0", 7, "expected 6 to 3200 (a connection interval (1.25 ms)), found 0"),
        ("update-0", 2, "expected 6 to 3200 (a connection interval (1.25 ms)), found 0"),
        ("short-timeout", 11, "found 10 (10 ms)"),
        (
            "advertises-never", 0,
            "expected 1 to 16384 (an advertising interval (0.625 ms)), found 0"
        ),
        ("lying-length", 4, "expected the length of the L2CAP payload, 1, found 7"),
        ("wrong-reason", 2, "0x3B, found 0x08"),
        ("far-handle", 0, "expected 0 to 3839 (a handle), found 65535"),
        ("channel-7", 12, "expected a UWB channel: 5, 6, 8, 9, 10, 12, 13 or 14, found 7"),
        ("no-slots", 20, "expected 1 to 65535 (slots per round), found 0"),
        ("nameless", 0, "expected 1 to 255 bytes (a timer's name), found a length of 0"),
        ("escape", 0, "expected no control character (a queue's name), found U+001B"),
    ])
    func anAbsurdValueIsABrokenContract(_ vice: String, _ value: Int, _ words: String) throws {
        let (report, place) = try run(vice)
        let failure = report.failure ?? ""
        let byte = Self.firstValue + value
        #expect(failure.hasPrefix("protocol error of mine: byte \(byte): "), "\(failure)")
        #expect(failure.contains(words), "\(failure)")
        #expect(report.status == .deviceFailed)
        try expectArtifacts(of: "rogue", in: place)
    }

    @Test(arguments: [
        ("many-answers", "expected at most 4096 answers in a turn, found one more"),
        ("many-posts", "expected at most 8192 timers that are set and items that wait, found one"),
        ("hoards", "expected at most 524288 bytes of stored keys and values, found 540018"),
        ("refuses-at-length", "expected at most 4096 bytes (the reason), found a length of 6000"),
    ])
    func whatCostsTooMuchIsABrokenContract(_ vice: String, _ words: String) throws {
        let (report, _) = try run(vice)
        #expect(report.failure?.hasPrefix("protocol error of mine: byte ") == true)
        #expect(report.failure?.contains(words) == true, "\(report.failure ?? "")")
        #expect(report.status == .deviceFailed)
    }

    @Test func aCrashShowsTheLastLinesOfTheLog() throws {
        let (report, place) = try run("exit")
        #expect(report.failure?.hasSuffix("\n    the battery is empty") == true)
        #expect(place.read("out/rogue/1/logs/mine.log") == "the battery is empty\n")
    }

    @Test(arguments: [("hang", "the answers of turn 1"), ("mute", "hello")])
    func aHangIsEndedByTheWatchdog(_ vice: String, _ missing: String) throws {
        let (report, place) = try run(vice, "--watchdog", "1000ms")
        let words = "hang of mine: \(missing) did not come within 1000 ms (process "
        #expect(report.failure?.hasPrefix(words) == true, "\(report.failure ?? "")")
        #expect(report.status == .deviceFailed)
        try expectArtifacts(of: "rogue", in: place)
    }

    @Test func aDeviceThatReadsTheClockDoesNotRepeat() throws {
        let (report, place) = try run("clock", "--twice")
        let words = "the run did not repeat: step "
        #expect(report.failure?.hasPrefix(words) == true, "\(report.failure ?? "")")
        #expect(report.failure?.contains("boot mine/0") == true, "\(report.failure ?? "")")
        #expect(report.status == .harnessError)
        try expectArtifacts(of: "rogue", in: place)
    }

    /// The end of a run that has not begun is none of the next one's.
    @Test func aMissingProgramFailsOneRunLikeAnother() throws {
        let place = try Place()
        let file = try place.write(
            "length: 2s\ndevices:\n  mine: {run: ./nowhere}\n  lock: {profile: qorvo}\n",
            to: "missing.yaml")
        let outcome = try Command.run("run", file, "--seeds", "1..12", in: place)
        #expect(outcome.output.contains("\n12 runs: 12 device failed\n"), "\(outcome.output)")
        #expect(outcome.status == 3)
    }

    @Test func aMissingProgramIsALaunchFailure() throws {
        let place = try Place()
        try place.write("devices: {mine: {run: ./nowhere}}", to: "missing.yaml")
        let outcome = try Command.run("run", "missing.yaml", in: place)
        #expect(outcome.status == 3)
        #expect(
            outcome.output.contains(
                "launch failure of mine: ./nowhere is no program that can be run; it was looked for in "
                    + "\(place.path), the folder of the topology\n"), "\(outcome.output)")
    }

    @Test func aScriptThatIsNotExecutableSaysWhatToType() throws {
        let place = try Place()
        try place.write("#!/bin/sh\n", to: "my device.sh")
        try place.write("devices: {mine: {run: ./my device.sh}}", to: "it.yaml")
        let outcome = try Command.run("run", "it.yaml", in: place)
        #expect(outcome.status == 3)
        #expect(
            outcome.output.contains(
                "launch failure of mine: ./my device.sh is not executable: "
                    + "chmod +x '\(place.path)/./my device.sh'\n"), "\(outcome.output)")
        let gate = try Command.run("conform", "--accessory", "my device.sh", in: place)
        #expect(gate.status == 64)
        #expect(
            gate.errors.contains("my device.sh: this is not executable: chmod +x 'my device.sh'"),
            "\(gate.errors)")
    }

    /// Until it is a program our launcher runs in its place.
    @Test func aProgramThatTheSystemDoesNotRunIsALaunchFailure() throws {
        let place = try Place()
        try place.write("#!/no/such/shell\n", to: "device.sh")
        try place.makeExecutable("device.sh")
        try place.write("devices: {mine: {run: ./device.sh}}", to: "it.yaml")
        let outcome = try Command.run("run", "it.yaml", in: place)
        #expect(outcome.status == 3)
        #expect(
            outcome.output.contains(
                "launch failure of mine: it cannot be run: No such file or directory; "),
            "\(outcome.output)")
    }

    @Test(arguments: [("pipes", "0 1 2 3 4"), ("socketpair", "0 1 2 3"), ("unix", "0 1 2 3")])
    func aDeviceHasNoDescriptorsButItsOwn(_ transport: String, _ numbers: String) throws {
        let (report, place) = try run("descriptors", "--transport", transport)
        #expect(report.status == .held, "\(report.failure ?? "")")
        #expect(place.read("out/rogue/1/logs/mine.log") == "descriptors \(numbers)\n")
    }

    @Test(arguments: [("global", 2), ("local", 1)])
    func aDeviceWithGlobalStateGetsAFreshProcessForEveryRun(
        _ vice: String, _ processes: Int
    ) throws {
        let (report, place) = try run(vice, "--seeds", "1..2", "--jobs", "1")
        #expect(report.status == .held, "\(report.failure ?? "")")
        let logs = ["1", "2"].map { place.read("out/rogue/\($0)/logs/mine.log") }
        #expect(logs.filter { !$0.hasPrefix("process ") } == [])
        #expect(Set(logs).count == processes)
    }

    /// What it does not release never adds up.
    @Test(.long) func aProcessPlaysSomeHundredRunsAndNoMore() throws {
        let (_, place) = try run("local", "--seeds", "1..300", "--jobs", "1")
        let logs = (1...300).map { place.read("out/rogue/\($0)/logs/mine.log") }
        #expect(Set(logs).count == 2)
    }

    @Test func aDeviceThatRemembersIsFoundAndGetsFreshProcesses() throws {
        let place = try Place()
        try place.write(Self.topology("remembers"), to: "rogue.yaml")
        let command = ["run", "rogue.yaml", "--seeds", "1..2", "--format", "json", "--jobs", "1"]
        let outcome = try Command(command, in: place).outcome()
        #expect(
            outcome.errors.contains(
                "mine of rogue, seed 1: a program keeps global state, for played again in the process "
                    + "that had played it the run differs: step 2 (boot mine/0 #0 at 0.000 s) had another effect "
            ), "\(outcome.errors)")
        let fresh = try Command(command + ["--fresh-processes"], in: place).outcome()
        #expect(fresh.errors == "")
        #expect(try outcome.reports.map(\.digest) == fresh.reports.map(\.digest))
    }

    @Test func aDeviceWithAClockOfItsOwnIsFoundAtOnce() throws {
        let place = try Place()
        try place.write(Self.topology("clock"), to: "rogue.yaml")
        let outcome = try Command.run("run", "rogue.yaml", "--seeds", "1..2", in: place)
        #expect(
            outcome.errors.contains(
                "mine of rogue, seed 1: played again the run differs, also in new processes: step 2 "
            ),
            "\(outcome.errors)")
    }

    // MARK: Ends as it should be

    @Test(arguments: ["idle", "exit", "hang", "over-long"])
    func aRunLeavesNoProcessBehind(_ vice: String) throws {
        let place = try Place()
        try place.write(Self.topology(vice), to: "rogue.yaml")
        try place.write(
            "length: 2s\ndevices: {tag: {profile: qorvo, count: 8}}", to: "in/tags.yaml")
        let command = try Command(
            ["run", "in", "rogue.yaml", "--seeds", "1..2"]
                + (vice == "hang" ? ["--watchdog", "300ms"] : []), in: place,
            wrapper: Command.lookingForOrphans)
        let outcome = try command.outcome()
        #expect(outcome.status == (vice == "idle" ? 0 : 3), "\(outcome.errors)")
        #expect(outcome.output.hasSuffix("nothing left behind\n"), "\(outcome.output)")
    }

    // MARK: Ends from outside

    @Test(arguments: [("accessory", "lock"), ("apple-device", "ben")])
    func aDeviceKilledFromOutsideEndsTheRun(_ program: String, _ name: String) throws {
        let place = try Place()
        let command = try Command(
            ["run", topologies + "/basics/one-to-one.yaml", "--clock", "wall"], in: place)
        try #require(command.hasChildren(2))
        usleep(500_000)
        let device = try #require(command.children.first { $0.program == program })
        kill(device.pid, SIGKILL)
        let outcome = try command.outcome()
        // It is ours, and has no defect that lets it crash.
        #expect(outcome.status == 70)
        #expect(
            outcome.output.contains(
                "crash of \(name): the process was ended by SIGKILL unasked, which is an error of "
                    + "anechoic: please report it"),
            "\(outcome.output)")
        try expectArtifacts(of: "basics/one-to-one", in: place)
    }

    @Test func aKilledWorkerLosesNoRun() throws {
        let place = try Place()
        try place.write("length: 2s\ndevices: {lock: {profile: qorvo}}", to: "slow.yaml")
        let command = try Command(
            [
                "run", "slow.yaml", "--clock", "wall", "--seeds", "1..3", "--jobs", "2", "--no-out",
                "--format", "json",
            ], in: place)
        try #require(command.hasChildren(2))
        usleep(700_000)
        kill(try #require(command.children.first).pid, SIGKILL)
        let outcome = try command.outcome()
        let reports = try outcome.reports
        #expect(reports.map(\.seed) == [1, 2, 3], "\(outcome.errors)")
        // Another one has played it.
        #expect(reports.allSatisfy { $0.status == .held })
        #expect(outcome.status == 0)
    }

    @Test(.long) func aWorkerKilledBetweenTwoRunsLosesOneAtMost() throws {
        let place = try Place()
        let command = try manyRuns(in: place)
        let worker = try #require(command.children.first)
        // While nobody takes its result it has nothing to do.
        command.send(SIGSTOP)
        usleep(300_000)
        kill(worker.pid, SIGKILL)
        command.send(SIGCONT)
        let outcome = try command.outcome()
        try #require(outcome.status == 0 || outcome.status == 70, "\(outcome.errors)")
        let reports = try outcome.reports
        #expect(reports.map(\.seed) == Array(UInt64(1)...200))
        #expect(reports.filter { $0.status != .held }.count <= 1)
    }

    /// Two workers that are busy with 200 runs.
    private func manyRuns(in place: Place) throws -> Command {
        let command = try Command(
            [
                "run", topologies + "/basics/one-to-one.yaml", "--seeds", "1..200", "--jobs", "2",
                "--no-out", "--format", "json",
            ], in: place)
        try #require(command.hasChildren(2))
        usleep(100_000)
        return command
    }

    @Test(arguments: ["process", "inline"])
    func ctrlCKeepsWhatThereIs(hosting: String) throws {
        let place = try Place()
        let command = try Command(
            [
                "run", topologies + "/basics/one-to-one.yaml", "--clock", "wall", "--hosting",
                hosting,
            ], in: place)
        let started = { place.read("out/basics/one-to-one/1/replay.json") != "" }
        try #require(wait(seconds: 30, until: started))
        usleep(700_000)
        let devices = command.children.map(\.pid)
        command.send(SIGINT)
        let outcome = try command.outcome()
        #expect(outcome.status == 130)
        #expect(!isAnyAlive(devices))
        try expectArtifacts(of: "basics/one-to-one", in: place)
    }

    @Test func ctrlCEndsManyRunsToo() throws {
        let place = try Place()
        let command = try Command(
            [
                "run", topologies + "/basics/one-to-one.yaml", "--seeds", "1..100000", "--jobs",
                "2",
                "--no-out",
            ], in: place)
        try #require(command.hasChildren(2))
        usleep(300_000)
        let workers = command.children.map(\.pid)
        command.send(SIGINT)
        #expect(try command.outcome().status == 130)
        #expect(wait(seconds: 1) { !isAnyAlive(workers) })
    }

    @Test(arguments: ["idle", "hang"])
    func noDeviceOutlivesAKilledOrchestrator(_ vice: String) throws {
        let place = try Place()
        try place.write(Self.topology(vice, length: "600s"), to: "rogue.yaml")
        let command = try Command(
            ["run", "rogue.yaml", "--clock", "wall", "--watchdog", "60000ms"], in: place)
        try #require(command.hasChildren(1))
        usleep(500_000)
        let devices = command.children.map(\.pid)
        command.send(SIGKILL)
        #expect(wait(seconds: 1) { !isAnyAlive(devices) })
    }

    @Test(arguments: [SIGKILL, SIGINT])
    func noneOf256DevicesOutlivesItsOrchestrator(signal: Int32) throws {
        let place = try Place()
        try place.write(
            "length: 600s\ndevices: {tag: {profile: qorvo, count: 256}}", to: "many.yaml")
        let command = try Command(
            ["run", "many.yaml", "--clock", "wall", "--no-out"], in: place,
            limits: "ulimit -n 1024")
        try #require(command.hasChildren(256))
        let devices = command.children.map(\.pid)
        command.send(signal)
        let seconds = Double((signal == SIGKILL ? 1 : 5) * Command.patience)
        #expect(wait(seconds: seconds) { !isAnyAlive(devices) })
        #expect(try command.outcome().status == (signal == SIGKILL ? 137 : 130))
    }

    @Test func twoHundredAndFiftySixDevicesRunUnderTheUsualDescriptorLimit() throws {
        let place = try Place()
        try place.write("length: 1s\ndevices: {tag: {profile: qorvo, count: 256}}", to: "many.yaml")
        let command = try Command(
            ["run", "many.yaml", "--format", "json"], in: place, limits: "ulimit -n 1024")
        let outcome = try command.outcome()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try outcome.reports.map(\.status) == [.held])
    }

    // MARK: The output

    @Test func aFolderThatCannotBeWrittenIsOneError() throws {
        let place = try Place()
        try place.write("", to: "file")
        let outcome = try Command.run("run", topologies, "--out", "file/out", in: place)
        #expect(outcome.status == 64)
        #expect(outcome.output == "")
        #expect(outcome.errors.hasPrefix("cannot make the folder file/out: Not a directory; "))
        #expect(outcome.errors.split(separator: "\n").count == 1)
    }

    @Test(
        .disabled(
            if: Command.sanitizer == "thread", "it maps files of its own, which are too large"))
    func aFullDiskIsOneErrorAndKeepsWhatThereIs() throws {
        let place = try Place()
        let command = try Command(
            ["run", topologies + "/basics/four-by-four.yaml"], in: place,
            limits: "trap '' XFSZ; ulimit -f 32")
        let outcome = try command.outcome()
        #expect(outcome.status == 70, "\(outcome.output)")
        #expect(
            (outcome.output + outcome.errors).contains("trace.jsonl"),
            "\(outcome.output)\(outcome.errors)")
        let kept = place.read("out/basics/four-by-four/1/trace.jsonl")
        #expect(kept.utf8.count > 10_000)
    }

    /// A trace that can be read to its end, and a verdict.
    private func expectArtifacts(of name: String, in place: Place) throws {
        let lines = place.read("out/\(name)/1/trace.jsonl").split(separator: "\n")
        let last = try #require(lines.last)
        for line in lines { _ = try TraceReader.line(line.utf8) }
        guard case .event(let event) = try TraceReader.line(last.utf8) else {
            throw Failure("the last line is no event: \(last)")
        }
        #expect(event.kind == .runEnded)
        let verdict = Data(place.read("out/\(name)/1/verdict.json").utf8)
        let report = try JSONDecoder().decode(RunReport.self, from: verdict)
        #expect(report.status != .held)
        _ = try Replay.read(place.path + "/out/\(name)/1/replay.json")
    }
}
