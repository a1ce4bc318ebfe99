import Artifacts
import Invariants
import PromiseLibrary
import Promises

/// The table of all promises in Markdown, made from the catalogue that judges every run: CATALOGUE.md.
package enum PromiseTable {
    /// The whole of CATALOGUE.md.
    package static var markdown: String {
        ([heading] + files + [written, goals]).joined(separator: "\n")
    }

    private static let heading = """
        # The promises

        Every run is judged by these promises; `anechoic promises` lists them as well.
        [PROMISES.md](../Promises/PROMISES.md) defines the language of the library,
        [clauses.csv](../Promises/clauses.csv) says which promise decides which clause of R4.
        Made by `anechoic promises --markdown`.

        """

    /// A table for each file of the library.
    private static var files: [String] {
        PropertyLibrary.files.map { file in
            section(
                "[\(file.name)](Library/\(file.name).yaml)",
                of: file.set.properties.map(\.about))
        }
    }

    /// The promises that are no data.
    private static var written: String {
        let library = Set(PropertyLibrary.standard.properties.map(\.id))
        return section(
            "Written by hand, in Sources/Judge/Invariants",
            of: PromiseCatalogue.descriptions.filter { !library.contains($0.id) })
    }

    private static var goals: String {
        let rows = PropertyLibrary.standard.goals.map { [$0.id, $0.sentence] }
        return "## Goals\n\n" + table(header: ["goal", "the story"], rows: rows)
    }

    private static func section(_ title: String, of promises: [PromiseDescription]) -> String {
        let header = ["promise", "clause", "level", "keeper", "what is promised"]
        let rows = promises.map {
            [$0.id, $0.clause.text, $0.level.rawValue, $0.keeperWord, $0.sentence]
        }
        return "## \(title)\n\n" + table(header: header, rows: rows) + "\n"
    }

    private static func table(header: [String], rows: [[String]]) -> String {
        ([header, header.map { _ in "---" }] + rows).map { cells in
            let safe = cells.map { $0.replacing("|", with: "\\|") }
            return "| \(safe.joined(separator: " | ")) |\n"
        }.joined()
    }
}
