import Foundation
import TestSupport
import Testing

/// Pages of many runs, and of a failure that is explained.
@Suite(.enabled(if: Visit.isPossible), .serialized, .processes)
struct SuitePageTests {
    @Test(.long) func theClausesOfASuiteAreNarrowedDown() throws {
        let place = try Place()
        _ = try Command.run(
            "conform", "--hosting", "inline", "--seeds", "1", "--no-sweep", "--no-search",
            "--no-diagnosis", "--only", "R4-3.4", "--defect", "big-endian-version", in: place)
        let outcome = try Command.run("report", "out", in: place)
        #expect(outcome.output.hasPrefix("Conformance: DOES NOT CONFORM"), "\(outcome.errors)")
        let rows = try Visit("narrow", to: "report.html", in: place).numbers("rows")
        #expect(rows.count == 4 && rows[0] > rows[3], "\(rows)")
        try isReadable("report.html", in: place)
        #expect(place.read("report.html").contains("\"decided\":{\"seed\":1,\"topology\":"))
    }

    @Test(.long) func aGreenGateIsReadAtOnce() throws {
        let place = try Place()
        let gate = try Command.run(
            "conform", "--hosting", "inline", "--seeds", "1", "--no-sweep", "--no-search",
            "--profile",
            "multi", "--quiet", in: place)
        #expect(gate.status == 0, "\(gate.output)")
        #expect(try Command.run("report", "out", in: place).status == 0)
        let visit = try isReadable("report.html", in: place)
        #expect(visit["verdict"] == "held")
        #expect(try #require(visit.number("height")) < 3_000)
    }

    @Test func eachWayToFailOfAnExplorationStandsOnce() throws {
        let place = try Place()
        _ = try Command.run(
            "explore", topologies + "/dropout/mid-handshake.yaml", "--runs", "20", "--defect",
            "lock=reused-configuration", in: place)
        let outcome = try Command.run("report", "out", in: place)
        #expect(
            outcome.output == "Exploration: 1 way to fail\npage: report.html\n", "\(outcome.errors)"
        )
        let visit = try isReadable("report.html", in: place)
        #expect(visit["heading"] == "1 way to fail")
        #expect(visit["finding"].hasPrefix("✗ For every new session the accessory generates new"))
    }

    @Test(.long) func aSoakSaysWhatIsNewAndWhatItMeans() throws {
        let place = try Place()
        for defect in ["ben=initialize-before-subscription", "lock=reused-configuration"] {
            _ = try Command.run(
                "soak", topologies + "/basics/one-to-one.yaml", "--runs", "1280", "--defect",
                defect, "--quiet", in: place)
        }
        let outcome = try Command.run("report", "soak", in: place)
        #expect(outcome.output.hasPrefix("Soak of 2"), "\(outcome.errors)")
        #expect(outcome.output.hasSuffix(": 1 new failure\npage: report.html\n"))
        let visit = try isReadable("report.html", in: place)
        #expect(visit["heading"] == "1 new failure")
        #expect(visit["finding"].hasPrefix("✗ For every new session the accessory generates new"))
        let page = place.read("report.html")
        #expect(page.contains("\"state\":\"new\"") && page.contains("\"canary\":\"found\""))
        try isReadable("report.html", in: place, "--width=375")
    }

    @Test(.long) func aFailureStandsBesideTheNearestRunThatHolds() throws {
        let place = try Place()
        let file = try place.rangesOnBehindItsLink(from: "1620ms")
        let folder = String(file.dropLast("/replay.json".count))
        #expect(try Command.run("explain", file, in: place).status == 0)
        for path in [folder, "\(folder)/explained/passing", "\(folder)/explained"] {
            let outcome = try Command.run("report", path, in: place)
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        let visit = try Visit("beside", to: "report.html", in: place)
        #expect(visit["why"].hasPrefix("Race: connection event (ben ↔ lock) against the step"))
        #expect(visit.list("sides") == ["breaks this run", "holds the nearest run that holds"])
        #expect(visit.numbers("tops") == [120, 120])
        #expect(Set(visit.numbers("heads")).count == 1)
        #expect(visit["detail"].hasPrefix("raced"))
        #expect(visit["fold"] == "From the beginning")
        try isReadable("report.html", in: place, "--width=375")
    }

    @discardableResult
    private func isReadable(
        _ page: String, in place: Place, _ option: String = "--width=1440"
    ) throws -> Visit {
        let visit = try Visit("look", to: page, in: place, option)
        #expect(try #require(visit.number("wider than the window")) <= 0)
        #expect(visit.list("rules broken") == [])
        #expect(visit.complaints == [])
        return visit
    }
}
