import Artifacts
import Campaigns
import Monitors
import Promises
import Reports

/// The verdict, and what it rests on.
package struct ConformanceAnswer: Encodable {
    struct ClauseAnswer: Encodable {
        let clause: String
        let level: String
        let keeper: String
        /// A clause that is no *must* is not kept where others fail.
        let result: String
        /// How often its promise was put to the test, and in how many runs.
        let exercised: Int
        let runs: Int
        let promises: [String]
        /// Those of them that its keeper has broken.
        let broken: [String]
        let statement: String
        /// Why no promise can tell; nil where one does.
        let untestable: String?
        /// The run that decided it: the first one that broke it, or else that kept it.
        let decided: RunName?
        /// What repeats that run, where it has left its files.
        let replay: String?
    }

    struct PromiseAnswer: Encodable {
        let promise: String
        let level: String
        let keeper: String
        let result: String
        let exercised: Int
        let clause: String
        /// What is promised, in a sentence.
        let sentence: String
        /// The first run that broke it, or left it open.
        let first: RunReport?
    }

    struct SearchAnswer: Encodable {
        let budget: String
        let topologies: Int
        /// How many runs the budget has, and how many were played.
        let planned: UInt64
        let runs: UInt64
        let failing: UInt64
        /// In how many ways they failed.
        let ways: Int
        /// The first run of each way to fail, and of each promise that was broken.
        let findings: [Finding]
    }

    struct Skipped: Encodable {
        let name: String
        let reason: String
    }

    /// The version of this document.
    let schema = 1
    let tool: String
    /// What was tested, and how, by the names of `properties`.
    let rests: [String: String]
    let verdict: String
    /// The last line of the text.
    let conclusion: String
    /// Why it is no plain yes.
    let reasons: [String]
    /// The promises that were not kept, and are only recommended.
    let warnings: [String]
    let runs: Int
    /// How many more were not played because the time was over; nil where it was not.
    let unplayed: Int?
    let searched: SearchAnswer?
    let clauses: [ClauseAnswer]
    let promises: [PromiseAnswer]
    /// Where the device shows something else than it claims.
    let differences: [String]
    /// What was broken, cause by cause, each made smaller and explained.
    let causes: [Cause]
    let notPlayed: [Skipped]
}

// What a program reads.
extension ConformanceReport {
    /// The same as the text says.
    package var answer: ConformanceAnswer {
        ConformanceAnswer(
            tool: version,
            rests: Dictionary(uniqueKeysWithValues: properties.map { ($0.name, $0.value) }),
            verdict: isIncomplete ? "incomplete" : status.word, conclusion: conclusion,
            reasons: reasons.map(\.words),
            warnings: warnings.map(\.id),
            runs: done, unplayed: unplayed,
            searched: outcome.searched.map {
                ConformanceAnswer.SearchAnswer(
                    budget: $0.budget.rawValue, topologies: $0.topologies,
                    planned: $0.planned, runs: $0.runs, failing: $0.failing, ways: $0.ways,
                    findings: $0.findings)
            },
            clauses: matrix.rows.map(clause),
            promises: promises.map { promise in
                ConformanceAnswer.PromiseAnswer(
                    promise: promise.id, level: level(of: promise).rawValue,
                    keeper: promise.about.keeperWord, result: promise.verdict.rawValue,
                    exercised: promise.exercised, clause: promise.about.clause.text,
                    sentence: promise.about.sentence,
                    first: promise.failing.first)
            },
            differences: applicability.differences, causes: causes,
            notPlayed: outcome.skipped.map {
                ConformanceAnswer.Skipped(name: $0.name, reason: $0.reason)
            })
    }

    private func clause(_ row: ClauseMatrix.Row) -> ConformanceAnswer.ClauseAnswer {
        let breaking = row.broken.first.flatMap { summary[$0]?.failing.first }
        let keeping = row.outcome == .pass ? row.clause.promises.first : nil
        return ConformanceAnswer.ClauseAnswer(
            clause: row.clause.id, level: row.clause.level.rawValue,
            keeper: row.clause.keeper.rawValue, result: row.word,
            exercised: row.exercised, runs: row.runs, promises: row.clause.promises,
            broken: row.broken,
            statement: row.clause.statement, untestable: row.clause.untestable,
            decided: breaking.map(RunName.init) ?? keeping.flatMap { summary[$0]?.keeping },
            replay: breaking?.replay)
    }
}
