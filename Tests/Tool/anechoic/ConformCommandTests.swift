import Foundation
import TestSupport
import Testing
import Vocabulary

/// `anechoic conform` and `anechoic defects`, as a user of CI types them.
@Suite(.processes) struct ConformCommandTests {
    private static let strangers = root + "/Tests/Strangers"

    /// Plays a suite of one topology, or what ships.
    private func conform(
        _ arguments: String..., in place: Place, suite: String? = "basics"
    ) throws -> Command.Outcome {
        let folder = suite.map { ["--suite", topologies + "/" + $0] } ?? []
        // A part of what ships puts only some musts to the test.
        let gate = suite == nil ? [] : ["--gate", "violations"]
        return try Command(
            ["conform", "--seeds", "1", "--no-search"] + gate + folder + arguments, in: place
        ).outcome()
    }

    @Test func healthyDevicesConform() throws {
        let outcome = try conform(
            "--hosting", "inline", "--profile", "qorvo", "--no-sweep", in: Place())
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains("R4-3.4.1-1    must    accessory     pass "))
        #expect(outcome.output.contains("R4-4.3.3-2    should  accessory     not exercised"))
        let last = try #require(outcome.output.split(separator: "\n").last)
        #expect(last.hasPrefix("CONFORMS: ") && last.contains(" 0 broken, "))
    }

    @Test(.long) func whatTheSweepPlayedIsSaid() throws {
        let outcome = try conform(
            "--hosting", "inline", "--profile", "qorvo", in: Place(),
            suite: "basics/one-to-one.yaml")
        #expect(outcome.output.hasSuffix(" of them of the sweep).\n"), "\(outcome.errors)")
        #expect(outcome.output.contains("partition-one-way, "))
    }

    @Test func aDefectOfAProgramsOwnIsSwitchedOn() throws {
        let place = try Place()
        try place.write(
            """
            #!/usr/bin/env python3
            import sys
            sys.dont_write_bytecode = True
            sys.path.insert(0, "\(root)/Sources/Devices/Foreign/Python")
            from anechoic.accessory import Accessory
            from anechoic.link import serve

            class Mine(Accessory):
                def __init__(self, reader):
                    super().__init__(reader)
                    self.is_stale = self.defects == ["stale"]
                    if self.is_stale:
                        self.defects = []

                def new_session(self):
                    if not self.is_stale or not self.sessions:
                        super().new_session()

            serve("mine", Mine)
            """, to: "mine")
        try place.makeExecutable("mine")
        func conform(_ words: String...) throws -> Command.Outcome {
            try Command(
                [
                    "conform", "--accessory", "mine", "--suite", topologies + "/dropout", "--seeds",
                    "1", "--no-search", "--no-sweep", "--no-diagnosis", "--gate", "violations",
                ] + words, in: place
            ).outcome()
        }
        let healthy = try conform()
        #expect(healthy.status == 0, "\(healthy.output)\(healthy.errors)")
        let sick = try conform("--defect", "lock=stale")
        #expect(sick.status == 1, "\(sick.output)\(sick.errors)")
        #expect(sick.output.contains("fresh-configuration was broken"), "\(sick.output)")
        let nobody = try conform("--defect", "nobody=stale")
        #expect(nobody.status == 64)
        #expect(nobody.errors.contains("no topology has a device nobody that is a program"))
        let hint = try conform("--defect", "stale")
        #expect(hint.errors.contains("one of your program's is DEVICE=stale"), "\(hint.errors)")
    }

    /// An accessory that takes so many seconds for a turn of each run.
    private func slow(_ seconds: Double) throws -> Place {
        let place = try Place()
        try place.write(
            """
            #!/usr/bin/env python3
            import sys, time
            sys.dont_write_bytecode = True
            sys.path.insert(0, "\(root)/Sources/Devices/Foreign/Python")
            from anechoic.accessory import Accessory
            from anechoic.link import serve

            class Slow(Accessory):
                def new_session(self):
                    time.sleep(\(seconds))
                    super().new_session()

            serve("slow", Slow)
            """, to: "slow")
        try place.makeExecutable("slow")
        return place
    }

    @Test func whatHasATimeEndsInItAndSaysWhatWasNotPlayed() throws {
        let place = try slow(0.2)
        let (clock, options) = (ContinuousClock(), ["--accessory", "slow", "--for", "4s"])
        let begin = clock.now
        let outcome = try Command(
            ["conform", "--junit", "it.xml"] + options, in: place
        ).outcome()
        #expect(clock.now - begin < .seconds(14))
        #expect(outcome.status == 2, "\(outcome.output)\(outcome.errors)")
        let last = String(try #require(outcome.output.split(separator: "\n").last))
        let words =
            /^INCOMPLETE \(the time was over after (\d+) of at least (\d+) runs, (\d+) were not played/
        let numbers = try #require(last.firstMatch(of: words), "\(last)").output
        let (done, all, left) = (Int(numbers.1) ?? 0, Int(numbers.2) ?? 0, Int(numbers.3) ?? 0)
        // A machine with much else to do may come to no run at all.
        #expect(done + left == all && left > 1_000, "\(last)")
        #expect(place.read("it.xml").contains("INCOMPLETE (the time was over"))
    }

    @Test func aRunThatIsUnderWayWhenTheTimeIsOverIsEnded() throws {
        let place = try slow(300)
        let (clock, options) = (ContinuousClock(), ["--accessory", "slow", "--for", "2s"])
        let begin = clock.now
        let outcome = try Command(
            ["conform", "--json", "--watchdog", "10min"] + options, in: place
        ).outcome()
        #expect(clock.now - begin < .seconds(12))
        #expect(outcome.status == 2, "\(outcome.errors)")
        #expect(outcome.output.contains("\"verdict\" : \"incomplete\""), "\(outcome.output)")
        #expect(outcome.output.contains("\"unplayed\" : "))
    }

    @Test(.long) func thePartsOfASearchGiveTheVerdictOfTheWhole() throws {
        let place = try Place()
        let suite = topologies + (isWhole ? "/dropout" : "/dropout/mid-handshake.yaml")
        let options = [
            "conform", "--suite", suite, "--gate", "violations", "--hosting", "inline",
            "--profile", "qorvo", "--seeds", "1", "--no-sweep", "--no-diagnosis", "--defect",
            "ignores-initialize-while-ranging",
        ]
        func verdict(_ more: [String]) throws -> (status: Int32, last: String) {
            let outcome = try Command(options + more, in: place).outcome()
            return (
                outcome.status,
                outcome.output.split(separator: "\n").last.map(String.init) ?? outcome.errors
            )
        }
        let whole = try verdict(["--out", "whole"])
        for part in 1...3 {
            let one = try verdict(["--shard", "\(part)/3", "--out", "part\(part)"])
            #expect(one.last.contains("only part \(part)/3 of the search was played"), "\(one)")
        }
        let parts = ["--searched", "part2", "--searched", "part3"]
        let missing = try verdict(parts + ["--out", "some"])
        #expect(missing.last.contains(" runs of the search are there"), "\(missing)")
        let joined = try verdict(parts + ["--searched", "part1", "--out", "joined"])
        #expect(joined == whole)
        #expect(whole.status == 1 && whole.last.contains(" searched)"), "\(whole)")
    }

    @Test func aFolderThatIsCalledSweepIsNone() throws {
        let place = try Place()
        for folder in ["mine", "mine/sweep"] {
            try FileManager.default.createDirectory(
                atPath: "\(place.path)/\(folder)", withIntermediateDirectories: true)
        }
        try FileManager.default.copyItem(
            atPath: topologies + "/basics/one-to-one.yaml",
            toPath: "\(place.path)/mine/sweep/one.yaml")
        let outcome = try Command(
            [
                "conform", "--suite", "mine", "--gate", "violations", "--seeds", "2", "--no-sweep",
                "--no-search", "--hosting", "inline",
                "--profile", "qorvo", "--junit", "out.xml",
            ], in: place
        ).outcome()
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.hasSuffix(" in 3 runs.\n"), "\(outcome.output)")
        #expect(place.read("out.xml").contains("<testsuite name=\"sweep/one\""))
    }

    @Test(.long) func everySingleFaultIsSurvivedAtEveryMomentOfTheHandshake() throws {
        let outcome = try conform(
            "--hosting", "inline", "--profile", "multi", "--only", "alive-again", in: Place())
        #expect(outcome.status == 0, "\(outcome.output)")
        let words = try #require(outcome.output.split(separator: "\n").last).split(separator: " ")
        let count = try #require(words.firstIndex(of: "of").map { words[$0 - 1].dropFirst() })
        // Each kind strikes at each of many moments.
        let kinds = VerbForm.all.flatMap(\.sweep).count
        #expect(try #require(Int(count)) > 10 * kinds)
    }

    @Test(.long) func aBlackBoxIsJudgedByWhatItDoesOnTheAir() throws {
        let place = try Place()
        let outcome = try conform(
            "--accessory", Self.strangers + "/accessory.py", "--no-sweep", "--junit", "out.xml",
            in: place, suite: "dropout")
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        for clause in ["R4-2.3-1 ", "R4-3.4.2-1 ", "R4-3.5.1-4 ", "R4-3.6.1-4 ", "R4-3.4.3-1 "] {
            let row = outcome.output.split(separator: "\n").first { $0.hasPrefix(clause) }
            #expect(row?.contains(" pass ") == true, "\(row ?? "no row")")
        }
        let xml = place.read("out.xml")
        #expect(xml.contains("<testsuite name=\"mid-handshake\""))
        #expect(xml.contains("name=\"R4-3.4.1-1\" classname=\"R4.accessory\" time=\"0\"/>"))
    }

    @Test(.long) func aForeignAccessoryConformsWithWhatItDeclares() throws {
        let arguments = [
            "--accessory", Self.strangers + "/accessory.py", "--no-sweep", "--no-search", "--quiet",
        ]
        let silent = try Command(
            ["conform", "--seeds", "1"] + arguments, in: Place()
        ).outcome()
        #expect(silent.status == 2, "\(silent.output)\(silent.errors)")
        #expect(silent.output.contains("UNDECIDED (1 must never exercised: R4-4.3.2-6)"))
        #expect(silent.output.contains("R4-4.3.2-6 is about, say so with --pics FILE (anechoic"))
        let declared = try Command(
            ["conform", "--seeds", "1", "--pics", Self.strangers + "/accessory.pics.yaml"]
                + arguments,
            in: Place()
        ).outcome()
        #expect(declared.status == 0, "\(declared.output)\(declared.errors)")
    }

    @Test(arguments: isWhole ? ["exit", "hang", "unknown-frame"] : ["hang"])
    func aDeviceThatFailsIsReportedAndTheRestIsPlayed(vice: String) throws {
        let place = try Place()
        try place.write(
            "#!/bin/sh\nexec python3 \(Self.strangers)/rogue.py \(vice)\n", to: "rogue.sh")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: place.path + "/rogue.sh")
        let outcome = try conform(
            "--accessory", "rogue.sh", "--no-sweep", "--watchdog", "500ms", in: place,
            suite: "dropout")
        #expect(outcome.status == 3, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains("R4: "))
        #expect(outcome.output.split(separator: "\n").last?.hasPrefix("FAILED (") == true)
    }

    @Test func wrongUseIsSaidBeforeAnythingIsPlayed() throws {
        let place = try Place()
        let mistakes = [
            ["--only", "R4-9"], ["--accessory", "nothing"], ["--pics", "nothing"],
            ["--seeds", "0"],
        ]
        for mistake in mistakes {
            let outcome = try Command(["conform"] + mistake, in: place).outcome()
            #expect(outcome.status == 64, "\(mistake) \(outcome.errors)")
        }
    }

    /// What the gate says of an app that does not know accessories.
    private func gate(
        _ app: String, _ arguments: String..., topologies: String = "peers"
    ) throws -> Command.Outcome {
        try Command(
            [
                "conform", "--app", "\(Command.executables)/\(app)", "-k", topologies,
                "--seeds", "1", "--no-sweep", "--no-search", "--no-diagnosis",
            ] + arguments, in: Place()
        ).outcome()
    }

    @Test(.long) func anAppThatRangesWithPhonesAloneIsJudgedByThat() throws {
        let healthy = try gate("peers-app")
        #expect(healthy.status == 0, "\(healthy.output)\(healthy.errors)")
        #expect(healthy.output.contains("no clause of R4 is demanded of it"))
        let careless = try gate("peers-app", "--app-argument", "keeps-tokens")
        #expect(careless.status == 1, "\(careless.output)\(careless.errors)")
        #expect(careless.output.contains("token-used-once-fresh was broken"))
    }

    @Test func anAppThatRangesWithNobodyIsNotBelieved() throws {
        let outcome = try gate("phones-app", topologies: "two-phones")
        #expect(outcome.status == 2, "\(outcome.output)\(outcome.errors)")
        for deed in [
            "get from configuration data to a radio that is on",
            "range with each other's tokens, and look for nobody by Bluetooth,",
        ] {
            #expect(outcome.output.contains("they did not \(deed) within 20 s"))
        }
    }

    @Test(.long) func theSearchFindsAnOrderAndLeavesItSmallerAndExplained() throws {
        let place = try Place()
        let arguments = [
            "conform", "--suite", topologies + "/dropout", "--gate", "violations", "--seeds", "1",
            "--no-sweep", "--hosting", "inline", "--profile", "qorvo",
        ]
        let healthy = try Command(arguments + ["--quiet"], in: place).outcome()
        #expect(healthy.status == 0, "\(healthy.output)\(healthy.errors)")
        #expect(healthy.output.contains(" (1056 searched)."), "\(healthy.output)")
        let sick = try Command(arguments + ["--defect", "unbounded-retries"], in: place).outcome()
        #expect(sick.status == 1, "\(sick.output)\(sick.errors)")
        #expect(sick.output.contains("search (budget quick): 1056 runs of 3 topologies"))
        #expect(sick.output.contains("  smaller: "), "\(sick.output)")
        #expect(sick.output.contains("  why: "), "\(sick.output)")
    }

    /// The kill matrix: each promise is proven able to fail, and each defect to be found.
    @Test(.long) func everyDefectIsKilledAndEveryPromiseKillsOne() throws {
        let outcome = try Command.run("defects", "--hosting", "inline", in: Place())
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        #expect(
            outcome.output.contains(
                " defects are killed, and without its defect no topology breaks a promise."))
        #expect(outcome.output.contains(" promises that were exercised kills one."))
        #expect(
            outcome.output.contains(
                "Each of the 90 testable clauses of R4 has a killer, for each of its promises."))
    }

    @Test func theClausesAreATableForOtherPrograms() throws {
        let arguments = ["defects", "--hosting", "inline", "-k", "leaks-multiple-descriptions"]
        let outcome = try Command(arguments + ["--markdown"], in: Place()).outcome()
        let row = outcome.output.split(separator: "\n").first { $0.hasPrefix("| R4-4.3-20 |") }
        #expect(
            row?.hasSuffix("| `multiple-descriptions-encrypted` | leaks-multiple-descriptions |")
                == true)
        #expect(
            try Command(arguments + ["--markdown", "--json"], in: Place()).outcome().status == 64)
    }
}
