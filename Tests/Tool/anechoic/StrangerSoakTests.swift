import Foundation
import TestSupport
import Testing

/// A campaign with programs that nobody of the house wrote, to its end.
@Suite(.processes) struct StrangerSoakTests {
    private let one = topologies + "/basics/one-to-one.yaml"
    private static let python = root + "/Tests/Strangers/accessory.py"
    private static let hasty = root + "/Tests/Strangers/hasty.py"

    private func summary(in place: Place) throws -> [String: Any] {
        let data = Data(place.read("soak/soak.json").utf8)
        return try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
    }

    private func failures(in place: Place) throws -> [String] {
        (try summary(in: place)["groups"] as? [[String: Any]] ?? []).compactMap {
            $0["fingerprint"] as? String
        }
    }

    private func sqlite(_ statement: String, in place: Place) throws -> String {
        let script = """
            import sqlite3, sys
            db = sqlite3.connect("soak/history.sqlite")
            for row in db.execute(sys.argv[1]): print(*row)
            db.commit()
            """
        return try place.run(["python3", "-c", script, statement]).output
    }

    /// Each arm has a loop of its own, and the devices of one are no orphans to another.
    @Test(
        arguments: isWhole ? [python, Command.executables + "/accessory"] : [python],
        isWhole ? [1, 2] : [2])
    func aHealthyProgramIsNotAccused(program: String, jobs: Int) throws {
        let place = try Place()
        let soak = try Command.run(
            "soak", one, "--accessory", program, "--runs", isWhole ? "480" : "160", "--jobs",
            "\(jobs)", in: place)
        #expect(soak.status == 0, "\(soak.output)\(soak.errors)")
        #expect(try failures(in: place) == [])
        let arms = try summary(in: place)["arms"] as? [[String: Any]] ?? []
        let idle = arms.filter { $0["runs"] as? Int == 0 }.compactMap { $0["arm"] as? String }
        #expect(idle == ["mutation"], "nothing has failed that could be mutated")
    }

    @Test(.long) func aSickOneIsCalledByItsNameAndEveryArmPlays() throws {
        let place = try Place()
        try place.write("#!/bin/sh\nexec python3 -B \(Self.hasty) forgets-to-cancel\n", to: "mine")
        _ = try place.run(["chmod", "+x", "mine"])
        let soak = try Command.run(
            "soak", one, "--accessory", "./mine", "--runs", "960", "--seed", "1", in: place)
        #expect(soak.status == 1, "\(soak.output)\(soak.errors)")
        #expect(!soak.output.contains("harness error"))
        let arms = try summary(in: place)["arms"] as? [[String: Any]] ?? []
        #expect(arms.allSatisfy { ($0["runs"] as? Int ?? 0) > 0 }, "\(soak.output)")
    }

