import Artifacts
import Foundation
import Monitors
import Reports
import TestSupport
import Testing

/// `judge` and `topology-from` of captures.
@Suite(.processes) struct JudgedCaptureTests {
    private struct Document: Decodable {
        let results: [RunReport]
    }

    /// What a run and what its captures are judged to be: the promises that were put to the test.
    @Test(arguments: ["basics/one-to-one", "dropout/mid-handshake", "defects/reused-configuration"])
    func aCaptureIsJudgedAsItsRunIs(_ name: String) throws {
        let place = try Place()
        _ = try Command.run("run", "\(topologies)/\(name).yaml", in: place)
        let folder = "out/\(name)/1"
        let run = try JSONDecoder().decode(
            RunReport.self, from: Data(place.read("\(folder)/verdict.json").utf8))
        let broken = Self.verdicts(run, .violated)
        let captures = try FileManager.default.contentsOfDirectory(
            atPath: "\(place.path)/\(folder)/captures"
        ).map { "captures/\($0)" }
        for capture in captures + ["run.pcapng"] {
            let outcome = try Command.run("judge", "--json", "\(folder)/\(capture)", in: place)
            let report = try #require(
                JSONDecoder().decode(Document.self, from: Data(outcome.output.utf8)).results.first)
            let notSeen = Set(report.notSeen ?? [])
            #expect(Self.verdicts(report, .violated) == broken.subtracting(notSeen), "\(capture)")
            // Most of what is about messages was exercised, and what is not seen was not judged.
            let held = Self.verdicts(report, .held)
            #expect(held.isSubset(of: Self.verdicts(run, .held)), "\(capture)")
            #expect(held.count > 15, "\(capture)")
            #expect(notSeen.contains("session-automaton"))
            #expect(notSeen.count + report.promises.count == run.promises.count)
        }
    }

    @Test func aCaptureInWhichNothingWasPutToTheTestProvesNothing() throws {
        let place = try Place()
        _ = try Command.run("run", "\(topologies)/basics/one-to-one.yaml", in: place)
        let judge = ["judge", "out/basics/one-to-one/1/captures/ben.btsnoop"]
        let whole = try Command(judge + ["--json"], in: place).outcome()
        let report = try #require(
            JSONDecoder().decode(Document.self, from: Data(whole.output.utf8)).results.first)
        let vacuous = try #require(report.promises.first { $0.verdict == .vacuous })
        let outcome = try Command(judge + ["--only", vacuous.promise], in: place).outcome()
        #expect(outcome.status == 2)
        #expect(
            outcome.output.contains(
                "nothing was put to the test: none of 1 promise had an occasion"))
    }

    private static func verdicts(
        _ report: RunReport, _ verdict: Outcome
    ) -> Set<String> {
        Set(report.promises.filter { $0.verdict == verdict }.map(\.promise))
    }

    @Test func whatHCIDoesNotShowIsToldAsNotSeen() throws {
        let place = try Place()
        _ = try Command.run("run", topologies + "/basics/one-to-one.yaml", in: place)
        let outcome = try Command.run(
            "judge", "out/basics/one-to-one/1/captures/ben.btsnoop", in: place)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("session-automaton ") && $0.contains(" not seen") })
        #expect(lines.contains { $0.hasPrefix("subscribed-first ") && $0.contains(" held ") })
        #expect(
            outcome.errors.contains(
                "the capture has nothing of the host of accessory: all of it is inferred"))
    }

    @Test func aSpoiltCaptureIsOneErrorThatSaysWhere() throws {
        let place = try Place()
        _ = try Command.run("run", topologies + "/basics/one-to-one.yaml", in: place)
        let file = "out/basics/one-to-one/1/captures/ben.btsnoop"
        let bytes = try Data(contentsOf: URL(filePath: "\(place.path)/\(file)"))
        try bytes.dropLast(3).write(to: URL(filePath: place.path + "/cut.btsnoop"))
        let outcome = try Command.run("judge", "cut.btsnoop", in: place)
        #expect(outcome.status == 65)
        #expect(outcome.output.isEmpty)
        #expect(
            outcome.errors.hasPrefix(
                "cut.btsnoop: error: this is no btsnoop capture of HCI: expected the packet ("),
            "\(outcome.errors)")
        #expect(outcome.errors.split(separator: "\n").count == 1)
        try bytes.prefix(16).write(to: URL(filePath: place.path + "/empty.btsnoop"))
        #expect(
            try Command.run("judge", "empty.btsnoop", in: place).errors.contains(
                "there is no LE connection in this capture, so nothing was judged"))
    }

    @Test(arguments: ["run.pcapng", "captures/ben.btsnoop", "captures/lock.btsnoop"])
    func aDraftIsRightAndPlaysTheMessages(_ capture: String) throws {
        let place = try Place()
        _ = try Command.run(
            "run", topologies + "/dropout/mid-handshake.yaml", "--scheduler", "fifo", in: place)
        let drafted = try Command.run(
            "topology-from", "out/dropout/mid-handshake/1/\(capture)", "--output", "draft.yaml",
            in: place)
        #expect(drafted.status == 0, "\(drafted.errors)")
        let text = place.read("draft.yaml")
        #expect(text.contains("connection-interval: 30ms"), "\(text)")
        #expect(text.contains("profile: qorvo, at: [2m, 0m], mtu: 100"), "\(text)")
        #expect(text.contains("mtu: 185"), "\(text)")
        #expect(text.contains("disconnect: ["), "\(text)")
        #expect(text.contains("# The capture does not show where devices are"), "\(text)")
        let checked = try Command.run("check", "draft.yaml", in: place)
        #expect(checked.status == 0, "\(text)\(checked.errors)")
        let played = try Command.run("run", "draft.yaml", "--scheduler", "fifo", in: place)
        #expect(played.status == 0, "\(text)\(played.output)")
    }
}
