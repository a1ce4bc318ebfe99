import Artifacts
import Foundation
import Reports
import TestSupport
import Testing

/// What is written, where, and what is never touched.
@Suite(.processes) struct OutputTests {
    private static let topology = "length: 1s\ndevices: {lock: {profile: qorvo}}\n"

    /// A place with a run of `one.yaml` in `out/one/1`.
    private func ran() throws -> Place {
        let place = try Place()
        try place.write(Self.topology, to: "one.yaml")
        #expect(try Command.run("run", "one.yaml", in: place).status == 0)
        return place
    }

    /// A place with a run that failed in `out/one/1`.
    private func failed() throws -> Place {
        let place = try Place()
        try place.write(Self.topology + "expect: [eventually: link.up]\n", to: "one.yaml")
        #expect(try Command.run("run", "one.yaml", in: place).status == 1)
        return place
    }

    private func names(_ folder: String, _ place: Place) -> [String] {
        ((try? FileManager.default.subpathsOfDirectory(atPath: place.path + "/" + folder)) ?? [])
            .sorted()
    }

    // MARK: Names from files

    /// C ends a path at a zero byte, so that `out/..` would be the folder in which the user works.
    @Test(arguments: [#"..\u0000x"#, #"a\u0000x"#, "..", "../../x", "/tmp/x", ""])
    func aReplayFileWithAHostileNameTouchesNothing(name: String) throws {
        let place = try ran()
        for number in 1...9 { try place.write("", to: "mine/\(number)") }
        try place.write(
            place.read("out/one/1/replay.json").replacing(
                #""name" : "one""#, with: "\"name\" : \"\(name)\""), to: "evil/replay.json")
        let before = names(".", place).filter { !$0.hasSuffix(".out") && !$0.hasSuffix(".err") }
        for command in ["replay", "shrink", "explain"] {
            let outcome = try Command.run(command, "evil/replay.json", in: place)
            #expect(outcome.status == 65, "\(command): \(outcome)")
            #expect(
                outcome.errors.contains("cannot be that of a topology: it has "),
                "\(outcome.errors)")
        }
        let after = names(".", place).filter { !$0.hasSuffix(".out") && !$0.hasSuffix(".err") }
        #expect(after == before)
    }

    @Test func anExplorationWithAHostileNameIsNotResumed() throws {
        let place = try Place()
        let explore = [
            "explore", topologies + "/dropout/mid-handshake.yaml", "--runs", "16", "--defect",
            "lock=reused-configuration", "--jobs", "1",
        ]
        #expect(try Command(explore, in: place).outcome().status == 1)
        let kept = place.read("out/explore.json")
        let evil = kept.replacing(
            #/"task" : \{\s+"file" : "[^"]*",\s+"name" : "dropout/mid-handshake"/#
        ) { $0.output.replacing("\"dropout/mid-handshake\"", with: "\"../../evil\"") }
        #expect(evil != kept)
        try place.write(evil, to: "out/explore.json")
        let outcome = try Command(explore + ["--resume"], in: place).outcome()
        #expect(outcome.status == 65, "\(outcome)")
        #expect(
            outcome.errors.hasPrefix("out/explore.json is broken: the name of a run has a part"))
    }

    @Test func aTopologyWhoseNameIsNoFolderIsTold() throws {
        let place = try Place()
        try place.write(Self.topology, to: "a\nb.yaml")
        let outcome = try Command.run("run", "a\nb.yaml", in: place)
        #expect(outcome.status == 65, "\(outcome)")
        #expect(outcome.output.contains("it has the control character U+000A"))
        #expect(names("out", place) == [])
    }

    // MARK: What is not ours

    @Test(arguments: ["shrink", "explain", "run"])
    func whatSomebodyElseWroteStays(command: String) throws {
        let place = try failed()
        let folder =
            ["shrink": "mine", "explain": "mine/failing", "run": "mine/one/1"][command] ?? ""
        try place.write("a", to: folder + "/logs/a.log")
        let file = command == "run" ? "one.yaml" : "out/one/1/replay.json"
        let outcome = try Command.run(command, file, "--out", "mine", in: place)
        #expect(outcome.status == 70, "\(outcome)")
        #expect(
            (outcome.output + outcome.errors).contains(
                "\(folder)/logs would be replaced, and was not written by anechoic"))
        #expect(place.read(folder + "/logs/a.log") == "a")
        #expect(names(folder, place) == ["logs", "logs/a.log"])
    }

    @Test func inAFolderOfOursOnlyOurOwnFilesAreReplaced() throws {
        let place = try ran()
        try place.write("mine", to: "out/one/1/notes.txt")
        try place.write("mine", to: "out/one/1/logs/notes.txt")
        try place.write("mine", to: "out/one/1/logs/mine.log")
        try place.write("mine", to: "out/one/1/captures/mine.btsnoop")
        #expect(try Command.run("run", "one.yaml", in: place).status == 0)
        #expect(place.read("out/one/1/notes.txt") == "mine")
        #expect(place.read("out/one/1/logs/notes.txt") == "mine")
        #expect(place.read("out/one/1/logs/mine.log") == "mine")
        #expect(place.read("out/one/1/captures/mine.btsnoop") == "mine")
    }

    @Test func inAFolderOfOursAFileOfSomebodyElseIsNotReplaced() throws {
        let place = try failed()
        let shrink = ["shrink", "out/one/1/replay.json"]
        try place.write("mine", to: "out/one/2/topology.yaml")
        try place.write(
            place.read("out/one/1/.anechoic"), to: "out/one/2/.anechoic")
        let outcome = try Command(shrink + ["--out", "out/one/2"], in: place).outcome()
        #expect(outcome.status == 70, "\(outcome)")
        #expect(outcome.errors.hasPrefix("out/one/2/topology.yaml would be replaced, and was not"))
        #expect(place.read("out/one/2/topology.yaml") == "mine")
        // Its own it replaces as often as somebody wants.
        for _ in 1...2 { #expect(try Command(shrink, in: place).outcome().status == 1) }
    }

    @Test func aLinkIsReplacedAndNotFollowed() throws {
        let place = try ran()
        try place.write("mine", to: "mine/a.log")
        try place.write("mine", to: "mine.json")
        for (name, target) in [("logs", "mine"), ("replay.json", "mine.json")] {
            let path = place.path + "/out/one/1/" + name
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.createSymbolicLink(
                atPath: path, withDestinationPath: place.path + "/" + target)
        }
        #expect(try Command.run("run", "one.yaml", in: place).status == 0)
        #expect(place.read("mine/a.log") == "mine" && place.read("mine.json") == "mine")
        #expect(try Replay.read(place.path + "/out/one/1/replay.json").name == "one")
    }

    @Test func aRunWithoutAMarkIsNotReplaced() throws {
        let place = try ran()
        try FileManager.default.removeItem(atPath: place.path + "/out/one/1/.anechoic")
        let outcome = try Command.run("run", "one.yaml", in: place)
        #expect(outcome.status == 70)
        #expect(
            outcome.output.contains("was not written by anechoic (its folder has no .anechoic)"))
    }

    @Test func aFileOfSomebodyElseIsNoMark() throws {
        let place = try ran()
        try place.write("mine", to: "out/one/1/.anechoic")
        let outcome = try Command.run("run", "one.yaml", in: place)
        #expect(outcome.status == 70)
        #expect(outcome.output.contains("out/one/1/.anechoic was not written by anechoic"))
        #expect(place.read("out/one/1/.anechoic") == "mine")
    }

    @Test func anExplorationReplacesNoFileOfSomebodyElse() throws {
        let place = try Place()
        try place.write(Self.topology, to: "one.yaml")
        try place.write("{\"mine\": 1}", to: "out/explore.json")
        let outcome = try Command.run("explore", "one.yaml", "--runs", "16", in: place)
        #expect(outcome.status == 64, "\(outcome)")
        #expect(
            outcome.errors.hasPrefix("out/explore.json would be replaced, and was not written by"))
        #expect(place.read("out/explore.json") == "{\"mine\": 1}")
    }

