import ArgumentParser
import Campaigns
import Diagnosis
import Foundation
import Notation
import Reports

struct CompareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Compare two versions of a firmware or app, played with the same seeds.",
        discussion: """
            Takes two output trees, as run --out leaves them, of the same topologies and seeds, and says \
            which ways to fail are new, gone, or come more or less often. Behind each count stands the \
            share of runs that may fail so: the interval of Wilson, 95 %. More or less often is said only \
            where the two intervals do not meet. Exit status: 0 nothing is new or comes more often, 1 \
            something is, 64 the trees have no run in common, 65 a wrong file.
            """)

    @Argument(help: "The output tree of the version before.", completion: .directory)
    var before: String

    @Argument(help: "The output tree of the version after.", completion: .directory)
    var after: String

    @OptionGroup var json: JSONOption

    func run() throws {
        guard json.isOn else {
            let comparison = try compare()
            try show(text(of: comparison))
            return try finish(comparison.isWorse ? .violated : .held)
        }
        try json.answer(as: "compare") { document in
            let comparison = try compare()
            for row in comparison.rows { try document.add(row) }
            return comparison.isWorse ? .violated : .held
        }
    }

    private func compare() throws -> TreeComparison {
        let comparison = try TreeComparison(before, after)
        guard comparison.runs > 0 else {
            throw WrongUse(
                description:
                    "\(before) and \(after) have no run in common: expected trees of the same "
                    + "topologies and seeds")
        }
        return comparison
    }

    private func text(of comparison: TreeComparison) -> String {
        let unpaired =
            comparison.unpaired == 0
            ? "" : "; \(comparison.unpaired.counted("run")) of one tree alone left out"
        let head = "\(comparison.runs.counted("run")) in both\(unpaired)\n"
        guard !comparison.rows.isEmpty else { return head + "no failure in either\n" }
        let table = TextTable(
            header: ["change", "before", "after", "way to fail", "for example"],
            rows: comparison.rows.map {
                [$0.change.rawValue, $0.before.text, $0.after.text, $0.fingerprint, $0.example]
            })
        return head + table.text + "\n"
    }
}
