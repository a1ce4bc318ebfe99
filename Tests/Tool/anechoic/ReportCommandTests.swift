import Foundation
import TestSupport
import Testing

@testable import Pages

/// `anechoic report`, up to the file that it writes.
@Suite(.enabled(if: (try? ChartLibrary()) != nil), .processes)
struct ReportCommandTests {
    private static let run = "out/dropout/mid-handshake/1"

    private func failure() throws -> Place {
        let place = try Place()
        _ = try Command.run(
            "run", topologies + "/dropout/mid-handshake.yaml", "--defect",
            "lock=reused-configuration", in: place)
        return place
    }

    @Test func theSameRunGivesTheSameBytes() throws {
        let place = try failure()
        for name in ["one.html", "two.html"] {
            let outcome = try Command.run("report", Self.run, "--out", name, in: place)
            #expect(
                outcome.output == "dropout/mid-handshake, seed 1: violated\npage: \(name)\n",
                "\(outcome.errors)")
        }
        #expect(place.read("one.html") == place.read("two.html"))
        #expect(place.read("one.html").utf8.count < 500_000)
    }

    @Test(arguments: ["", "/trace.jsonl", "/replay.json", "/verdict.json"])
    func aRunIsMeantByItsFolderAndByItsFiles(_ file: String) throws {
        let outcome = try Command.run("report", Self.run + file, in: failure())
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    @Test func aPageNeedsNothingOfTheNetworkAndEvaluatesNothing() throws {
        let place = try failure()
        _ = try Command.run("report", Self.run, in: place)
        let page = place.read("report.html")
        #expect(page.contains("default-src 'none'; script-src 'sha256-"))
        for word in [
            "unsafe-inline", "unsafe-eval", " src=", "<link", " style=", "@import", "url(",
        ] {
            #expect(!page.contains(word), "\(word)")
        }
    }

    @Test func aPathWithoutARunNamesOneBelowIt() throws {
        let outcome = try Command.run("report", "out", in: failure())
        #expect(outcome.status == 65)
        #expect(
            outcome.errors
                == "out: there is no run here; expected one below it, like \(Self.run)\n")
    }

    @Test func aSpoiltTraceIsAnErrorThatNamesItsLine() throws {
        let place = try Place()
        try place.write("{\"number\":0,\"time\":0,\"step\":0,\"kind\":\"a\"}\nno\n", to: "t.jsonl")
        let outcome = try Command.run("report", "t.jsonl", in: place)
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("t.jsonl:2:"), "\(outcome.errors)")
        #expect(place.read("report.html") == "")
    }

    @Test(arguments: ["conformance.json", "findings.json", "soak.json"])
    func aFileThatIsNoneOfOursIsRefused(_ name: String) throws {
        let place = try Place()
        try place.write("{}", to: "out/\(name)")
        let outcome = try Command.run("report", "out", in: place)
        #expect(outcome.status == 65)
        #expect(
            outcome.errors.hasPrefix("out/\(name): not a \(name): the key "), "\(outcome.errors)")
    }

    @Test func aFullDiskIsOneSentence() throws {
        let outcome = try Command.run("report", Self.run, "--out", "/dev/full", in: failure())
        #expect(outcome.status == 70)
        #expect(
            outcome.errors
                == "cannot write /dev/full: No space left on device; make room there, or choose "
                + "another place with --out\n")
    }

    @Test func aFolderIsNoPlaceForAPage() throws {
        let outcome = try Command.run("report", Self.run, "--out", "out", in: failure())
        #expect(outcome.status == 64)
        #expect(outcome.errors.hasPrefix("cannot write out: Is a directory"), "\(outcome.errors)")
    }

    @Test func forProgramsThePageIsAResult() throws {
        let outcome = try Command.run("report", Self.run, "--json", in: failure())
        #expect(outcome.output.contains("\"kind\" : \"run\""), "\(outcome.errors)")
        #expect(outcome.output.contains("\"file\" : \"report.html\""))
    }

    /// Without a desktop the file is named, and all is well.
    @Test func whereNothingOpensAPageItSaysWhereThePageIs() throws {
        let place = try failure()
        let outcome = try Command(
            ["report", Self.run, "--open"], in: place, limits: "PATH=/nowhere"
        ).outcome()
        #expect(outcome.status == 0)
        #expect(outcome.errors == "there is no xdg-open here; open report.html with a browser\n")
    }
}