    // MARK: Two at a time

    /// Holds the lock of a file as another program does.
    private func holding<Value>(_ path: String, _ body: () throws -> Value) throws -> Value {
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        defer { close(file) }
        try #require(flock(file, LOCK_EX | LOCK_NB) == 0)
        return try body()
    }

    @Test(arguments: [
        ("one/1/.anechoic", ["run", "one.yaml"]), (".explore.lock", ["explore", "one.yaml"]),
        ("one/1/replay/.anechoic", ["replay", "out/one/1/replay.json"]),
        ("one/1/shrunk/.anechoic", ["shrink", "out/one/1/replay.json"]),
        ("one/1/explained/.anechoic", ["explain", "out/one/1/replay.json"]),
    ])
    func aFolderInUseIsTold(_ lock: String, _ command: [String]) throws {
        let place = try failed()
        try place.write("", to: "out/" + lock)
        let outcome = try holding(place.path + "/out/" + lock) {
            try Command(command, in: place).outcome()
        }
        #expect(outcome.status == 70, "\(outcome)")
        let words = " is in use by another anechoic, which holds the lock out/\(lock); wait until"
        #expect((outcome.output + outcome.errors).contains(words), "\(outcome)")
    }

    @Test func runsOfOneTreeGoOnSideBySide() throws {
        let place = try ran()
        try holding(place.path + "/out/one/1/.anechoic") {
            let outcome = try Command.run(
                "run", "one.yaml", "--seeds", "2..9", "--jobs", "2", in: place)
            #expect(outcome.status == 0, "\(outcome)")
        }
    }

