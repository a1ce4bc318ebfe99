import Foundation
import TestSupport
import Testing

/// `bundle`, and what somebody else does with it.
@Suite(.processes) struct BundleTests {
    private func failing() throws -> Place {
        let place = try Place()
        _ = try Command.run(
            "run", topologies + "/dropout/mid-handshake.yaml", "--defect",
            "lock=reused-configuration", in: place)
        return place
    }

    /// The names in an archive, and the text of one file, as Python reads it.
    private func listed(_ file: String, in place: Place) throws -> String {
        let script = """
            import sys, zipfile
            archive = zipfile.ZipFile(sys.argv[1])
            assert archive.testzip() is None
            print(*archive.namelist())
            print(archive.read("report.txt").decode())
            """
        let outcome = try place.run(["python3", "-c", script, file])
        try #require(outcome.status == 0, "\(outcome.said)")
        return outcome.output
    }

    @Test func aBundleHasTheWholeRunAndIsTheSameEachTime() throws {
        let place = try failing()
        let run = "out/dropout/mid-handshake/1"
        #expect(
            try Command.run("bundle", run, in: place).output == "dropout-mid-handshake-1.zip\n")
        _ = try Command.run("bundle", run, "-o", "again.zip", in: place)
        let files = ["dropout-mid-handshake-1.zip", "again.zip"]
        let bytes = try files.map { try Data(contentsOf: URL(filePath: "\(place.path)/\($0)")) }
        #expect(bytes[0] == bytes[1])
        let text = try listed("again.zip", in: place)
        #expect(
            text.hasPrefix(
                "replay.json trace.jsonl verdict.json topology.yaml versions.txt report.txt "
                    + "captures/ben.btsnoop captures/lock.btsnoop run.pcapng"), "\(text)")
        #expect(text.contains("promise fresh-configuration, kept by the accessory"))
        _ = try Command.run("bundle", run, "-o", "less.zip", "--without-captures", in: place)
        #expect(try !listed("less.zip", in: place).contains("run.pcapng"))
    }

    @Test func somebodyElseRepeatsTheRun() throws {
        let place = try failing()
        _ = try Command.run("bundle", "out/dropout/mid-handshake/1", "-o", "bug.zip", in: place)
        let other = try Place()
        try FileManager.default.moveItem(
            atPath: place.path + "/bug.zip", toPath: other.path + "/bug.zip")
        let outcome = try Command.run("replay", "bug.zip", in: other)
        #expect(outcome.status == 1, "\(outcome.errors)")
        #expect(outcome.output.contains("1 run: 1 violated"))
        #expect(
            other.read("bug/replay/trace.jsonl")
                == place.read("out/dropout/mid-handshake/1/trace.jsonl"))
    }

    @Test func aSpoiltBundleIsAWrongFile() throws {
        let place = try failing()
        _ = try Command.run("bundle", "out/dropout/mid-handshake/1", "-o", "bug.zip", in: place)
        let file = URL(filePath: place.path + "/bug.zip")
        let bytes = try Data(contentsOf: file)
        try bytes.prefix(400).write(to: file)
        let cut = try Command.run("replay", "bug.zip", in: place)
        #expect(cut.status == 65)
        #expect(
            cut.errors.contains("bug.zip: this is no bundle of a run: it is cut off at byte 400"),
            "\(cut.errors)")
        var spoilt = bytes
        spoilt[100] ^= 1
        try spoilt.write(to: file)
        #expect(
            try Command.run("replay", "bug.zip", in: place).errors.contains(
                "its replay.json is spoilt: the checksum is another one"))
    }

    /// An archive that Python makes, of files of so many zero bytes.
    private func archive(_ files: [String: Int], in place: Place) throws {
        let script = """
            import json, sys, zipfile
            with zipfile.ZipFile("made.zip", "w") as archive:
                for name, count in sorted(json.loads(sys.argv[1]).items()):
                    archive.writestr(name, bytes(count))
            """
        let words = String(decoding: try JSONEncoder().encode(files), as: UTF8.self)
        let outcome = try place.run(["python3", "-c", script, words])
        try #require(outcome.status == 0, "\(outcome.said)")
    }

    @Test(arguments: [
        (
            ["replay.json": 80 << 20],
            "its replay.json has 83886080 bytes; expected at most 67108864"
        ),
        (["photo.png": 80 << 20], "it has no replay.json"),
    ])
    func aHugeBundleIsReadAsAStream(files: [String: Int], said: String) throws {
        let place = try Place()
        try archive(files, in: place)
        // So much is not there for the content of a file.
        let outcome = try Command(["replay", "made.zip"], in: place, limits: "ulimit -v 200000")
            .outcome()
        #expect(outcome.status == 65, "\(outcome.errors)")
        #expect(
            outcome.errors.contains("made.zip: this is no bundle of a run: \(said)"),
            "\(outcome.errors)")
        #expect(!FileManager.default.fileExists(atPath: place.path + "/made"))
    }
}
