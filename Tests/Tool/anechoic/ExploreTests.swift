import Foundation
import TestSupport
import Testing
import Vocabulary

@Suite(.processes) struct ExploreTests {
    private static let pair = topologies + "/dropout/mid-handshake.yaml"
    private static let sick = ["--defect", "lock=reused-configuration"]

    /// What `--format json` writes.
    private struct Report: Decodable {
        struct Finding: Decodable {
            let fingerprint: String
            let confirmations: Int
            let runs: Int
        }
        let runs: Int
        let findings: [Finding]
    }

    private static func report(_ outcome: Command.Outcome) throws -> Report {
        try JSONDecoder().decode(Report.self, from: Data(outcome.output.utf8))
    }

    @Test func whatFailsIsConfirmedByProcessesAndTellsHowToRepeatIt() throws {
        let place = try Place()
        let outcome = try Command(
            ["explore", Self.pair, "--runs", "32"] + Self.sick, in: place
        ).outcome()
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("fresh-configuration: msg.accessoryConfigurationData.sent"))
        #expect(outcome.output.contains("3 of 3"))
        let name = "out/dropout/mid-handshake/1/replay.json"
        #expect(outcome.output.contains("replay \(name)"))
        #expect(try Command.run("replay", name, in: place).status == 1)
    }

    @Test func whereNothingFailsThereIsNothingToConfirm() throws {
        let outcome = try Command.run("explore", Self.pair, "--runs", "48", in: try Place())
        #expect(outcome.status == 0)
        #expect(outcome.output.hasPrefix("48 runs of 1 topology in "))
        #expect(outcome.output.contains("nothing failed\ncovered: "))
    }

    @Test func theWorkersDoNotChangeWhatIsFound() throws {
        let reports = try ["1", "3"].map { jobs in
            let outcome = try Command(
                ["explore", Self.pair, "--runs", "96", "--jobs", jobs, "--format", "json"]
                    + Self.sick, in: try Place()
            ).outcome()
            return try Self.report(outcome).findings.map { "\($0.fingerprint) \($0.runs)" }.sorted()
        }
        #expect(reports[0] == reports[1])
        #expect(!reports[0].isEmpty)
    }

    @Test(.long) func theShardsOfAnExplorationJoinToTheWhole() throws {
        let place = try Place()
        let options = [
            "explore", topologies + "/dropout", "--faults", "random", "--runs", "480", "--quiet",
        ]
        let shards = ["whole": "1/1", "one": "1/3", "two": "2/3", "three": "3/3"]
        for (name, shard) in shards {
            let outcome = try Command(
                options + Self.sick + ["--shard", shard, "--out", name], in: place
            ).outcome()
            #expect(outcome.status == 1, "\(outcome.errors)")
        }
        let merged = try Command.run(
            "merge", "three", "one", "two", "three", "--out", "all", in: place)
        #expect(merged.status == 1, "\(merged.errors)")
        #expect(merged.output.hasSuffix("4 explorations: 3 parts taken, 1 known already\n"))
        let counted =
            "import json; f = json.load(open('NAME/findings.json')); print(f['runs'], f['coverage'], "
            + "f['arms'], [(g['fingerprint'], g['runs'], g['digest'], g['confirmations']) for g in "
            + "sorted(f['findings'], key=lambda g: g['fingerprint'])])"
        let said = try ["whole", "all"].map { name in
            try place.run(["python3", "-c", counted.replacing("NAME", with: name)]).output
        }
        #expect(said[0] == said[1])
        #expect(said[0].hasPrefix("480 "))
    }

    @Test func whatIsNoPartOfAnExplorationIsRefused() throws {
        let place = try Place()
        for (name, seed) in [("one", "1"), ("other", "2")] {
            _ = try Command.run(
                "explore", Self.pair, "--runs", "16", "--seed", seed, "--out", name, in: place)
        }
        let other = try Command.run("merge", "one", "other", "--out", "all", in: place)
        #expect(other.status == 64)
        #expect(
            other.errors.hasPrefix(
                "other: it is no part of the exploration of one; expected the same"))
        let exhaustive = try Command.run(
            "explore", Self.pair, "--strategy", "exhaustive:1", "--shard", "1/2", in: place)
        #expect(exhaustive.status == 64)
    }

    @Test func anExplorationGoesOnWhereItStopped() throws {
        let place = try Place()
        let options = ["explore", Self.pair, "--format", "json"] + Self.sick
        _ = try Command(options + ["--runs", "32"], in: place).outcome()
        let resumed = try Self.report(
            Command(options + ["--runs", "96", "--resume"], in: place).outcome())
        let whole = try Self.report(
            Command(options + ["--runs", "96"], in: try Place()).outcome())
        #expect(resumed.runs == 96)
        #expect(resumed.findings.map(\.runs).sorted() == whole.findings.map(\.runs).sorted())
    }

    @Test func anotherExplorationIsNotResumed() throws {
        let place = try Place()
        _ = try Command.run("explore", Self.pair, "--runs", "16", in: place)
        let outcome = try Command.run(
            "explore", Self.pair, "--runs", "16", "--resume", "--strategy", "pos", in: place)
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("out/explore.json is of another exploration"))
    }

    @Test func randomFaultsShowWhatNeedsOne() throws {
        let place = try Place()
        let lost = ["--defect", "lock=advertises-once"]
        let pair = topologies + "/basics/one-to-one.yaml"
        let plain = try Command(["explore", pair, "--runs", "32"] + lost, in: place).outcome()
        #expect(plain.status == 0)
        let outcome = try Command(
            ["explore", pair, "--runs", "64", "--faults", "random"] + lost, in: place
        ).outcome()
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("advertises-after-disconnect"))
        #expect(outcome.output.contains("3 of 3"))
    }

    @Test func aSweepStrikesOnceWithEveryFaultAtEveryMoment() throws {
        let place = try Place()
        try place.write(
            """
            length: 50ms
            devices:
              ben: {model: iPhone 15, permission: allowed, at: [0m, 0m]}
              lock: {profile: qorvo, at: [2m, 0m]}
            """, to: "pair.yaml")
        let outcome = try Command.run(
            "explore", "pair.yaml", "--faults", "sweep", "--schedules", "2", in: place)
        #expect(outcome.status == 0, "\(outcome.output)")
        let words = outcome.output.split(whereSeparator: \.isWhitespace)
        let strikes = try #require(words.lastIndex { $0.hasPrefix("strikes") })
        // All of them were played, and the first word counts the runs.
        #expect(words[strikes - 3] == words[0] && words[strikes - 1] == words[0])
        for form in VerbForm.all.flatMap(\.sweep) {
            #expect(outcome.output.contains(form.kind), "\(form.kind)")
        }
        #expect(outcome.output.contains("under each of 2 schedules"))
        let sick = try Command.run(
            "explore", "pair.yaml", "--faults", "sweep", "--until-failures", "1", "--defect",
            "lock=advertises-once", in: place)
        #expect(sick.status == 1)
        #expect(sick.output.contains("out/pair/sweep/"), "\(sick.output)")
    }

    @Test func aLeakIsFoundByAFaultThatStrikesAgainAndAgain() throws {
        let outcome = try Command.run(
            "explore", "\(topologies)/basics/one-to-one.yaml", "--faults", "sweep", "--runs", "256",
            "--until-failures", "1", "--defect", "lock=leaks-messages", in: try Place())
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("request-answered: msg.initialize.received"))
        #expect(outcome.output.contains("/each-msg.initialize.received-lock/"), "\(outcome.output)")
    }

    /// It dies in the plain run as well, in which strategies count.
    @Test func aDeviceOfOursThatDiesTakesNobodyAlong() throws {
        let place = try Place()
        try place.write(
            """
            length: 3s
            devices:
              ben: {model: iPhone 15, permission: allowed, defects: [crashes-on-unknown-message]}
              lock: {profile: qorvo}
            steps:
              - {when: msg.initialize.sent on ben, garble: lock}
            """, to: "it.yaml")
        // Backtraces take a second each.
        let outcome = try Command(
            ["explore", "it.yaml", "--runs", "16", "--jobs", "1"], in: place,
            limits: "export SWIFT_BACKTRACE=enable=no"
        ).outcome()
        #expect(outcome.status == 3, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains("3 of 3"), "\(outcome.output)")
        let file = try #require(outcome.output.firstMatch(of: /replay: .* (out\/\S+)/)?.output.1)
        let shrunk = try Command.run("shrink", String(file), "--replays", "20", in: place)
        #expect(shrunk.status == 3, "\(shrunk.output)\(shrunk.errors)")
    }

    @Test func afterTheGreatestSeedComesTheFirst() throws {
        let outcome = try Command.run(
            "explore", Self.pair, "--seed", "18446744073709551610", "--runs", "16", in: try Place())
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    /// What a search of all schedules says of itself.
    private struct AllSchedules: Equatable {
        let played, total, different, equal, impossible: Int

        init(of output: String) throws {
            let words =
                #/
                explored\ (\d+)\ of\ (\d+)\ schedules\ .*:\ (\d+)\ different\ orders?,\ (\d+)
                \ duplicates?,\ (\d+)\ impossible\ because\ of\ timing
                /#
            let found = try #require(output.firstMatch(of: words)?.output, "\(output)")
            func number(_ text: Substring) throws -> Int { try #require(Int(text)) }
            played = try number(found.1)
            total = try number(found.2)
            different = try number(found.3)
            equal = try number(found.4)
            impossible = try number(found.5)
        }

        /// Whether each was played, and led to an order or to none.
        var isComplete: Bool {
            played == total && played == different + equal + impossible && different > 1
        }
    }

    @Test func everyScheduleWithOneAfterIsPlayedByHoweverManyWorkers() throws {
        let race = [
            "explore", topologies + "/races/retry-while-ranging.yaml", "--strategy", "exhaustive:1",
            "--jobs",
        ]
        let searches = try ["1", "2"].map { jobs in
            let outcome = try Command(race + [jobs], in: Place()).outcome()
            #expect(outcome.status == 0)
            return try AllSchedules(of: outcome.output)
        }
        #expect(searches[0].isComplete)
        #expect(searches[0] == searches[1])
    }

    @Test(arguments: ["1", "2"])
    func aFailureOfAScheduleReplays(jobs: String) throws {
        let place = try Place()
        let sick = try Command.run(
            "explore", topologies + "/races/retry-while-ranging.yaml", "--strategy", "exhaustive:1",
            "--jobs", jobs, "--defect", "lock=ignores-initialize-while-ranging", in: place)
        #expect(sick.status == 1)
        #expect(sick.output.contains("3 of 3"), "\(sick.output)")
        let replay = try #require(sick.output.firstMatch(of: /replay (out\S+)/)?.output.1)
        #expect(replay.hasPrefix("out/races/retry-while-ranging/schedule/"))
        #expect(try Command.run("replay", String(replay), in: place).status == 1)
    }

    /// In time order the camera's first frame comes first, and the app's defect does not show.
    @Test(.long) func aRunBeforeTheCamerasFirstFrameIsARareOrder() throws {
        let place = try Place()
        let race = topologies + "/races/first-frame-beside-a-run.yaml"
        let plain = try Command.run(
            "run", race, "--defect", "ben=runs-before-first-frame", "--scheduler", "fifo",
            in: place)
        #expect(plain.status == 0)
        let found = try Command.run(
            "explore", race, "--defect", "ben=runs-before-first-frame", "--runs", "200",
            in: place)
        #expect(found.status == 1)
        #expect(found.output.contains("first-frame-before-run: ni.run"), "\(found.output)")
    }

    /// In most orders a radio hears of the end before the next session's token comes, and the app's defect does not show.
    @Test(.long) func aTokenThatComesBeforeTheEndOfTheLastSessionIsARareOrder() throws {
        let place = try Place()
        let race = topologies + "/races/token-beside-an-end.yaml"
        let careless = "ben=passes-new-token-over"
        let plain = try Command.run("run", race, "--defect", careless, in: place)
        #expect(plain.status == 0)
        let found = try Command.run(
            "explore", race, "--defect", careless, "--runs", "400", in: place)
        #expect(found.status == 1)
        let story = "promise received-token-is-run, kept by the app"
        #expect(found.output.contains(story), "\(found.output)")
        #expect(try Command.run("explore", race, "--runs", "400", in: place).status == 0)
    }

    @Test func aSearchOfAllSchedulesGoesOnWhereItStopped() throws {
        let place = try Place()
        let search = [
            "explore", topologies + "/basics/one-to-one.yaml", "--strategy", "exhaustive:2",
        ]
        let begun = try Command(search + ["--runs", "32"], in: place).outcome()
        #expect(begun.output.contains("of at least"), "\(begun.output)")
        let resumed = try Command(search + ["--resume"], in: place).outcome()
        let whole = try Command(search, in: Place()).outcome()
        #expect(try AllSchedules(of: resumed.output).isComplete)
        #expect(try AllSchedules(of: resumed.output) == AllSchedules(of: whole.output))
    }

    @Test func whatExpectsAViolationIsNotExploredWithFaults() throws {
        let outcome = try Command.run(
            "explore", topologies + "/defects/ignores-denial.yaml", "--faults", "random",
            in: try Place())
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("expects a violation"))
    }

    @Test func enoughFailuresAreEnough() throws {
        let outcome = try Command(
            ["explore", Self.pair, "--for", "10m", "--until-failures", "1", "--jobs", "1"]
                + Self.sick, in: try Place()
        ).outcome()
        #expect(outcome.status == 1)
    }

    @Test func whatPlayedNothingFoundNothing() throws {
        let outcome = try Command.run("explore", Self.pair, "--for", "1us", in: try Place())
        #expect(outcome.status == 2, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.hasPrefix("0 runs of 1 topology in "))
        #expect(outcome.output.contains("nothing was played"))
    }

    @Test func whatIsKeptCannotBeAbsurd() throws {
        let place = try Place()
        let search = ["explore", Self.pair, "--strategy", "exhaustive:1", "--jobs", "1"]
        _ = try Command(search + ["--runs", "16"], in: place).outcome()
        let kept = place.read("out/explore.json")
        let absurd = [
            (#""topology" : 0"#, #""topology" : 7"#), (#""depth" : 1"#, #""depth" : \#(Int.max)"#),
            (#""equal" : 0"#, #""equal" : -1"#), (#""most" : 1,"#, #""most" : 9,"#),
        ]
        for (before, after) in absurd {
            let changed = kept.replacing(before, with: after)
            #expect(changed != kept, "\(before)")
            try place.write(changed, to: "out/explore.json")
            let outcome = try Command(search + ["--resume"], in: place).outcome()
            #expect(outcome.status == 65, "\(after): \(outcome.output)\(outcome.errors)")
        }
    }

    @Test(arguments: [
        (["--for", "99999999999999999999s"], "expected a time"),
        (["--runs", "0"], "expected at least 1"), (["--for", "soon"], "expected a time"),
        (["--strategy", "pct:0"], "'pct:0' is invalid"),
        (["--strategy", "exhaustive:0"], "'exhaustive:0' is invalid"),
        (["--strategy", "exhaustive:1", "--faults", "random"], "expected one of them"),
    ])
    func wrongUseIsOneError(_ options: [String], _ words: String) throws {
        let outcome = try Command(["explore", Self.pair] + options, in: try Place()).outcome()
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains(words))
    }

    @Test(.long) func ctrlCReportsWhatWasFound() throws {
        let place = try Place()
        let command = try Command(
            ["explore", Self.pair, "--for", "10m", "--jobs", "2"] + Self.sick, in: place)
        try #require(command.hasChildren(2))
        try #require(
            wait(seconds: 60) { place.read("out/explore.json").contains("fingerprint") })
        let workers = command.children.map(\.pid)
        command.send(SIGINT)
        let outcome = try command.outcome()
        #expect(outcome.status == 130)
        #expect(outcome.output.contains("not confirmed yet: interrupted; --resume goes on"))
        #expect(place.read("out/explore.json").contains("\"schema\" : 1"))
        #expect(!isAnyAlive(workers))
    }
}