    // MARK: Replays

    @Test func whatAReplayLeavesGoesBesideItsFile() throws {
        let place = try ran()
        let recorded = place.read("out/one/1/trace.jsonl")
        try place.write(
            place.read("out/one/1/replay.json").replacing("length: 1s", with: "length: 2s"),
            to: "case/replay.json")
        #expect(try Command.run("replay", "case/replay.json", in: place).status == 70)
        #expect(place.read("out/one/1/trace.jsonl") == recorded)
        #expect(place.read("case/replay/trace.jsonl") != "")
        #expect(try Command.run("replay", "out/one/1/replay.json", in: place).status == 0)
        #expect(place.read("out/one/1/replay/trace.jsonl") == recorded)
    }

    @Test(arguments: [["replay", "out"], ["shrink", "out/one/1"], ["explain", "./out/one/1/"]])
    func aResultNeverTakesThePlaceOfTheRunItIsMadeFrom(_ command: [String]) throws {
        let place = try failed()
        let recorded = place.read("out/one/1/trace.jsonl")
        let outcome = try Command.run(
            command[0], "out/one/1/replay.json", "--out", command[1], in: place)
        #expect(outcome.status == 64, "\(outcome)")
        #expect(outcome.errors.contains("would take the place of the run that it "))
        #expect(place.read("out/one/1/trace.jsonl") == recorded)
    }

    // MARK: A full disk

