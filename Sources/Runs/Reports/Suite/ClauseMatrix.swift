import Artifacts
import Invariants
package import Promises

/// What a suite has shown of each clause of a specification.
package struct ClauseMatrix: Equatable, Sendable {
    package enum Outcome: Equatable, Sendable {
        /// Its promise was put to the test and kept.
        case pass
        /// Its promise was broken.
        case fail
        /// No run decided it, because of a doubt.
        case inconclusive(Doubt)
        /// No promise decides it.
        case notTestable
        /// It does not bind what was tested.
        case notApplicable

        /// One or two words for a table.
        package var word: String {
            switch self {
            case .pass: "pass"
            case .fail: "fail"
            case .inconclusive(let doubt): doubt.rawValue
            case .notTestable: "not testable"
            case .notApplicable: "not applicable"
            }
        }
    }

    /// Why nothing is known of a clause.
    package enum Doubt: String, Sendable {
        /// No run put its promise to the test.
        case notExercised = "not exercised"
        /// Every run that did so ended before it was decided.
        case leftOpen = "left open"
    }

    package struct Row: Equatable, Sendable {
        package let clause: Clause
        package let outcome: Outcome
        /// How often its first promise was put to the test.
        package let exercised: Int
        /// How many runs did that.
        package let runs: Int
        /// Those of its promises that its keeper has broken.
        package let broken: [String]

        /// The outcome in one or two words: only a *must* fails.
        package var word: String {
            outcome == .fail && clause.level != .must ? "not kept" : outcome.word
        }

        fileprivate var cells: [String] {
            let promise = (broken.first ?? clause.promises.first).map { "\($0): " } ?? ""
            return [
                clause.id, clause.level.rawValue, clause.keeper.rawValue, word,
                exercised > 0 ? "\(exercised)" : "", runs > 0 ? "\(runs)" : "",
                promise + clause.statement,
            ]
        }
    }

    /// The clauses, in the order of the table.
    package let rows: [Row]

    /// Looks up the promises of each clause in a summary.
    ///
    /// `outOfScope` names clauses, and promises with all their clauses, that do not bind what was
    /// tested. A clause that cannot be tested stays one that cannot.
    package init(
        _ summary: SuiteSummary, clauses: [Clause] = ClauseTable.r4, outOfScope: Set<String> = []
    ) {
        rows = clauses.map { clause in
            let promises = clause.promises.filter { !outOfScope.contains($0) }
            let bound = outOfScope.contains(clause.id) ? [] : promises.map { summary[$0] }
            return Row(
                clause: clause,
                outcome: clause.promises.isEmpty
                    ? .notTestable
                    : bound.isEmpty ? .notApplicable : Self.outcome(of: clause, bound),
                exercised: bound.first??.exercised ?? 0, runs: bound.first??.exercisingRuns ?? 0,
                broken: bound.compactMap(\.self).filter { $0.isBroken(by: clause.keeper) }.map(\.id)
            )
        }
    }

    /// What the promises of a clause say of it; nil stands for one that no run has judged.
    ///
    /// A promise that somebody else has broken was put to the test, and its keeper has kept it.
    private static func outcome(
        of clause: Clause, _ promises: [SuiteSummary.PromiseSummary?]
    ) -> Outcome {
        if promises.contains(where: { $0?.isBroken(by: clause.keeper) == true }) { return .fail }
        switch promises[0]?.verdict {
        case .held?, .violated?: return .pass
        case .inconclusive?: return .inconclusive(.leftOpen)
        case .vacuous?, nil: return .inconclusive(.notExercised)
        }
    }

    /// How many clauses have this outcome.
    package func count(of outcome: Outcome) -> Int { rows.count { $0.outcome == outcome } }

    private static let columns = 120

    /// A line for each clause, no longer than a terminal is wide, and one that sums them up.
    package var text: String { text(within: min(Self.columns, terminalWidth ?? .max)) }

    /// A line for each clause, cut behind so many columns, and one that sums them up.
    package func text(within columns: Int) -> String {
        let header = [
            "clause", "level", "keeper", "result", "exercised", "runs", "promise: statement",
        ]
        let lines = TextTable(header: header, rows: rows.map(\.cells)).text(within: nil)
            .split(separator: "\n")
        return lines.map { line in
            line.count > columns ? "\(line.prefix(columns - 1))…" : String(line)
        }.joined(separator: "\n") + "\n" + conclusion + "\n"
    }

    /// One line for a person.
    package var conclusion: String {
        let broken = rows.filter { $0.outcome == .fail }
        let (passed, failed) = (count(of: .pass), broken.count { $0.clause.level == .must })
        let unseen = count(of: .inconclusive(.notExercised))
        let open = count(of: .inconclusive(.leftOpen))
        let outside = count(of: .notApplicable)
        let testable = passed + broken.count + unseen + open
        var sentence =
            "R4: \(passed) of \(testable) testable clauses \(passed == 1 ? "passes" : "pass"), "
            + "\(failed) \(failed == 1 ? "fails" : "fail"), \(unseen) never exercised"
        if broken.count > failed {
            sentence += ", \(broken.count - failed) not kept that no must demands"
        }
        if open > 0 { sentence += ", \(open) left open" }
        sentence += "; \(count(of: .notTestable)) not testable"
        if outside > 0 { sentence += ", \(outside) not applicable" }
        return sentence + "."
    }
}
