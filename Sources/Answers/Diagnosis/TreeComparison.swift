import Artifacts
import Foundation
import Reports

/// Two output trees of the same topologies and seeds, played with two versions of a firmware or an app: which
/// failures are new, gone, or come more or less often.
///
/// Compared are the runs that both trees have, by name and seed. A way to fail is a fingerprint; how likely it is
/// in each version is its share of those runs, with the interval of Wilson for 95 % (``Likelihood``). It is said to
/// come more or less often only where the two intervals have nothing in common, which is stricter than a test at
/// 5 %; otherwise so many runs do not tell.
package struct TreeComparison {
    /// What became of a way to fail.
    package enum Change: String, Codable, CaseIterable, Sendable {
        case new, gone
        case moreOften = "more often"
        case lessOften = "less often"
        case alike
    }

    /// A way to fail in both versions.
    package struct Row: Encodable, Equatable, Sendable {
        package let fingerprint: String
        package let change: Change
        /// In how many of the runs it came, and in what share of all it may come.
        package let before: Count
        package let after: Count
        /// The first run that failed so, where it is new or went on: its folder.
        package let example: String
    }

    package struct Count: Encodable, Equatable, Sendable {
        package let runs: Int
        /// The interval of Wilson for 95 %, in parts of 1.
        package let low: Double
        package let high: Double

        /// `3 (0.5–8.5 %)`.
        package var text: String {
            func percent(_ share: Double) -> String { String(format: "%.1f", share * 100) }
            return "\(runs) (\(percent(low))–\(percent(high)) %)"
        }
    }

    /// How many runs both trees have.
    package private(set) var runs = 0
    /// How many runs only one of them has.
    package private(set) var unpaired = 0
    package private(set) var rows: [Row] = []

    /// Reads two trees; of `runs` alone (`NAME/SEED`), where they are said.
    ///
    /// - Throws: `InputError` and `Replay.ReadError` for a verdict that is none.
    package init(_ before: String, _ after: String, of runs: Set<String>? = nil) throws {
        let trees = try [before, after].map { tree in
            let all = try OutputTree.runs(in: tree)
            return (tree, runs.map { all.filter($0.contains) } ?? all)
        }
        let others = Set(trees[1].1)
        let common = trees[0].1.filter(others.contains)
        self.runs = common.count
        unpaired = trees[0].1.count + trees[1].1.count - 2 * common.count
        var failures: [[String: (count: Int, example: String)]] = [[:], [:]]
        for (place, tree) in trees.enumerated() {
            for run in common {
                let report = try InputFile.decode(
                    RunReport.self, from: "\(tree.0)/\(run)/verdict.json", as: "a verdict.json")
                guard let fingerprint = report.fingerprint else { continue }
                let known = failures[place][fingerprint]
                failures[place][fingerprint] = (
                    (known?.count ?? 0) + 1, known?.example ?? "\(tree.0)/\(run)"
                )
            }
        }
        let all = Set(failures.flatMap(\.keys)).sorted()
        rows = all.map { row($0, failures[0][$0], failures[1][$0]) }
            .sorted { Self.rank($0) < Self.rank($1) }
    }

    private func row(
        _ fingerprint: String, _ before: (count: Int, example: String)?,
        _ after: (count: Int, example: String)?
    ) -> Row {
        let (one, other) = (count(before?.count ?? 0), count(after?.count ?? 0))
        let change: Change =
            if before == nil { .new } else if after == nil { .gone } else if one.high < other.low {
                .moreOften
            } else if other.high < one.low { .lessOften } else { .alike }
        return Row(
            fingerprint: fingerprint, change: change, before: one, after: other,
            example: after?.example ?? before?.example ?? "")
    }

    private func count(_ failed: Int) -> Count {
        let bounds = Likelihood(hits: failed, runs: runs).bounds
        return Count(runs: failed, low: bounds.low, high: bounds.high)
    }

    private static func rank(_ row: Row) -> (Int, Int, String) {
        (Change.allCases.firstIndex(of: row.change) ?? 0, -row.after.runs, row.fingerprint)
    }

    /// Whether the second version is worse: something is new, or comes more often.
    package var isWorse: Bool { rows.contains { [.new, .moreOften].contains($0.change) } }
}
