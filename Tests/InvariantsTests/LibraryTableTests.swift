import Foundation
import Invariants
import PromiseLibrary
import Promises
import Testing

/// All promises together, and the table of them for people.
struct LibraryTableTests {
    private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Sources/PromiseLibrary/CATALOGUE.md")

    private let promises = PromiseCatalogue.descriptions

    @Test func theTableSaysWhatTheCatalogueSays() throws {
        if ProcessInfo.processInfo.environment["ANECHOIC_WRITE_CATALOGUE"] == "1" {
            try Data(CatalogueText.text.utf8).write(to: Self.file)
        }
        let written = try String(contentsOf: Self.file, encoding: .utf8)
        #expect(
            written == CatalogueText.text,
            "write it anew: ANECHOIC_WRITE_CATALOGUE=1 swift test --filter LibraryTableTests")
    }

    @Test func noPromiseStandsTwice() {
        let ids = promises.map(\.id)
        let again = ids.indices.filter { ids[..<$0].contains(ids[$0]) }.map { ids[$0] }
        #expect(again == [])
    }

    @Test func everyPromiseSaysWhatItIs() {
        #expect(promises.filter { $0.clause.isEmpty }.map(\.id) == [])
        #expect(promises.filter { $0.keeper == nil }.map(\.id) == [])
        #expect(promises.filter { !$0.sentence.hasSuffix(".") }.map(\.id) == [])
    }

    @Test func everyPromiseOfAClauseExists() {
        let ids = Set(promises.map(\.id))
        let unknown = ClauseTable.r4.filter { clause in
            clause.promise.map { !ids.contains($0) } ?? false
        }
        #expect(unknown.map { "\($0.id): \($0.promise ?? "")" } == [])
    }
}

/// The table of promises, made from the catalogue that judges every run.
///
/// `ANECHOIC_WRITE_CATALOGUE=1 swift test --filter LibraryTableTests` writes it into the tree.
private enum CatalogueText {
    static var text: String { ([heading] + files + [written, goals]).joined(separator: "\n") }

    private static let heading = """
        # The promises

        All that every run is judged by; `anechoic promises` prints the same.
        [PROMISES.md](../Promises/PROMISES.md) says what the library's language means,
        [clauses.csv](../Promises/clauses.csv) which promise tells of which clause of R4.
        Made by `ANECHOIC_WRITE_CATALOGUE=1 swift test --filter LibraryTableTests`.

        """

    /// A table for each file of the library.
    private static var files: [String] {
        PropertyLibrary.files.map { file in
            section(
                "[\(file.name)](Library/\(file.name).yaml)",
                file.set.properties.map(PromiseDescription.init))
        }
    }

    /// The promises that are no data.
    private static var written: String {
        let library = Set(PropertyLibrary.standard.properties.map(\.id))
        return section(
            "Written by hand, in Sources/Invariants",
            PromiseCatalogue.descriptions.filter { !library.contains($0.id) })
    }

    private static var goals: String {
        let rows = PropertyLibrary.standard.goals.map { [$0.id, $0.sentence] }
        return "## Goals\n\n" + table(["goal", "the story"], rows)
    }

    private static func section(_ title: String, _ promises: [PromiseDescription]) -> String {
        let header = ["promise", "clause", "level", "keeper", "what is promised"]
        let rows = promises.map {
            [$0.id, $0.clause, $0.level.rawValue, $0.keeper?.rawValue ?? "", $0.sentence]
        }
        return "## \(title)\n\n" + table(header, rows) + "\n"
    }

    private static func table(_ header: [String], _ rows: [[String]]) -> String {
        ([header, header.map { _ in "---" }] + rows).map { cells in
            let safe = cells.map { $0.replacingOccurrences(of: "|", with: "\\|") }
            return "| \(safe.joined(separator: " | ")) |\n"
        }.joined()
    }
}
