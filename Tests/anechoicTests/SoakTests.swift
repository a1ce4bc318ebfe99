import Foundation
import TestSupport
import Testing

/// A campaign lasts, remembers and compares.
struct SoakTests {
    private let one = topologies + "/basics/one-to-one.yaml"
    private let dropout = topologies + "/dropout/mid-handshake.yaml"
    private let defect = "ben=keeps-session-after-disconnect"

    private func soak(
        _ arguments: String..., in place: Place
    ) throws -> (outcome: Command.Outcome, summary: [String: Any]) {
        let outcome = try Command(["soak"] + arguments, in: place).outcome()
        let data = Data(place.read("soak/soak.json").utf8)
        return (outcome, try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:])
    }

    private func states(_ summary: [String: Any]) -> [String] {
        (summary["groups"] as? [[String: Any]] ?? []).compactMap { $0["state"] as? String }
    }

    private let kills = root + "/Scripts/night.d/kills.py"

    @Test func aSoakThatIsKilledTwentyTimesFinishesWhatOneThatIsNotDoes() throws {
        let outcome = try Place().run([
            "python3", "-B", kills, Command.executables + "/anechoic", one, dropout, "--kills",
            "20", "--runs", "4000",
        ])
        #expect(outcome.status == 0, "\(outcome.said)")
        #expect(outcome.output.hasPrefix("killed 20 times ("))
    }

    @Test func aFailureIsNewThenOngoingThenKnown() throws {
        let place = try Place()
        let first = try soak(
            dropout, "--defect", defect, "--runs", "2000", "--quiet", in: place)
        #expect(first.outcome.status == 1)
        #expect(Set(states(first.summary)) == ["new"])
        #expect(first.outcome.output.contains("no-update-without-link"))
        #expect(first.outcome.output.contains("smaller: "))

        let second = try soak(
            dropout, "--defect", defect, "--runs", "2000", "--baseline", "soak", "--quiet",
            in: place)
        #expect(second.outcome.status == 0)
        #expect(Set(states(second.summary)) == ["ongoing"])

        let groups = try #require(first.summary["groups"] as? [[String: Any]])
        let known = groups.compactMap { $0["fingerprint"] as? String }.map {
            "  - {failure: \"\($0)\", reason: Ticket 7, until: 2999-12-31}\n"
        }
        try place.write("known:\n" + known.joined(), to: "known.yaml")
        let third = try soak(
            dropout, "--defect", defect, "--runs", "2000", "--acknowledged", "known.yaml",
            "--quiet", in: place)
        #expect(third.outcome.status == 0)
        #expect(third.outcome.output.contains("Ticket 7 (until 2999-12-31)"))

        let healed = try soak(dropout, "--runs", "4000", "--quiet", in: place)
        #expect(healed.outcome.status == 0)
        #expect(Set(states(healed.summary)).isSubset(of: ["gone", "rare"]))
    }

    @Test func theShardsOfACampaignJoinToTheWhole() throws {
        let place = try Place()
        // A block of 32 lots is one strand: this has ten.
        _ = try Command.run(
            "soak", one, "--runs", "4800", "--campaign", "c", "--seed", "1", "--out", "whole",
            "--quiet", in: place)
        for number in 1...3 {
            let outcome = try Command.run(
                "soak", one, "--runs", "1920", "--campaign", "c", "--seed", "1", "--shard",
                "\(number)/3", "--out", "part\(number)", "--quiet", in: place)
            #expect([0, 2].contains(outcome.status), "\(outcome.errors)")
        }
        for parts in [["part3", "part1"], ["part2", "part3"]] {
            let merged = try Command(["merge"] + parts + ["--out", "all"], in: place).outcome()
            #expect(merged.status == 0, "\(merged.errors)")
        }
        let query =
            "SELECT number, arm, seed, runs, simulated FROM lot WHERE runs > 0 ORDER BY number"
        let lots = try ["whole", "all"].map {
            try place.run(["python3", "-c", Self.asked(query, of: "\($0)/history.sqlite")]).output
        }
        #expect(Set(lots[1].split(separator: "\n")).isSuperset(of: lots[0].split(separator: "\n")))
    }

    private static func size(of file: String, in place: Place) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: "\(place.path)/\(file)")
        return attributes?[.size] as? Int ?? 0
    }

    private static func asked(_ query: String, of file: String) -> String {
        "import sqlite3\nfor row in sqlite3.connect('\(file)').execute('\(query)'): print(*row)"
    }

    @Test func ctrlCKeepsWhatIsDoneAndResumeGoesOn() throws {
        let place = try Place()
        let command = try Command(["soak", one, "--for", "1h", "--quiet"], in: place)
        #expect(wait(seconds: 60) { Self.size(of: "soak/history.sqlite-wal", in: place) > 120_000 })
        command.send(SIGINT)
        let interrupted = try command.outcome()
        #expect(interrupted.status == 130)
        #expect(interrupted.output.contains("interrupted; so far:"))
        let goesOn = try Command.run(
            "soak", "--resume", "soak", "--for", "1s", "--quiet", in: place)
        #expect(goesOn.status == 0, "\(goesOn.errors)")
    }

    // MARK: Wrong use

    @Test func whatIsNoHistoryIsRefused() throws {
        let place = try Place()
        try place.write("hello, this is no database at all", to: "soak/history.sqlite")
        let outcome = try Command.run("soak", one, "--runs", "16", in: place)
        #expect(
            outcome.errors.contains("is no history; expected one that anechoic soak has written"))
        #expect(outcome.status == 65)
        let none = try Command.run("soak", "--resume", "nothing", in: place)
        #expect(none.errors.contains("there is no history in it; expected the folder of a soak"))
        #expect(none.status == 64)
    }

    @Test func aHistoryOfANewerVersionIsRefused() throws {
        let place = try Place()
        _ = try Command.run("soak", one, "--runs", "16", "--quiet", in: place)
        let newer = """
            import sqlite3
            db = sqlite3.connect("soak/history.sqlite")
            db.execute("INSERT INTO grdb_migrations VALUES ('99')")
            db.commit()
            """
        #expect(try place.run(["python3", "-c", newer]).status == 0)
        let outcome = try Command.run("soak", one, "--runs", "16", in: place)
        #expect(outcome.errors.contains("was written by a newer anechoic; use that version"))
        #expect(outcome.status == 65)
    }

    @Test func metricsAreInPrometheusFormat() throws {
        let place = try Place()
        _ = try Command.run(
            "soak", one, "--runs", "64", "--metrics", "soak.prom", "--quiet", in: place)
        let text = place.read("soak.prom")
        #expect(text.contains("# TYPE anechoic_soak_runs_total counter\n"))
        #expect(text.contains("anechoic_soak_runs_total{arm=\"portfolio\"} "))
    }
}
