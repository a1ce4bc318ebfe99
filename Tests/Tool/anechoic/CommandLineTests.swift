import Foundation
import RunSupport
import TestSupport
import Testing

/// The command line, as its users see it.
@Suite(.processes) struct CommandLineTests {
    private static let pair = topologies + "/dropout/mid-handshake.yaml"

    @Test(arguments: [
        ["run"], ["run", "--seeds", "3..1", "x"], ["run", "--seed", "1", "--seeds", "1..2", "x"],
        ["run", "--jobs", "0", "x"], ["run", "--scheduler", "unfair", "x"],
        ["run", "--watchdog", "1ms", "x"], ["run", "--watchdog", "5000", "x"],
        ["run", "--defect", "lock", "x"], ["replay"],
        ["conform", "--jobs", "0"], ["conform", "--watchdog", "1ms"], ["defects", "--jobs", "0"],
    ])
    func wrongUseIs64(_ arguments: [String]) throws {
        let outcome = try Command(arguments, in: try Place()).outcome()
        #expect(outcome.status == 64)
        #expect(outcome.errors.hasPrefix("Error: "))
        #expect(outcome.output == "")
    }

    @Test(arguments: [
        (["runn", "x"], "there is no command runn; did you mean run?"),
        (["help", "verb"], "help verb: there is no such command or topic; did you mean verbs?"),
        ([], "expected a command: run, replay, check"),
        (["run", "--seed", "-1", "x"], "expected a whole number from 0 to 18446744073709551615"),
        (["run", "--seed", "abc", "x"], "expected a whole number from 0 to 18446744073709551615"),
        (["explore", "x", "--runs", "many"], "expected a whole number from 0 to"),
        (["run", pair, "--out", "/dev/null"], "cannot make the folder /dev/null: Not a directory"),
        (
            ["explore", pair, "--resume", "--out", "typo"],
            "--resume: there is no typo/explore.json; expected the --out of the exploration"
        ),
    ])
    func wrongUseIsExplained(_ arguments: [String], _ words: String) throws {
        let place = try Place()
        let outcome = try Command(arguments, in: place).outcome()
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains(words), "\(outcome.errors)")
        #expect(!FileManager.default.fileExists(atPath: place.path + "/typo"))
    }

    @Test func withoutRoomOrProcAnechoicSaysSo() throws {
        let little = try Command(["--version"], in: Place(), limits: "ulimit -v 110000").outcome()
        #expect(little.status == 70)
        #expect(
            little.errors == """
                there are 110000 KB of address space (ulimit -v); expected at least 131072, and more for \
                many devices

                """)
    }

    @Test(arguments: ["run", "check", "list"])
    func aWrongFileIs65WithItsPlaceAndACaret(command: String) throws {
        let place = try Place()
        try place.write("devices:\n  ben: {modle: iPhone 15}\n", to: "wrong.yaml")
        let outcome = try Command.run(command, "wrong.yaml", in: place)
        #expect(outcome.status == 65)
        #expect(outcome.errors.hasPrefix("wrong.yaml:2:9: error: "))
        #expect(outcome.errors.contains("^"))
        #expect(outcome.errors.contains("model"))
    }

    @Test func aReplayFileThatIsNoneIs65() throws {
        let place = try Place()
        try place.write("{}", to: "replay.json")
        let outcome = try Command.run("replay", "replay.json", in: place)
        #expect(outcome.status == 65)
        #expect(outcome.errors.hasPrefix("replay.json: not a replay.json: "))
    }

    @Test func checkAndListKnowEveryTopology() throws {
        let place = try Place()
        #expect(try Command.run("check", topologies, in: place).status == 0)
        let list = try Command.run("list", topologies, in: place)
        #expect(list.status == 0)
        #expect(list.output.contains("scale/hall"))
        #expect(list.output.contains("16 Apple devices, 48 accessories"))
    }

    @Test func everySeedIsAnObjectOfTheJSON() throws {
        let outcome = try Command.run(
            "run", Self.pair, "--seeds", "1..3", "--jobs", "2", "--format", "json", in: try Place())
        #expect(outcome.status == 0)
        #expect(try outcome.reports.map(\.seed) == [1, 2, 3])
    }

    @Test func aDefectGives1AndAStoryThatEndsInTheReplay() throws {
        let place = try Place()
        let outcome = try Command.run(
            "run", Self.pair, "--seed", "42", "--defect", "lock=reused-configuration", in: place)
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("promise fresh-configuration"))
        #expect(
            outcome.output.hasSuffix(
                "replay out/dropout/mid-handshake/42/replay.json\n"))
        let replay = try Command.run(
            "replay", "out/dropout/mid-handshake/42/replay.json", in: place)
        #expect(replay.status == 1)
    }

    @Test(arguments: [
        ("lokc=reused-configuration", "has no device lokc; did you mean lock?"),
        ("lock=reused-configurations", "did you mean reused-configuration?"),
    ])
    func anUnknownDefectIsOneError(_ defect: String, _ words: String) throws {
        let outcome = try Command.run("run", Self.pair, "--defect", defect, in: try Place())
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains(words))
        #expect(outcome.errors.split(separator: "\n").count == 1)
    }

    @Test func aChangedRecordingIsToldAndKept() throws {
        let place = try Place()
        _ = try Command.run("run", Self.pair, in: place)
        let name = "out/dropout/mid-handshake/1/replay.json"
        let changed = place.read(name).replacingOccurrences(
            of: "length: 20s", with: "length: 21s")
        try place.write(changed, to: name)
        for _ in 1...2 {
            let outcome = try Command.run("replay", name, in: place)
            #expect(outcome.status == 70)
            #expect(
                outcome.output.contains(
                    "the run did not repeat: it first differs at event 0, step 0"))
        }
        let verdict = place.read("out/dropout/mid-handshake/1/replay/verdict.json")
        #expect(verdict.contains("did not repeat"))
    }

    @Test func helpAndCompletionAreThere() throws {
        let place = try Place()
        let help = try Command.run("run", "--help", in: place)
        #expect(help.status == 0 && help.output.contains("--transport"))
        let script = try Command.run("--generate-completion-script", "bash", in: place)
        #expect(script.status == 0 && script.output.contains("_anechoic()"))
        #expect(!script.output.contains("'worker'"))
    }
}
