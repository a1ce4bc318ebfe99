import Foundation
import Reports
import TestSupport
import Testing

/// A campaign lasts, remembers and compares.
@Suite(.processes) struct SoakTests {
    private let one = topologies + "/basics/one-to-one.yaml"
    private let dropout = topologies + "/dropout/mid-handshake.yaml"
    /// One that fails often, and is explained at once.
    private let defect = ["--defect", "lock=reused-configuration", "--runs", "320", "--quiet"]

    private func soak(
        _ arguments: [String], in place: Place
    ) throws -> (outcome: Command.Outcome, summary: [String: Any]) {
        let outcome = try Command(["soak"] + arguments, in: place).outcome(seconds: 300)
        let data = Data(place.read("soak/soak.json").utf8)
        return (outcome, try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:])
    }

    private func states(_ summary: [String: Any]) -> [String] {
        (summary["groups"] as? [[String: Any]] ?? []).compactMap { $0["state"] as? String }
    }

    private let kills = root + "/Scripts/night.d/kills.py"

    @Test func aSoakThatIsKilledAgainAndAgainFinishesWhatOneThatIsNotDoes() throws {
        let outcome = try Place().run([
            "python3", "-B", kills, Command.executables + "/anechoic", one, dropout, "--kills",
            isWhole ? "20" : "2", "--runs", isWhole ? "2400" : "192",
        ])
        #expect(outcome.status == 0, "\(outcome.said)")
        #expect(outcome.output.hasPrefix("killed \(isWhole ? 20 : 2) times ("))
    }

    @Test(.long) func aFailureIsNewThenOngoingThenKnown() throws {
        let place = try Place()
        let first = try soak([one] + defect, in: place)
        #expect(first.outcome.status == 1)
        #expect(Set(states(first.summary)) == ["new"])
        #expect(first.outcome.output.contains("fresh-configuration"))
        #expect(first.outcome.output.contains("smaller: "))

        let second = try soak([one, "--baseline", "soak"] + defect, in: place)
        #expect(second.outcome.status == 0)
        #expect(Set(states(second.summary)) == ["ongoing"])

        let groups = try #require(first.summary["groups"] as? [[String: Any]])
        let known = groups.compactMap { $0["fingerprint"] as? String }.map {
            "  - {failure: \"\($0)\", reason: Ticket 7, until: 2999-12-31}\n"
        }
        try place.write("known:\n" + known.joined(), to: "known.yaml")
        let third = try soak([one, "--acknowledged", "known.yaml"] + defect, in: place)
        #expect(third.outcome.status == 0)
        #expect(third.outcome.output.contains("Ticket 7 (until 2999-12-31)"))

        let healed = try soak([one, "--runs", "320", "--quiet"], in: place)
        #expect(healed.outcome.status == 0)
        #expect(Set(states(healed.summary)).isSubset(of: ["gone", "rare"]))
    }

    @Test func theShardsOfACampaignJoinToTheWhole() throws {
        let place = try Place()
        let campaign = [
            "soak", one, "--runs", isWhole ? "2400" : "160", "--campaign", "c", "--seed", "1",
            "--quiet",
        ]
        _ = try Command(campaign + ["--out", "whole"], in: place).outcome()
        for number in 1...3 {
            let part = ["--shard", "\(number)/3", "--out", "part\(number)"]
            let outcome = try Command(campaign + part, in: place).outcome()
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
        #expect(lots[0] == lots[1])
        // Without those for mutations.
        #expect(lots[0].split(separator: "\n").count == (isWhole ? 141 : 9))
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
        #expect(
            wait(seconds: 240) { Self.size(of: "soak/history.sqlite-wal", in: place) > 120_000 })
        command.send(SIGINT)
        let interrupted = try command.outcome()
        #expect(interrupted.status == 130)
        #expect(interrupted.output.contains("interrupted; so far:"))
        let goesOn = try Command.run(
            "soak", "--resume", "soak", "--for", "1s", "--quiet", in: place)
        #expect(goesOn.status == 0, "\(goesOn.errors)")
    }

    /// Everything that ships, as a night would have it.
    @Test(.long) func aSoakOfOneMinuteLosesAndLeavesNothing() throws {
        let place = try Place()
        let (outcome, summary) = try soak(
            [topologies, "--for", "1m", "--jobs", "1", "--quiet"], in: place)
        #expect([0, 2].contains(outcome.status), "\(outcome.output)\(outcome.errors)")
        #expect(summary["canary"] as? String != "missed")
        let arms = summary["arms"] as? [[String: Any]] ?? []
        #expect(Set(arms.compactMap { $0["arm"] as? String }).count >= 5)
        let samples = summary["samples"] as? [[String: Any]] ?? []
        let values = samples.compactMap { $0["values"] as? [String: Double] }
        // Every ten seconds, or behind the lot that lasts longer.
        #expect(values.count > 2)
        // The soak; its worker has gone.
        #expect(values.last?["processes"] == 1)
        let open = values.dropFirst().compactMap { $0["orchestrator-descriptors"] }
        #expect((open.last ?? 0) <= (open.first ?? 0))
        let runs = samples.last?["runs"] as? Int
        let kept = try place.run([
            "python3", "-c",
            Self.asked("SELECT SUM(runs) FROM lot", of: "soak/history.sqlite"),
        ])
        #expect(kept.output == "\(runs ?? 0)\n")
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

    // MARK: The disk

    @Test(.long) func whatIsKeptHasASizeAndTheSmallestExampleStays() throws {
        let place = try Place()
        // A race, so that there is a run which holds beside it.
        let race = [
            "--defect", "lock=ignores-initialize-while-ranging", "--runs", "320", "--quiet",
        ]
        for _ in 1...3 {
            _ = try soak([one] + race, in: place)
        }
        let before = try runs(in: place)
        let outcome = try soak([one, "--runs", "64", "--keep", "1KB", "--quiet"], in: place)
        #expect(
            outcome.outcome.errors.contains("and --keep allows 0; what is left is the history, "))
        let after = try runs(in: place)
        #expect(before.contains { $0.hasSuffix("/explained/passing") })
        #expect(!after.contains { $0.hasSuffix("/explained/passing") })
        let groups = Set(
            try after.filter { $0.hasSuffix("/shrunk") }.map {
                try fingerprint("soak/\($0)", in: place)
            })
        #expect(groups.count == after.count { $0.hasSuffix("/shrunk") }, "one example of each")
        #expect(
            try groups
                == Set(
                    before.filter { $0.hasSuffix("/shrunk") }.map {
                        try fingerprint("soak/\($0)", in: place)
                    }.filter { $0 != "" }))
    }

    /// The folders with a verdict.
    private func runs(in place: Place) throws -> [String] {
        let all = FileManager.default.enumerator(atPath: "\(place.path)/soak")
        return (all?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix("/verdict.json") }
            .map { String($0.dropLast("/verdict.json".count)) }.sorted()
    }

    /// What the run of a folder broke; empty where the folder is gone.
    private func fingerprint(_ folder: String, in place: Place) throws -> String {
        let data = Data(place.read("\(folder)/verdict.json").utf8)
        return (try? JSONDecoder().decode(RunReport.self, from: data).fingerprint) ?? ""
    }

    /// A disk of four megabytes: full before the history is there, or from its first lots on, until the soak has
    /// waited.
    @Test(
        arguments: [("cat /dev/zero > soak/filler", ":")]
            + (isWhole ? [(":", "cat /dev/zero > soak/filler")] : []))
    func aFullDiskPausesAndGoesOnWhenThereIsRoom(before: String, after: String) throws {
        let script = """
            mkdir -p soak && mount -t tmpfs -o size=4m tmpfs soak || { echo cannot mount; exit; }
            \(before)
            \(Command.executables)/anechoic soak \(one) --runs \(isWhole ? 1600 : 480) --quiet > out 2> err &
            until [ -e soak/history.sqlite ]; do kill -0 $! && sleep 0.1 || break; done
            \(after)
            until grep -q 'the disk is full' err; do kill -0 $! && sleep 0.1 || break; done
            rm soak/filler
            wait $!; echo status $?
            """
        let outcome = try Place().run([
            "unshare", "-rm", "sh", "-c", script + "\ncat err out",
        ])
        guard !outcome.said.contains("cannot mount"), !outcome.said.contains("unshare failed")
        else { return }
        #expect(outcome.output.contains("status 0\n"), "\(outcome.said)")
        #expect(
            outcome.output.contains(
                "history.sqlite: the disk is full; the soak pauses, and goes on"))
        #expect(outcome.output.contains("history.sqlite: there is room again; the soak goes on\n"))
        #expect(outcome.output.contains("nothing failed"))
    }

    // MARK: Numbers

    @Test func prometheusReadsTheMetrics() throws {
        let place = try Place()
        _ = try Command.run(
            "soak", one, "--runs", "64", "--metrics", "soak.prom", "--quiet", in: place)
        let reader = """
            from prometheus_client.parser import text_string_to_metric_families as families
            for family in families(open("soak.prom").read()):
                print(family.type, family.name, len(family.samples))
            """
        let read = try place.run([root + "/.build/venv/bin/python3", "-c", reader])
        #expect(read.output.contains("counter anechoic_soak_runs 6\n"), "\(read.said)")
        #expect(read.output.contains("gauge anechoic_soak_orchestrator_memory 1\n"))
        #expect(read.status == 0)
    }
}
