import TestSupport
import Testing

/// Wrong files, each with all that is printed for it: the tables in `Mistakes`.
///
/// After a change of words they are recorded anew by `ANECHOIC_RECORD=1 Scripts/test --filter theTablesAreRecordedAnew`, and
/// their difference is read before it is committed.
struct WrongFileTests {
    private static let tables = Result {
        try MistakeTable.all(in: "Tests/Language/Topologies/Mistakes")
    }
    private static let mistakes = ((try? tables.get()) ?? []).flatMap(\.mistakes)

    @Test(.disabled(if: MistakeTable.isRecorded), arguments: mistakes)
    func aWrongFileIsRefusedWithTheseWords(_ wrong: Mistake) {
        #expect(mistake(in: Array(wrong.text.utf8)) == wrong.words)
    }

    @Test(.enabled(if: MistakeTable.isRecorded)) func theTablesAreRecordedAnew() throws {
        for var table in try Self.tables.get() { try table.record { mistake(in: Array($0.utf8)) } }
    }

    @Test(.disabled(if: MistakeTable.isRecorded)) func everyTableIsWrittenAsItIsRead() throws {
        for table in try Self.tables.get() { #expect(try table.text == text(of: table.path)) }
        #expect(Set(Self.mistakes.map(\.name)).count == Self.mistakes.count)
        #expect(!Self.mistakes.isEmpty)
    }
}
