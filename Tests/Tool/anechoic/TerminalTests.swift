import Foundation
import TestSupport
import Testing

/// What is shown on a terminal, and how much.
@Suite(.processes) struct TerminalTests {
    private static let pair = topologies + "/dropout/mid-handshake.yaml"
    private static let sick = ["--defect", "lock=reused-configuration", "--hosting", "inline"]

    /// Plays a command on a terminal of so many columns, and prints what a person would see.
    private static func terminal(columns: Int, _ setting: String = "TERM=xterm") -> String {
        """
        import fcntl, os, pty, struct, sys, termios
        pid, master = pty.fork()
        if pid == 0:
            fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 24, \(columns), 0, 0))
            os.environ.pop("NO_COLOR", None)
            os.environ.update(word.split("=") for word in "\(setting)".split())
            os.execv(sys.argv[1], sys.argv[1:])
        seen = b""
        while True:
            try: piece = os.read(master, 4096)
            except OSError: break
            if not piece: break
            seen += piece
        sys.stdout.write(seen.decode().replace("\\r\\n", "\\n"))
        sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
        """
    }

    @Test(arguments: [["list", topologies + "/dropout"], ["promises"], ["help", "verbs"]])
    func aTableFitsTheTerminal(_ words: [String]) throws {
        let place = try Place()
        let wide = try Command(words, in: place).outcome().output
        let narrow = try Command(words, in: place, wrapper: Self.terminal(columns: 80)).outcome()
            .output
        #expect(wide.split(separator: "\n").contains { $0.count > 80 })
        #expect(narrow.split(separator: "\n").filter { $0.count > 80 } == [])
        // Nothing is lost: a cell goes on below itself.
        let squeezed = { (text: String) in text.replacing(/\s+/, with: "") }
        #expect(squeezed(narrow).count == squeezed(wide).count)
    }

    @Test func aTableOfRunsFitsANarrowTerminal() throws {
        let outcome = try Command(
            ["run", Self.pair], in: Place(), wrapper: Self.terminal(columns: 75)
        ).outcome()
        let table = outcome.output.split(separator: "\n").prefix(2).map {
            $0.replacing(/\u{1B}\[[0-9;]*[mK]|\r/, with: "")
        }
        #expect(table.allSatisfy { $0.count <= 75 }, "\(outcome.output)")
        #expect(table.last?.hasPrefix("dropout/mid") == true, "\(outcome.output)")
    }

    @Test(arguments: [
        (["run", pair] + sick, "TERM=xterm", true), (["run", pair] + sick, "NO_COLOR=1", false),
        (["run", pair] + sick, "TERM=dumb", false),
    ])
    func coloursAreForTerminalsThatWantThem(
        _ words: [String], _ setting: String, _ isColoured: Bool
    ) throws {
        let outcome = try Command(
            words, in: Place(), wrapper: Self.terminal(columns: 120, setting)
        ).outcome()
        #expect(outcome.output.contains("\u{1B}[1;31m") == isColoured, "\(outcome.output)")
    }

    // MARK: More and less

    @Test(arguments: ["run", "explore", "replay", "judge", "conform", "defects"])
    func everyVerdictCanBeToldInBrief(verb: String) throws {
        let help = try Command.run(verb, "--help", in: Place()).output
        #expect(help.contains("-q, --quiet"))
        #expect(help.contains("--junit <file>") && help.contains("--ctrf <file>"))
    }

    @Test(arguments: [
        ["run", pair], ["explore", pair], ["replay", "x"], ["judge", "x"], ["conform"],
    ])
    func briefAndWholeExcludeOneAnother(_ words: [String]) throws {
        let outcome = try Command(words + ["-q", "-v"], in: Place()).outcome()
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("--quiet and --verbose exclude one another"))
    }

    @Test func aJudgeThatIsQuietShowsNoTable() throws {
        let place = try Place()
        _ = try Command.run("run", Self.pair, in: place)
        let trace = "out/dropout/mid-handshake/1"
        #expect(try Command.run("judge", trace, "-q", in: place).output == "\(trace): held\n")
        _ = try Command(["run", Self.pair, "--out", "sick"] + Self.sick, in: place).outcome()
        let broken = try Command.run("judge", "sick/dropout/mid-handshake/1", "-q", in: place)
        #expect(broken.output.hasPrefix("dropout/mid-handshake, seed 1: violated\n"))
    }

    @Test func verboselyEachRunIsShown() throws {
        let words = ["run", Self.pair, "--seeds", "1..50", "--hosting", "inline", "--no-out"]
        let brief = try Command(words, in: Place()).outcome().output
        let whole = try Command(words + ["-v"], in: Place()).outcome().output
        #expect(!brief.contains("\ndropout/mid-handshake  50 "))
        #expect(whole.contains("\ndropout/mid-handshake  50 "), "\(whole)")
    }

    @Test func theVersionIsOneLine() throws {
        let outcome = try Command.run("--version", in: Place())
        #expect(outcome.status == 0 && outcome.output.contains(/^\d+\.\d+\.\d+\n$/))
    }
}
