import Artifacts
import Reports
import RunSupport
import TestSupport
import Testing

/// Classic protocols and the bugs that they are famous for: what a search has to find.
@Suite(.processes) struct ClassicsTests {
    private static let folder = topologies + "/classics"
    /// The bug of each, as whom it has.
    static let bugs = [
        ("two-phase-commit", ["coordinator=commits-early"]),
        ("paxos", ["anna=small-quorum", "bert=small-quorum"]),
        ("failure-detector", ["watch=forgets-pings"]),
    ]

    private func play(
        _ name: String?, _ defects: [String], _ scheduler: String, seeds: Int, by hosting: String
    ) throws -> [RunReport] {
        try Command(
            [
                "run", Self.folder + (name.map { "/\($0).yaml" } ?? ""), "--no-out", "--format",
                "json", "--seeds",
                "1..\(seeds)", "--scheduler", scheduler, "--hosting", hosting,
            ] + defects.flatMap { ["--defect", $0] }, in: Place()
        ).outcome().reports
    }

    @Test(
        arguments: [
            "pct:3", "fifo", "random", "urw", "surw", "pos", "pct:2", "pctcp:2", "pctcp:3",
            "pctcp:5", "latency", "heavy-latency", "starvation", "delay:3",
        ].prefix(isWhole ? .max : 2))
    func withoutItsBugEachHoldsInEveryOrder(strategy: String) throws {
        let seeds = isWhole ? 20 : 4
        let runs = try play(nil, [], strategy, seeds: seeds, by: "inline")
        #expect(runs.count == Self.bugs.count * seeds)
        #expect(runs.filter { $0.status != .held }.map(\.summary) == [])
    }

    @Test(arguments: bugs.prefix(isWhole ? .max : 1))
    func aBugShowsInSomeOrderAndNotInThePlainOne(_ name: String, _ defects: [String]) throws {
        let plain = try play(name, defects, "fifo", seeds: isWhole ? 50 : 10, by: "inline")
        #expect(plain.filter { $0.status != .held }.map(\.summary) == [])
        let seeds = isWhole ? 220 : 66
        let searched = try play(name, defects, "portfolio", seeds: seeds, by: "inline")
        let found = searched.filter { $0.status != .held }
        #expect((1..<seeds / 2).contains(found.count), "\(found.count)")
        #expect(found.filter { $0.status != .violated }.map(\.summary) == [])
    }

    @Test(.long, arguments: bugs)
    func itShowsInTheSameRunsByProcess(_ name: String, _ defects: [String]) throws {
        let seeds = 66
        let inline = try play(name, defects, "portfolio", seeds: seeds, by: "inline")
        let processes = try play(name, defects, "portfolio", seeds: seeds, by: "process")
        #expect(inline.map(\.digest) == processes.map(\.digest))
        #expect(inline.map(\.status) == processes.map(\.status))
    }

    @Test func aDefectThatADeviceHasNotIsRefused() throws {
        let runs = try play("paxos", ["one=small-quorum"], "fifo", seeds: 1, by: "inline")
        let sentence = "there is no defect \"small-quorum\": this device has none"
        #expect(runs.map(\.failure) == ["refusal of one: " + sentence])
    }
}