    /// A limit of the size of files stands for a disk that is full.
    @Test(.disabled(if: Command.sanitizer == "thread", "it maps files of its own"))
    func onAFullDiskWhatIsFoundIsReportedAndNothingIsLost() throws {
        let place = try Place()
        let explore = [
            "explore", topologies + "/dropout/mid-handshake.yaml", "--defect",
            "lock=reused-configuration", "--jobs", "1", "--runs",
        ]
        #expect(try Command(explore + ["16"], in: place).outcome().status == 1)
        let kept = place.read("out/explore.json")
        let full = try Command(
            explore + ["32", "--out", "new"], in: place, limits: "ulimit -f 8"
        ).outcome()
        #expect(full.status == 70, "\(full)")
        #expect(full.output.contains("fresh-configuration"), "\(full)")
        #expect(full.output.contains("3 of 3"), "\(full)")
        #expect(full.errors.contains("(ulimit -f)"), "\(full)")
        let resumed = try Command(
            explore + ["32", "--resume"], in: place, limits: "ulimit -f 1"
        ).outcome()
        #expect(resumed.status == 70)
        #expect(resumed.errors.hasPrefix("cannot write out/explore.json: File too large"))
        #expect(place.read("out/explore.json") == kept)
        #expect(try Command(explore + ["32", "--resume"], in: place).outcome().status == 1)
    }

    @Test(.disabled(if: Command.sanitizer == "thread", "it maps files of its own"))
    func onAFullDiskARunIsJudgedAllTheSame() throws {
        let place = try Place()
        let outcome = try Command(
            [
                "run", topologies + "/dropout/mid-handshake.yaml", "--defect",
                "lock=reused-configuration",
            ], in: place, limits: "ulimit -f 32"
        ).outcome()
        #expect(outcome.status == 70, "\(outcome)")
        #expect(outcome.output.contains("trace.jsonl: File too large; what was written so far is"))
        #expect(outcome.output.contains("promise fresh-configuration"))
        _ = try Replay.read(place.path + "/out/dropout/mid-handshake/1/replay.json")
    }

    @Test(arguments: [0.3, 0.999])
    func aBrokenExplorationIsAWrongFile(part: Double) throws {
        let place = try Place()
        try place.write(Self.topology, to: "one.yaml")
        let explore = ["explore", "one.yaml", "--runs", "16"]
        #expect(try Command(explore, in: place).outcome().status == 0)
        let kept = place.read("out/explore.json")
        try place.write(
            String(kept.prefix(Int(Double(kept.count) * part))), to: "out/explore.json")
        let outcome = try Command(explore + ["--resume"], in: place).outcome()
        #expect(outcome.status == 65, "\(outcome)")
        #expect(outcome.errors.hasPrefix("out/explore.json is broken: "), "\(outcome)")
        #expect(try Command(explore, in: place).outcome().status == 0)
    }

    // MARK: Before the first run

    @Test(arguments: [
        ("--junit", "nope/x.xml", 70, "cannot write nope/x.xml: No such file or directory;"),
        ("--junit", "file", 64, "cannot write file: Is a directory;"),
        ("--out", "file/x/out", 64, "cannot make the folder file/x/out: Not a directory;"),
        ("--pics", "nope", 64, "nope: this cannot be read"),
    ])
    func whatCannotBeWrittenOrReadIsToldBeforeTheFirstRun(
        _ option: String, _ path: String, _ status: Int32, _ words: String
    ) throws {
        let place = try Place()
        try place.write("", to: option == "--out" ? "file" : "file/x")
        let command = try Command(["conform", option, path], in: place)
        // All runs take much longer.
        let outcome = try command.outcome(seconds: 15)
        #expect(outcome.status == status, "\(outcome)")
        #expect(outcome.output == "" && outcome.errors.hasPrefix(words), "\(outcome)")
    }

    @Test func judgeTakesTheFolderOfARun() throws {
        let place = try ran()
        let folder = try Command.run("judge", "out/one/1", in: place)
        // Nothing is asked of a lock alone.
        #expect(folder.status == 2)
        #expect(
            try folder.output == Command.run("judge", "out/one/1/trace.jsonl", in: place).output)
        let none = try Command.run("judge", "/", in: place)
        #expect(none.status == 65)
        #expect(none.errors.hasPrefix("//trace.jsonl: cannot be read: No such file or directory;"))
    }
}
