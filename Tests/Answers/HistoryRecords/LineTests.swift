import Foundation
import HistoryRecords
import Testing

/// What a soak and its history say to each other is a line of JSON.
struct LineTests {
    @Test func aLotIsOneLineAndComesBack() throws {
        var lot = LotRecord(
            number: 7, arm: "plain", strand: 0, topology: "a/b", firstSeed: .max, runs: 16)
        lot.failures = [FailureRecord(run: 3, seed: 9, fingerprint: "quiet: a → b", whole: "{\n}")]
        lot.coverage = ["states": [.max, 0]]
        let line = try HistoryLine.data(of: HistoryRequest.lot(lot))
        #expect(line.filter { $0 == 0x0A }.count == 1 && line.last == 0x0A)
        #expect(try HistoryLine.value(HistoryRequest.self, in: line.dropLast()) == .lot(lot))
    }

    @Test func theWordsAreThoseThatOtherProgramsRead() throws {
        let answers: [(HistoryAnswer, String)] = [
            (.done, #"{"done":{}}"#), (.full, #"{"full":{}}"#),
            (.merged(campaigns: 1, known: 2), #"{"merged":{"campaigns":1,"known":2}}"#),
        ]
        for (answer, text) in answers {
            #expect(try HistoryLine.data(of: answer) == Data((text + "\n").utf8))
        }
    }
}
