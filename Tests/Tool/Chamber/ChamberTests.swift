import Anechoic
import Foundation
import TestSupport
import Testing

/// Tests that play topologies, as a user of the library writes them.
@Suite(.processes) struct ChamberTests {
    /// The programs that were built with these tests.
    private func chamber(_ defect: String? = nil) -> Chamber {
        var chamber = Chamber()
        chamber.executable = Command.executables + "/anechoic"
        chamber.defects = defect.map { [$0] } ?? []
        return chamber
    }

    @Test(arguments: 1...(isWhole ? 100 : 5) as ClosedRange<UInt64>)
    func aDroppedLinkComesBack(seed: UInt64) throws {
        let run = try chamber().run("dropout/mid-handshake", seed: seed)
        #expect(run.holds)
    }

    @Test func aFailureSaysWhatBrokeWhyAndHowToRepeatIt() throws {
        let run = try chamber("lock=reused-configuration").run("dropout/mid-handshake", seed: 7)
        defer { try? FileManager.default.removeItem(atPath: run.path) }
        #expect(run.verdict == .violated)
        #expect(run.violations.first?.promise == "fresh-configuration")
        let lines = run.description.split(separator: "\n")
        #expect(lines.first == "dropout/mid-handshake, seed 7: violated")
        #expect(lines.contains { $0.hasPrefix("  replay: anechoic replay ") })
        #expect(lines.contains { $0.hasPrefix("no race: it fails in every order ") })
        #expect(run.attachments.map(\.name).starts(with: ["trace.jsonl", "run.pcapng"]))
    }

    @Test func theEventsOfARunCanBeCounted() throws {
        let run = try chamber().run("basics/one-to-one")
        let updates = try run.events.filter { $0.kind == "ni.didUpdate" && $0.device == "ben" }
        #expect(updates.count > 10)
        #expect(updates.allSatisfy { $0.time > 0 })
    }

    @Test func whatARunThatHoldsHasWrittenGoesWithIt() throws {
        var run: Run? = try chamber().run("basics/one-to-one")
        let path = try #require(run?.path)
        #expect(FileManager.default.fileExists(atPath: path))
        run = nil
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func aTopologyCanStandInTheTest() throws {
        let run = try chamber().run(
            """
            length: 5s
            devices:
              ben: {model: iPhone 15}
              lock: {profile: qorvo}
            """, seed: 3)
        #expect(run.holds)
    }

    // MARK: Wrong use

    @Test func aMissingTopologySaysWhereItWasLookedFor() throws {
        let error = try #require(throws: ChamberError.self) { try chamber().run("no/such") }
        #expect(
            error.description.hasPrefix("there is no topology no/such; looked for:\n  no/such\n"))
        #expect(error.description.contains("/Topologies/no/such.yaml\n"))
    }

    @Test func aWrongTopologyIsTheProgramsOwnSentence() throws {
        let error = try #require(throws: ChamberError.self) {
            try chamber().run("length: 5s\ndevices:\n  ben: {modell: iPhone 15}\n")
        }
        #expect(error.description.contains("topology.yaml:3:"), "\(error)")
    }

    @Test func aMissingProgramSaysWhatToDo() throws {
        var chamber = Chamber()
        chamber.executable = nil
        let error = try #require(throws: ChamberError.self) { try chamber.run("basics/one-to-one") }
        #expect(error.description.contains("Scripts/install PREFIX"))
    }
}
