import Foundation
import TestSupport
import Testing

@testable import Soaks

/// What a soak has written is there again, whoever was killed meanwhile.
struct HistoryTests {
    private let place: Place
    private let file: String

    init() throws {
        place = try Place()
        file = "\(place.path)/history.sqlite"
    }

    private let record = CampaignRecord(
        name: "monday", plan: "{}", tool: "anechoic 1", machine: "m", begun: 7)

    private func lot(_ number: Int) -> LotRecord {
        var lot = LotRecord(
            number: number, arm: "plain", strand: 0, topology: "a/b", firstSeed: .max, runs: 16)
        lot.simulated = 5
        lot.failures = [
            FailureRecord(run: 3, seed: .max, fingerprint: "quiet: a → b", whole: "{\n}")
        ]
        lot.occasions = "answered 4 3 1\n"
        lot.coverage = ["states": [.max, 0]]
        return lot
    }

    /// A history with lots of one campaign.
    private func written(_ lots: [Int], to file: String) throws -> History {
        let history = try History(file: file)
        try history.begin(record)
        for number in lots { try history.take(lot(number)) }
        return history
    }

    @Test func aCampaignComesBackAsItWas() throws {
        let history = try written([0, 1, 1, 3], to: file)
        try history.note("terms", "t")
        try history.take(FindingRecord(fingerprint: "f", document: "d"))
        let sample = SampleRecord(seconds: 2.5, runs: 48, covered: 2, values: ["processes": 1])
        try history.take(sample)
        // Another connection sees what is committed, and nothing else.
        let resumed = try History(file: file).resume()
        #expect(resumed.campaign == record)
        #expect(resumed.seconds == 2.5)
        #expect(resumed.frontier == 2 && resumed.beyond == [3])
        #expect(
            resumed.arms == [
                "plain": SoakProgress.Arm(runs: 48, failing: 3, undecided: 0, simulated: 15)
            ])
        #expect(
            resumed.groups == [
                CampaignGroup(
                    fingerprint: "quiet: a → b", arm: "plain", strand: 0, runs: 3, lot: 0,
                    whole: "{\n}")
            ])
        #expect(resumed.occasions == ["answered": [12, 9, 3]])
        // As the bits of signed numbers, -1 comes before 0.
        #expect(resumed.coverage == ["states": [.max, 0]])
        #expect(resumed.latestNews == 16)
        #expect(resumed.notes == ["terms": "t"])
        #expect(resumed.findings == [FindingRecord(fingerprint: "f", document: "d")])
        #expect(resumed.samples == [sample])
    }

    @Test func partsJoinOnceEach() throws {
        let parts = try [[0, 2], [1]].enumerated().map { number, lots in
            let part = "\(place.path)/part\(number)"
            _ = try written(lots, to: part)
            return part
        }
        let history = try History(file: file)
        for (part, taken) in zip(parts + [parts[0]], [(1, 0), (1, 0), (0, 1)]) {
            let merged = try history.merge(part)
            #expect(merged == taken)
        }
        let resumed = try history.resume()
        #expect(resumed.frontier == 3 && resumed.beyond == [])
        #expect(resumed.occasions == ["answered": [12, 9, 3]])
        _ = try written([2, 5], to: "\(place.path)/other")
        #expect(throws: HistoryRefusal.self) { try history.merge("\(place.path)/other") }
        #expect(try history.resume().beyond == [])
    }

    @Test func aNameIsOneCampaigns() throws {
        let history = try written([], to: file)
        #expect {
            try history.begin(record)
        } throws: {
            "\($0)".hasPrefix("there is a campaign monday already; go on with it by --resume")
        }
    }

    @Test(arguments: [
        ("PRAGMA application_id = 5", "is a database of another program"),
        ("INSERT INTO grdb_migrations VALUES ('99')", "was written by a newer anechoic"),
    ])
    func whatIsOfSomebodyElseIsRefused(change: String, reason: String) throws {
        do { try written([], to: file).using { try $0.run(change) } }
        #expect {
            _ = try History(file: file)
        } throws: {
            "\($0)".hasPrefix("\(file) \(reason)")
        }
    }

    @Test func whoeverWritesMeanwhileIsNamed() throws {
        let history = try written([], to: file)
        try History(file: file).using { other in
            try other.run("BEGIN IMMEDIATE")
            #expect {
                try history.take(lot(0))
            } throws: {
                "\($0)" == "\(file): database is locked"
            }
        }
    }
}
