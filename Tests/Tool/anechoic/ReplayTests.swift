import Artifacts
import Foundation
import Reports
import TestSupport
import Testing

/// A recorded run that is looked into, and one that does not repeat.
@Suite(.processes) struct ReplayTests {
    private static let pair = topologies + "/dropout/mid-handshake.yaml"
    private static let run = "out/dropout/mid-handshake/42"
    private static let replay = run + "/replay.json"

    /// A place with the recorded run.
    private func recorded() throws -> Place {
        let place = try Place()
        let outcome = try Command.run("run", Self.pair, "--seed", "42", in: place)
        #expect(outcome.status == 0)
        return place
    }

    private func digest(_ verdict: String) throws -> String {
        try JSONDecoder().decode(RunReport.self, from: Data(verdict.utf8)).digest
    }

    @Test func aReplayOfAnotherVersionIsToldBeforeItRuns() throws {
        let place = try recorded()
        let old = place.read(Self.replay).replacing(
            /anechoic \d+\.\d+\.\d+/, with: "anechoic 0.0.1")
        try place.write(old, to: "old.json")
        let outcome = try Command.run("replay", "old.json", in: place)
        #expect(
            outcome.errors.hasPrefix(
                "old.json was written by anechoic 0.0.1, and this is anechoic "))
        #expect(outcome.status == 0)
    }

    // MARK: Places

    @Test(arguments: ["process", "inline"], ["random", "fifo"])
    func aRunThatIsLeftIsTheBeginningOfTheWholeOne(hosting: String, scheduler: String) throws {
        let place = try Place()
        _ = try Command.run(
            "run", Self.pair, "--seed", "42", "--scheduler", scheduler, in: place)
        let outcome = try Command.run(
            "replay", Self.replay, "--until", "1.5s", "--hosting", hosting, in: place)
        #expect(outcome.status == 0 && outcome.errors == "")
        #expect(outcome.output.hasPrefix("dropout/mid-handshake, seed 42, at 1.4"))
        let beginning = place.read(Self.run + "/replay/trace.jsonl")
        let trace = place.read(Self.run + "/trace.jsonl")
        #expect(beginning.count > 1_000 && trace.hasPrefix(beginning))
        let next = try #require(trace.dropFirst(beginning.count).split(separator: "\n").first)
        #expect(
            next.firstMatch(of: /"time":([0-9]+)/).flatMap { UInt64($0.1) } ?? 0 >= 1_500_000_000)
        #expect(place.read(Self.run + "/replay/verdict.json") == "")
    }

    /// The state at a place, but for columns that say when.
    @Test func whatTheRunIsLikeIsShownInTables() throws {
        let outcome = try Command.run(
            "replay", Self.replay, "--event", "302", "--hosting", "inline", in: recorded())
        #expect(outcome.status == 0)
        let lines = outcome.output.split(separator: "\n").map(String.init)
        #expect(lines[0].hasSuffix("; the next event is number 302"))
        for line in [
            "  ben     iPhone15,4  alive  0     scans",
            "  2     ben      lock        0.045 s   5.000 s  2",
            "open obligations: none",
        ] {
            #expect(lines.contains(line), "\(outcome.output)")
        }
        #expect(
            lines.contains {
                $0.wholeMatch(of: #/  ben     2        lock  ni.didUpdate  10.\d+ s  (29|30)\d/#)
                    != nil
            },
            "\(outcome.output)")
        #expect(
            lines.contains { $0.contains("lock, as initiator") || $0.contains("ben, as initiator") }
        )
        #expect(lines.contains { $0.contains("next   queue ben/0 main #") })
    }

    @Test func theStateIsAJSONDocumentToo() throws {
        let outcome = try Command.run(
            "replay", Self.replay, "--until", "1.5s", "--format", "json", in: recorded())
        let state = try #require(
            try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
        let obligations = try #require(state["obligations"] as? [[String: Any]])
        #expect(obligations.compactMap { $0["promise"] as? String }.contains("alive-again"))
        let world = try #require(state["world"] as? [String: Any])
        #expect((world["pending"] as? [Any])?.isEmpty == false)
    }

    @Test(arguments: [
        (["--until", "100s"], "the run did not halt: there was no step at 100.000 s or later\n"),
        (["--event", "99999"], "the run did not halt: there was no event 99999\n"),
    ])
    func aPlaceThatNeverComesIsToldAndTheRunGoesOn(_ place: [String], _ words: String) throws {
        let outcome = try Command(["replay", Self.replay] + place, in: recorded()).outcome()
        #expect(outcome.status == 0)
        #expect(outcome.errors == words)
        #expect(outcome.output.hasSuffix("1 run: 1 held\n"))
    }

    @Test(arguments: [
        (["--until", "3"], "expected a time in ns, us, ms, s or min, for example 812.4ms"),
        (["--until", "1s", "--event", "7"], "--until and --event exclude one another"),
        (["--pause-device", "lokc"], "has no device lokc; did you mean lock?"),
        (["--pause-device", "lock", "--hosting", "inline"], "omit --hosting inline"),
        (["--pause-device", "lock", "--format", "json"], "omit --format json"),
    ])
    func aHaltThatCannotBeIsOneError(_ halt: [String], _ words: String) throws {
        let outcome = try Command(["replay", Self.replay] + halt, in: recorded()).outcome()
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains(words))
        #expect(outcome.output == "")
    }

    // MARK: A debugger

    /// A debugger is played by SIGSTOP, which holds a process as long as one likes.
    @Test(
        arguments: [["--until", "1.5s"], ["--fresh-processes"], ["--event", "140"], []].prefix(
            isWhole ? .max : 2))
    func aHeldDeviceMayTakeAsLongAsItWants(_ halt: [String]) throws {
        let place = try recorded()
        let input = Pipe()
        let command = try Command(
            ["replay", Self.replay, "--pause-device", "lock", "--watchdog", "200ms"] + halt,
            in: place, input: input)
        #expect(wait(seconds: 30) { command.output.hasSuffix("press Enter.\n") })
        let pid = try #require(
            command.output.firstMatch(of: /lock is process ([0-9]+): lldb -p/)
                .flatMap { Int32($0.1) })
        let home = try #require(ProcessState(pid))
        #expect(home.program == "accessory")
        // Where each run has a fresh process it lives in a child of the one that we have started.
        let isCopy = halt == ["--fresh-processes"]
        #expect((home.parent == command.pid) == !isCopy)
        #expect(command.children.contains { $0.pid == (isCopy ? home.parent : pid) })
        kill(pid, SIGSTOP)
        try input.fileHandleForWriting.write(contentsOf: Data("\n".utf8))
        usleep(1_000_000)
        #expect(ProcessState(command.pid)?.isAlive == true)
        kill(pid, SIGCONT)
        let outcome = try command.outcome()
        #expect(outcome.status == 0 && outcome.output.hasSuffix("1 run: 1 held\n"))
        #expect(
            try digest(place.read(Self.run + "/replay/verdict.json"))
                == digest(place.read(Self.run + "/verdict.json")))
    }

    @Test func aPausedRunCanBeInterrupted() throws {
        let place = try recorded()
        let command = try Command(
            ["replay", Self.replay, "--pause-device", "ben"], in: place, input: Pipe())
        #expect(wait(seconds: 30) { command.output.hasSuffix("press Enter.\n") })
        let children = command.children.map(\.pid)
        command.send(SIGINT)
        #expect(try command.outcome().status == 130)
        #expect(!isAnyAlive(children))
    }

    // MARK: Runs that do not repeat

    /// A place with the recorded run and a replay file of another version whose lock stands elsewhere.
    private func changed() throws -> Place {
        let place = try recorded()
        try place.write(
            place.read(Self.replay)
                .replacingOccurrences(of: "at: [2m, 0m]", with: "at: [3m, 0m]")
                .replacingOccurrences(
                    of: #"tool" : "anechoic 0.1"#, with: #"tool" : "anechoic 0.0"#),
            to: Self.replay)
        return place
    }

    @Test(arguments: ["process", "inline"])
    func whereARunFirstDiffersIsToldByTheTraceBeside(hosting: String) throws {
        let place = try changed()
        let outcome = try Command.run("replay", Self.replay, "--hosting", hosting, in: place)
        #expect(outcome.status == 70)
        let told = try #require(
            outcome.output.firstMatch(
                of:
                    #/
                    \ \ the\ run\ did\ not\ repeat:\ it\ first\ differs\ at\ event\ (\d+),\ step\ (\d+)
                    \n\ {4}expected\ \ (\S+)\ s\ \ uwb.round\ on\ (.+)\ and\ distance\ =\ 2.0\d+m
                    \n\ {4}got\ {7}(\S+)\ s\ \ uwb.round\ on\ (.+)\ and\ distance\ =\ 3.0\d+m
                    \n\ {4}the\ event\ before,\ in\ both:\ (\S+)\ s\ \ app.received\ on\ ben\ with\ peer\ =\ lock\ .*
                    \n\ {4}digest\s
                    /#), "\(outcome.output)"
        ).output
        // The same round of the same devices, at the same time.
        #expect(told.3 == told.5 && told.4 == told.6)
        #expect(outcome.output.contains(" recorded by anechoic 0.0.0; this is anechoic 0.1.0\n"))
        let diff = try Command.run("diff", Self.run, Self.run + "/replay", in: place)
        #expect(diff.output.hasPrefix("the runs differ from event \(told.1), step \(told.2) on\n"))
    }

    @Test func withoutTheTraceTheCheckpointsBoundThePlace() throws {
        let place = try changed()
        try FileManager.default.removeItem(atPath: place.path + "/" + Self.run + "/trace.jsonl")
        let outcome = try Command.run("replay", Self.replay, in: place)
        #expect(outcome.status == 70)
        #expect(
            outcome.output.contains(
                "the run did not repeat: it first differs in one of the steps 145 to 160; which one "
                    + "would tell the trace.jsonl that the recorded run left"), "\(outcome.output)")
    }

    @Test func aRunThatDiffersBeforeItIsLeftSaysSo() throws {
        let place = try changed()
        let late = try Command.run("replay", Self.replay, "--until", "12s", in: place)
        #expect(late.status == 70)
        #expect(late.errors.contains("\nthe run did not repeat: it first differs at event 169,"))
        let early = try Command.run("replay", Self.replay, "--until", "1s", in: place)
        #expect(early.status == 0 && !early.errors.contains("did not repeat"))
    }

    /// What a replay that was left has beside it is no whole trace.
    @Test func aReplayOfAReplayThatWasLeftIsWhole() throws {
        let place = try recorded()
        _ = try Command.run("replay", Self.replay, "--until", "1s", in: place)
        let outcome = try Command.run("replay", Self.run + "/replay/replay.json", in: place)
        #expect(outcome.status == 0 && outcome.output.hasSuffix("1 run: 1 held\n"))
    }

    @Test func aForeignDeviceThatReadsTheClockIsFoundOut() throws {
        let place = try Place()
        try place.write(
            """
            length: 2s
            devices:
              mine: {run: python3, arguments: [-B, "\(root)/Tests/Strangers/rogue.py", clock]}
              tag: {profile: qorvo, start: 10ms}
            """, to: "rogue.yaml")
        _ = try Command.run("run", "rogue.yaml", in: place)
        let outcome = try Command.run("replay", "out/rogue/1/replay.json", "--trust", in: place)
        #expect(outcome.status == 70)
        #expect(
            outcome.output.contains("the run did not repeat: it first differs "),
            "\(outcome.output)")
    }
}
