import Artifacts
import Foundation
import Reports
import RunSupport
import TestSupport
import Testing

/// Same input, same run: every shipped topology by every way to play it.
@Suite(.processes) struct EqualRunsTests {
    /// By process, in processes that have played other topologies before.
    private static let reference = ["--jobs", "1"]
    private static let ways = [
        ["--hosting", "inline"], ["--fresh-processes", "--jobs", "1"], ["--jobs", "2"],
        ["--transport", "unix"],
    ]
    private static let moreWays = [
        ["--transport", "socketpair"], ["--transport", "unix", "--fresh-processes"],
    ]

    @Test func everyWayToPlayATopologyGivesTheSameTrace() throws {
        try expectSameTraces(
            Self.ways + (isWhole ? Self.moreWays : []), as: Self.reference, of: playedTopologies)
    }

    @Test(.long) func everyTopologyGivesTheSameTraceInlineAsByProcess() throws {
        try expectSameTraces([["--hosting", "inline"]], as: Self.reference, of: [topologies])
    }

    /// Only this scheduler lets several devices have their turns at once.
    @Test(.long) func firstInFirstOutGivesTheSameTraceByProcessAsInline() throws {
        let fifo = ["--scheduler", "fifo"]
        try expectSameTraces(
            [fifo + ["--jobs", "1"], fifo + ["--jobs", "1", "--fresh-processes"]],
            as: fifo + ["--hosting", "inline"], of: playedTopologies)
    }

    @Test func theWallClockGivesTheSameTrace() throws {
        let place = try Place()
        try place.write(
            """
            length: 3s
            devices:
              ben: {model: iPhone 15}
              lock: {profile: qorvo, at: [2m, 0m]}
            """, to: "short.yaml")
        _ = try Command.run("run", "short.yaml", "--out", "virtual", in: place)
        let outcome = try Command.run(
            "run", "short.yaml", "--clock", "wall", "--out", "wall", "--format", "json", in: place)
        let report = try #require(try outcome.reports.first, "\(outcome.errors)")
        #expect(report.status == .held, "\(report.summary)")
        #expect((report.wall ?? 0) > 2_500_000)
        let trace = place.read("virtual/short/1/trace.jsonl")
        #expect(trace.contains("ni.didUpdate"))
        #expect(place.read("wall/short/1/trace.jsonl") == trace)
    }

    @Test func everyTopologyPassesTwiceInARow() throws {
        let place = try Place()
        let outcome = try Command(
            ["run"] + playedTopologies + ["--twice", "--no-out", "--format", "json"], in: place
        ).outcome()
        #expect(try outcome.reports.filter { $0.status != .held }.map(\.summary) == [])
        #expect(outcome.status == 0)
    }

    /// Every replay inline, and by process the first of each folder.
    @Test func everyReplayRepeatsItsRun() throws {
        let place = try Place()
        var folders: Set<Substring> = []
        for report in try play(Self.reference, of: playedTopologies, to: "out", in: place) {
            let isFirst = folders.insert(report.topology.prefix { $0 != "/" }).inserted
            for hosting in isFirst ? ["inline", "process"] : ["inline"] {
                let outcome = try Command.run(
                    "replay", "out/\(report.topology)/1/replay.json", "--hosting", hosting,
                    "--format", "json", "--out", "again", in: place)
                #expect(try outcome.reports.map(\.digest) == [report.digest], "\(report.topology)")
                #expect(outcome.status == report.status.rawValue, "\(report.topology)")
            }
        }
    }

    private func expectSameTraces(
        _ ways: [[String]], as reference: [String], of files: [String]
    ) throws {
        let place = try Place()
        let expected = try play(reference, of: files, to: "reference", in: place)
        for way in ways {
            let found = try play(way, of: files, to: "other", in: place)
            #expect(expected.count == found.count)
            for (expected, found) in zip(expected, found) {
                let trace = "\(expected.topology)/1/trace.jsonl"
                #expect(found.digest == expected.digest, "\(expected.topology) \(way)")
                #expect(
                    place.read("other/" + trace) == place.read("reference/" + trace),
                    "\(expected.topology) \(way)")
            }
        }
    }

    private func play(
        _ way: [String], of files: [String], to folder: String, in place: Place
    ) throws -> [RunReport] {
        let command = try Command(
            ["run"] + files + ["--format", "json", "--out", folder] + way, in: place)
        let outcome = try command.outcome()
        let reports = try outcome.reports
        let count = try files.map { try TopologyFile.find(in: $0).count }.reduce(0, +)
        #expect(reports.count == count, "\(outcome.errors)")
        #expect(reports.filter { $0.status != .held }.map(\.summary) == [])
        return reports
    }
}
