import Foundation
import TestSupport
import Testing

/// `anechoic show`.
@Suite(.processes) struct ShowCommandTests {
    private static let pair = topologies + "/dropout/mid-handshake.yaml"
    private static let run = "out/dropout/mid-handshake/1"

    /// A place with a run in which the lock has a defect.
    private func failure() throws -> Place {
        let place = try Place()
        _ = try Command.run("run", Self.pair, "--defect", "lock=reused-configuration", in: place)
        return place
    }

    @Test(arguments: ["", "/trace.jsonl", "/replay.json"])
    func aRunIsDrawnWithWhatBroke(_ file: String) throws {
        let outcome = try Command.run("show", Self.run + file, in: failure())
        #expect(outcome.status == 0, "\(outcome.errors)")
        for part in [
            "dropout/mid-handshake, seed 1, random: violated\n  ✗ fresh-configuration at ",
            "═ disconnect: [ben, lock] ═", "─ initialize (session 2) ─",
            "▲ see fresh-configuration",
            "│ ✗ fresh-configuration is broken (R4 3.4.1, 4.3.2)", "times, 0.198 s apart",
            "│ the run ends: finished",
        ] {
            #expect(outcome.output.contains(part), "\(part)\n\(outcome.output)")
        }
    }

    @Test func aTraceAloneIsJudged() throws {
        let place = try failure()
        try FileManager.default.moveItem(
            atPath: "\(place.path)/\(Self.run)/trace.jsonl", toPath: "\(place.path)/t.jsonl")
        let outcome = try Command.run("show", "t.jsonl", in: place)
        #expect(outcome.output.contains("✗ fresh-configuration is broken"), "\(outcome.errors)")
    }

    @Test func theDevicesOwnLogsStandAmongTheEvents() throws {
        let place = try failure()
        try place.write(
            "[0.000001 s] boot\n[99.000000 s] bye \u{1B}[2J\n", to: Self.run + "/logs/lock.log")
        let all = try Command.run("show", Self.run, in: place)
        let boot = try #require(all.output.firstRange(of: "log: boot"), "\(all.output)")
        let first = try #require(all.output.firstRange(of: "initialize"))
        #expect(boot.lowerBound < first.lowerBound)
        let logs = try Command.run("show", Self.run, "--kind", "log", "--quiet", in: place)
        #expect(logs.output.contains("log: bye \u{FFFD}[2J"), "\(logs.output)")
        #expect(!logs.output.contains("initialize"))
        let others = try Command.run("show", Self.run, "--kind", "msg", in: place)
        #expect(!others.output.contains("log: "))
    }

    @Test func forProgramsEachRowIsAResult() throws {
        let outcome = try Command.run("show", Self.run, "--json", in: failure())
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
        let rows = try #require(document["results"] as? [[String: Any]])
        #expect(document["command"] as? String == "show")
        #expect(document["status"] as? Int == 0)
        #expect(rows.first?["topology"] as? String == "dropout/mid-handshake")
        #expect(
            Set(rows.compactMap { $0["kind"] as? String })
                == ["run", "note", "arrow", "across", "fold", "violation", "end"])
    }

    @Test func thePairOfAnExplanationIsMarked() throws {
        let place = try failure()
        let folder = "out/dropout/mid-handshake"
        try FileManager.default.moveItem(
            atPath: "\(place.path)/\(folder)/1", toPath: "\(place.path)/\(folder)/failing")
        let trace = place.read("\(folder)/failing/trace.jsonl").split(separator: "\n").dropFirst()
        func moment(_ kind: String) throws -> String {
            let number = try #require(trace.firstIndex { $0.contains("\"\(kind)\"") }) - 1
            return """
                {"event": "queue ben/0 main #1", "words": "\(kind)", "about": [],
                 "happens": [{"number": \(number), "kind": "\(kind)", "devices": []}]}
                """
        }
        try place.write(
            """
            {"schema": 4, "fingerprint": "", "difference": [], "candidates": 1, "isExhausted": false,
             "effect": {"first": \(try moment("ni.run")), "second": \(try moment("link.down")),
                        "isKept": false}}
            """, to: "\(folder)/explanation.json")
        let outcome = try Command.run("show", folder, in: place)
        #expect(
            outcome.output.contains(
                "│ ▲ before link.down here; in the run that holds it never comes"),
            "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains("▲ first in the run that holds"))
    }

    @Test(arguments: [
        (["--event", "app.gaveUp"], "nothing to draw"),
        (["--event", "ni.didupdate"], "did you mean ni.didUpdate?"),
        (["--event", "ni.didUpdate on"], "the pattern ends too early"),
        (["--device", "bne"], "did you mean ben?"),
        (["--from", "3s", "--until", "1s"], "--from is later than --until"),
        (["--width", "10"], "expected 60 to 1000"),
    ])
    func whatLeavesNothingIsWrongUse(_ options: [String], _ message: String) throws {
        let outcome = try Command(["show", Self.run] + options, in: failure()).outcome()
        #expect(outcome.status == 64)
        #expect(outcome.output == "")
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }

    @Test func whereNoRunIsRunsBelowAreNamed() throws {
        let place = try failure()
        let outcome = try Command.run("show", "out", in: place)
        #expect(outcome.status == 65)
        #expect(
            outcome.errors
                == "out: there is no run here; expected one below it, like \(Self.run)\n")
        #expect(try Command.run("show", "nowhere", in: place).status == 65)
    }

    @Test func aBrokenTraceIsToldBeforeAnythingIsDrawn() throws {
        let place = try failure()
        let trace = place.read(Self.run + "/trace.jsonl")
        try place.write(trace + "nonsense\n", to: Self.run + "/trace.jsonl")
        let outcome = try Command.run("show", Self.run, in: place)
        #expect(outcome.status == 65)
        #expect(outcome.output == "")
        #expect(outcome.errors.contains("this is no line of a trace"))
    }
}
