internal import Monitors
internal import Promises
internal import Reports

// What a program reads.
extension ConformanceReport {
    /// The verdict, and what it rests on.
    package struct Answer: Encodable {
        /// A clause of R4.
        struct ClauseAnswer: Encodable {
            let clause: String
            let level: String
            let keeper: String
            /// A clause that is no *must* is not kept where others fail.
            let result: String
            let promise: String?
            let statement: String
        }

        struct PromiseAnswer: Encodable {
            let promise: String
            let level: String
            let keeper: String
            let result: String
            let exercised: Int
            let clause: String
            /// The first run that broke it, or left it open.
            let first: RunReport?
        }

        /// A topology that was not played.
        struct Skipped: Encodable {
            let name: String
            let reason: String
        }

        /// The verdict in a word.
        let verdict: String
        /// The last line of the text.
        let conclusion: String
        /// Why it is no plain yes.
        let reasons: [String]
        /// The promises that were not kept, and are only recommended.
        let warnings: [String]
        let runs: Int
        let clauses: [ClauseAnswer]
        let promises: [PromiseAnswer]
        let notPlayed: [Skipped]
    }

    /// The same as the text says.
    package var answer: Answer {
        Answer(
            verdict: status.word, conclusion: conclusion, reasons: reasons.map(\.words),
            warnings: warnings.map(\.id),
            runs: outcome.reports.count,
            clauses: matrix.rows.map { row in
                Answer.ClauseAnswer(
                    clause: row.clause.id, level: row.clause.level.rawValue,
                    keeper: row.clause.keeper.rawValue, result: row.word,
                    promise: row.clause.promise, statement: row.clause.statement)
            },
            promises: promises.map { promise in
                Answer.PromiseAnswer(
                    promise: promise.id, level: level(of: promise).rawValue,
                    keeper: promise.keeper, result: promise.verdict.rawValue,
                    exercised: promise.exercised, clause: promise.clause,
                    first: promise.failing.first)
            },
            notPlayed: outcome.skipped.map { Answer.Skipped(name: $0.name, reason: $0.reason) })
    }
}
