import Artifacts
import Foundation
import Promises
import Reports
import Testing

/// What workers answer.
struct WorkerLineTests {
    private static func promise(_ id: String, exercised: Int, says sentence: String)
        -> RunReport.PromiseReport
    {
        RunReport.PromiseReport(
            PromiseDescription(
                id, clause: PromiseCatalogue[id]?.clause ?? .nowhere, keeper: .app,
                sentence: sentence),
            verdict: exercised > 0 ? .held : .vacuous, isMeantToBreak: false,
            exercised: exercised, excused: 0, violations: [])
    }

    private static let known = PromiseCatalogue.descriptions.first {
        $0.id == "one-session-per-peer"
    }

    @Test func whatBothKnowOfAPromiseIsLeftOutAndComesBack() throws {
        let sentence = try #require(Self.known).sentence
        let untouched = Self.promise("one-session-per-peer", exercised: 0, says: sentence)
        let kept = Self.promise("one-session-per-peer", exercised: 3, says: sentence)
        let own = Self.promise(
            "one-session-per-peer", exercised: 0, says: "Another one of a topology.")
        let (short, line) = (try WorkerLine.encode(untouched), try WorkerLine.encode(own))
        #expect(
            String(decoding: short, as: UTF8.self).count
                == #"{"promise":"one-session-per-peer","verdict":"vacuous"}"#.count)
        #expect(!String(decoding: try WorkerLine.encode(kept), as: UTF8.self).contains(sentence))
        #expect(String(decoding: line, as: UTF8.self).contains("Another one of a topology."))
        for report in [untouched, kept, own] {
            let line = try WorkerLine.encode(report)
            #expect(try WorkerLine.decode(RunReport.PromiseReport.self, from: line) == report)
        }
    }

    @Test func aFileIsWhole() throws {
        let sentence = try #require(Self.known).sentence
        let untouched = Self.promise("one-session-per-peer", exercised: 0, says: sentence)
        let file = try JSONEncoder().encode(untouched)
        #expect(String(decoding: file, as: UTF8.self).contains(sentence))
        let line = try WorkerLine.encode(untouched)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(RunReport.PromiseReport.self, from: line)
        }
    }
}