    @Test(.long) func whatAProgramRefusesIsPlayedWithoutOrNotAtAll() throws {
        let place = try Place()
        try place.write(
            """
            devices:
              ben: {model: iPhone 15}
              lock: {run: \(Self.python), model: multi}
            """, to: "all/refused.yaml")
        try place.write(
            "devices: {ben: {model: iPhone 15}, lock: {run: \(Self.python)}}", to: "all/played.yaml"
        )
        for command in ["soak", "explore"] {
            let outcome = try Command.run(command, "all", "--runs", "64", in: place)
            #expect([0, 2].contains(outcome.status), "\(outcome.output)\(outcome.errors)")
            #expect(
                outcome.errors.contains(
                    "1 topology not played, which a device refuses (refused: refusal of lock: "),
                "\(outcome.errors)")
        }
        let nothing = try Command.run("explore", "all/refused.yaml", "--runs", "16", in: place)
        #expect(nothing.status == 3)
        #expect(nothing.errors.contains("nothing can be played: refused: refusal of lock: "))
    }

    // MARK: Going on

    @Test(.long) func itGoesOnAsItWasBegunWithoutAnotherWord() throws {
        let place = try Place()
        try place.write("#!/bin/sh\nexec python3 -B \(Self.python)\n", to: "mine")
        _ = try place.run(["chmod", "+x", "mine"])
        let begun = try Command(
            ["soak", one, "--accessory", "./mine", "--runs", "640", "--jobs", "1"], in: place)
        #expect(
            wait(seconds: 60) { (try? sqlite("SELECT COUNT(*) FROM lot", in: place)) ?? "" > "3" })
        begun.send(SIGKILL)
        #expect(try begun.outcome().status == 137)
        // A soak that was killed has a page.
        let page = try Command.run("report", "soak", in: place)
        #expect(page.status == 0, "\(page.errors)")

        let resumed = try Command.run("soak", "--resume", "soak", in: place)
        #expect(resumed.status == 0, "\(resumed.output)\(resumed.errors)")
        let played = try sqlite("SELECT SUM(runs) FROM lot", in: place)
        #expect(
            ["592\n", "608\n"].contains(played), "640 without what nothing failed for: \(played)")
        let again = try Command.run("soak", "--resume", "soak", in: place)
        #expect(again.status == 0)
        #expect(try sqlite("SELECT SUM(runs) FROM lot", in: place) == played)

        // Another program under the same name is another program.
        try place.write("#!/bin/sh\n# \nexec python3 -B \(Self.python)\n", to: "mine")
        let strange = try Command.run("soak", "--resume", "soak", in: place)
        #expect(strange.status == 64)
        #expect(strange.errors.contains("runs programs of this machine:"))
    }

    // MARK: Errors of ours, and of the machine

    /// A minute by the clock is longer than a worker may be silent.
    @Test(.long) func aWorkerThatStandsStillIsEndedAndToldAsOurs() throws {
        let place = try Place()
        let soak = try Command(
            ["soak", one, "--accessory", Self.python, "--runs", "640", "--jobs", "1"], in: place)
        #expect(wait(seconds: 60) { soak.children.contains { $0.program == "anechoic" } })
        #expect(
            wait(seconds: 60) { (try? sqlite("SELECT COUNT(*) FROM lot", in: place)) ?? "" > "1" })
        let worker = try #require(soak.children.first { $0.program == "anechoic" })
        kill(worker.pid, SIGSTOP)
        let outcome = try soak.outcome(seconds: 240)
        #expect(outcome.status == 70, "\(outcome.output)\(outcome.errors)")
        #expect(
            outcome.output.contains(
                "trouble: the worker process said nothing for 60.0 s and was ended. A worker bounds each"
            ))
        #expect(try failures(in: place) == [])
    }

    @Test(.long) func aPlanThatFailedIsNotKept() throws {
        let place = try Place()
        let soak = ["soak", topologies + "/basics", "--runs", "512", "--jobs", "1"]
        let outcome = try Command(soak, in: place, limits: "ulimit -n 36").outcome()
        #expect(outcome.status == 70, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.errors.contains("its plain run, in which a sweep strikes, came to nothing"))
        let resumed = try Command.run("soak", "--resume", "soak", in: place)
        #expect(resumed.status == 0, "\(resumed.output)\(resumed.errors)")
        let swept = try sqlite(
            "SELECT COUNT(DISTINCT topology) FROM lot WHERE arm = 'sweep'", in: place)
        #expect(swept == "4\n")
    }

    @Test(
        arguments: [
            ("UPDATE failure SET whole = '{}'", "a failure of lot "),
            ("UPDATE note SET text = '{}' WHERE name = 'sweeps'", "its note `sweeps`"),
            ("UPDATE finding SET document = '{}'", "the finding `"),
            ("UPDATE sample SET whole = '{}'", "a sample of it"),
        ].prefix(isWhole ? 4 : 1))
    func aDamagedRowIsNamed(damage: String, row: String) throws {
        let place = try Place()
        _ = try Command.run(
            "soak", one, "--defect", "lock=reused-configuration", "--runs", "64", "--campaign",
            "monday",
            in: place)
        _ = try sqlite(damage, in: place)
        let outcome = try Command.run("soak", "--resume", "soak", in: place)
        #expect(outcome.status == 65, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.errors.contains("campaign monday: \(row)"), "\(outcome.errors)")
        #expect(outcome.errors.contains("is damaged; expected what anechoic soak has"))
    }
}
