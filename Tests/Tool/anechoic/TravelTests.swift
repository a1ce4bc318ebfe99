import Foundation
import TestSupport
import Testing

/// Runs with a program of the command line, and what is kept and sent of them.
@Suite(.processes) struct TravelTests {
    /// A folder as somebody has it: firmware in `build` that uses a configuration twice, and a topology in `tests`.
    static func project(expect: String = "") throws -> Place {
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
                def new_session(self):
                    if not self.sessions:
                        super().new_session()

            serve("lock", Mine)
            """, to: "build/lock")
        try place.makeExecutable("build/lock")
        try place.write(
            """
            length: 20s
            devices:
              ben: {model: iPhone 15, at: [0m, 0m]}
              lock: {profile: qorvo, at: [2m, 0m]}
            steps:
              - {at: 4s, disconnect: [ben, lock]}
            \(expect)

            """, to: "tests/drop.yaml")
        return place
    }

    /// Plays a command in a project, whose lock is the program in `build`.
    private func play(
        _ words: String..., in place: Place
    ) throws -> Command.Outcome {
        try Command(words + ["--accessory", "build/lock"], in: place).outcome()
    }

    // MARK: run and explore

    @Test func aProgramOfTheCommandLinePlaysTheAccessory() throws {
        let place = try Self.project(expect: "expect: [never: msg.initialize.sent on ben]")
        try place.write("devices: {ben: {model: iPhone 15}}", to: "tests/alone.yaml")
        let outcome = try play("run", "tests", in: place)
        #expect(outcome.status == 1, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains("fresh-configuration"))
        #expect(outcome.errors.contains("omitted: 1 topology, because no device can be replaced\n"))
        #expect(
            outcome.errors.contains(
                "not judged: what is expected in 1 topology, of the devices that were replaced\n"))
        let again = try Command.run("replay", "out/drop/1/replay.json", "--trust", in: place)
        #expect(again.status == 1, "\(again.errors)")
        let last = try Command.run(
            "run", "--last-failed", "--accessory", "build/lock", in: place)
        #expect(last.status == 1, "\(last.errors)")
    }

    @Test func aProgramIsMissingWhereThereIsNothingForIt() throws {
        let place = try Self.project(expect: "expect: violated fresh-configuration")
        let outcome = try play("explore", "tests", in: place)
        #expect(outcome.status == 64)
        #expect(outcome.errors.hasPrefix("no topology is left to play: "), "\(outcome.errors)")
        #expect(
            try Command.run("run", "tests", "--app", "nowhere", in: place).errors.contains(
                "nowhere: there is no such program"))
    }

    // MARK: What is kept

    @Test func whatIsShrunkNamesItsProgramAsTheOtherTopologiesDo() throws {
        let place = try Self.project()
        let outcome = try play(
            "explore", "tests/drop.yaml", "--runs", "16", "--until-failures", "1", in: place)
        #expect(outcome.status == 1, "\(outcome.output)\(outcome.errors)")
        let found = try #require(
            outcome.output.firstMatch(of: /replay: .* (out\/\S+)\/replay.json/))
        let folder = String(found.output.1)
        let shrunk = try Command.run(
            "shrink", "\(folder)/replay.json", "--trust", "--replays", "60", in: place)
        #expect(shrunk.status == 1, "\(shrunk.output)\(shrunk.errors)")
        let topology = place.read("\(folder)/shrunk/topology.yaml")
        #expect(
            topology.contains("run: '../build/lock'") || topology.contains("run: ../build/lock"))
        #expect(!topology.contains(place.path))
        // A colleague has the same folders somewhere else.
        let other = try Self.project()
        try other.write(topology, to: "tests/kept.yaml")
        let kept = try Command.run("run", "tests/kept.yaml", in: other)
        #expect([0, 1].contains(kept.status), "\(kept.output)\(kept.errors)")
        #expect(kept.output.contains("fresh-configuration") || kept.status == 0)
    }

    @Test func howManyPlayAtOnceChangesNothingInWhatIsShrunk() throws {
        let place = try Self.project()
        _ = try play("run", "tests/drop.yaml", in: place)
        let reductions = try ["1", "3"].map { jobs in
            let outcome = try Command.run(
                "shrink", "out/drop/1/replay.json", "--trust", "--replays", "20", "--jobs", jobs,
                "--out", jobs, in: place)
            #expect(outcome.status == 1, "\(outcome.output)\(outcome.errors)")
            return place.read("\(jobs)/reduction.json")
                .replacing(/"seconds" : .*/, with: "")
        }
        #expect(reductions[0] == reductions[1])
        #expect(reductions[0].contains("\"runs\" : 16"), "\(reductions[0])")
    }

    // MARK: What is sent

    /// A run that failed, packed, as somebody else finds it in a folder of his own.
    private func sent(from place: Place, by words: [String]) throws -> Place {
        let run = try Command(["run"] + words, in: place).outcome()
        try #require(run.status == 1, "\(run.output)\(run.errors)")
        _ = try Command.run("bundle", "out/drop/1", "-o", "bug.zip", in: place)
        let other = try Self.project()
        try FileManager.default.moveItem(
            atPath: place.path + "/bug.zip", toPath: other.path + "/bug.zip")
        return other
    }

    /// Unpacks one file of an archive.
    private func unpacked(_ name: String, in place: Place) throws -> String {
        let script =
            "import sys, zipfile; print(zipfile.ZipFile('bug.zip').read(sys.argv[1]).decode())"
        return try place.run(["python3", "-c", script, name]).output
    }

    @Test func aBundleIsRepeatedWhereItsProgramIsElsewhere() throws {
        let other: Place
        do {
            let place = try Self.project()
            other = try sent(
                from: place, by: ["tests/drop.yaml", "--accessory", "build/lock"])
        }
        #expect(try unpacked("topology.yaml", in: other).contains("../build/lock"))
        let versions = try unpacked("versions.txt", in: other)
        #expect(versions.contains(/lock: build\/lock, sha256 [0-9a-f]{64}\n/), "\(versions)")
        let found = try Command.run("replay", "bug.zip", "--trust", in: other)
        #expect(found.status == 1, "\(found.output)\(found.errors)")
        #expect(found.errors.contains(" is not on this machine: its programs are looked for"))
        // The same text but for its path, so the same build; the next one has another line.
        try FileManager.default.moveItem(
            atPath: other.path + "/build/lock", toPath: other.path + "/mine")
        let words = ["bug.zip", "--trust", "--program", "lock=./mine"]
        let named = try Command(["replay"] + words, in: other).outcome()
        #expect(named.status == 1, "\(named.output)\(named.errors)")
        #expect(!named.errors.contains("another build"))
        #expect(named.output.contains("--program lock=./mine --trust"))
        let ours = try Command.run("replay", "bug.zip", "--program", "lock=./mine", in: other)
        #expect(ours.status == 1, "what the user names needs no trust: \(ours.errors)")
        try other.write(other.read("mine") + "\n# newer\n", to: "mine")
        let newer = try Command(["replay"] + words, in: other).outcome()
        #expect(newer.status == 1)
        #expect(newer.errors.contains("of lock is another build than the run had (sha256 "))
        let shrunk = try Command.run(
            "shrink", "bug/replay.json", "--trust", "--replays", "40", "--program", "lock=mine",
            in: other)
        #expect(shrunk.status == 1, "\(shrunk.output)\(shrunk.errors)")
        #expect(other.read("bug/shrunk/topology.yaml").contains("../build/lock"))
    }

    @Test func aProgramIsSaidOfADeviceThatHasOne() throws {
        let place = try Self.project()
        _ = try play("run", "tests/drop.yaml", in: place)
        for (device, words) in [("lok", "did you mean lock"), ("ben", "there is lock")] {
            let outcome = try Command.run(
                "replay", "out/drop/1/replay.json", "--program", "\(device)=./mine", in: place)
            #expect(outcome.status == 64)
            #expect(outcome.errors.contains(words), "\(outcome.errors)")
        }
    }
}
