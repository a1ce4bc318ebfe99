import Reports
import Testing

/// Text for people, as a terminal shows it.
struct TableTests {
    @Test func aColumnIsAsWideAsItsWidestCell() {
        let table = TextTable(
            header: ["name", "in words"], rows: [["a", "one"], ["longest", ""], ["b"]])
        #expect(table.text == "name     in words\na        one\nlongest\nb")
    }

    @Test func aCellIsOneLineThatSteersNothing() {
        let table = TextTable(header: ["said"], rows: [["one\ntwo \u{1B}[31mred\u{202E}"]])
        #expect(table.text.split(separator: "\n").count == 2)
        #expect(!table.text.unicodeScalars.contains { ["\u{1B}", "\u{202E}"].contains($0) })
    }

    @Test func onANarrowTerminalACellGoesOnBelowItself() {
        let table = TextTable(
            header: ["name", "about"],
            rows: [["one", "It drops, and a new session follows, in time."], ["two", ""]])
        #expect(
            table.text(within: 31) == """
                name  about
                one   It drops, and a new
                      session follows, in time.
                two
                """)
        #expect(table.text(within: 60) == table.text(within: nil))
    }

    @Test func theWidestColumnsGiveAndALongWordGoesOnBelowItself() {
        let table = TextTable(
            header: ["topology", "seed", "steps"],
            rows: [["dropout/mid-handshake", "1", "1/1"], ["short", "2", "1/1"]])
        #expect(
            table.text(within: 24) == """
                topology     seed  steps
                dropout/mid  1     1/1
                -handshake
                short        2     1/1
                """)
        #expect(table.rows(within: 24).count == 3)
    }

    @Test func theWorstOfTwoStatusesCountsForBoth() {
        let all = ExitStatus.allCases
        for one in all {
            #expect(one.combined(with: one) == one && one.combined(with: .held) == one)
            for other in all { #expect(one.combined(with: other) == other.combined(with: one)) }
        }
        #expect(ExitStatus.violated.combined(with: .inconclusive) == .violated)
        #expect(ExitStatus.violated.combined(with: .deviceFailed) == .deviceFailed)
    }
}
