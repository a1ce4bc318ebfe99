import Artifacts
import Invariants
import PromiseLibrary
import Promises

/// The table of all promises in Markdown, made from the catalogue that judges every run: CATALOGUE.md.
package enum PromiseTable {
    /// The whole of CATALOGUE.md.
    package static var markdown: String {
        ([heading] + files + [written, goals] + states).joined(separator: "\n")
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

    /// State by event: a table for each keeper.
    private static var states: [String] {
        let heading = """

            ## State by event

            Where a keeper does the wrong thing in a state when an event comes, this promise breaks: a
            run with the defect shows it, and the tests play it. Where none breaks, the last column says why.
            [states.yaml](Library/states.yaml) says what the states are, and which events cannot come in one.

            """
        return [heading]
            + StateTable.all.map { states in
                "### \(states.keeper.rawValue)\n\n"
                    + table(
                        header: ["state", "event", "promise that breaks", "shown by"],
                        rows: states.cells.map(row))
            }
    }

    private static func row(of cell: StateTable.Cell) -> [String] {
        let shown =
            switch cell.entry {
            case .shown(let showing): [showing.promise, showing.words]
            case .reason(let reason): ["none", reason]
            }
        return [cell.state, cell.event.rawValue] + shown
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
