import Artifacts
import Foundation
import Reports

/// The page of a conformance suite: what became of each clause, and which run decided it.
package struct ConformancePage: Codable {
    struct Clause: Codable {
        let clause, level, keeper, result, statement: String
        let exercised, runs: Int
        let promises, broken: [String]
        let untestable: String?
        let decided: RunName?
    }

    struct Search: Codable {
        let budget: String
        let topologies: Int
        let planned, runs, failing: UInt64
        let ways: Int
    }

    /// What broke together, and why.
    struct Cause: Codable {
        struct Breach: Codable {
            let promise, statement, level, keeper, clause, sentence: String
            let runs, of: Int
            let first: RunName?
            let replay: String?
            let clauses: [Rule]
        }

        struct Rule: Codable { let id, statement, level: String }

        let breaches: [Breach]
        let fails: Bool
        let first: RunOfPage?
        let scenario: Scenario?
        let why, trouble: String?
    }

    /// The smallest topology that fails so.
    struct Scenario: Codable { let file, change, text: String }

    struct Skipped: Codable { let name, reason: String }

    let tool, verdict, conclusion: String
    let rests: [String: String]
    let reasons, warnings, differences: [String]
    let runs: Int
    let searched: Search?
    let clauses: [Clause]
    let causes: [Cause]
    let notPlayed: [Skipped]

    /// The name of the file that conform leaves in its folder.
    package static let file = "conformance.json"

    /// - Throws: `InputError` and `Replay.ReadError` where the file is none.
    static func page(of path: String) throws -> Page? {
        guard let file = PageJSON.file(file, of: path) else { return nil }
        let suite = try InputFile.decode(Self.self, from: file, as: "a \(Self.file)")
        return Page(
            kind: .conformance, title: "Conformance: \(suite.conclusion)",
            data: try PageJSON.data(of: suite))
    }
}

/// What a page says of a run that it only mentions.
struct RunOfPage: Codable {
    struct Promise: Codable {
        let promise, sentence, clause: String
        /// Who has to keep it, in words; nil where nobody in particular has.
        let keeper: String?
        let violations: [Violation]
    }

    struct Violation: Codable {
        let device, sentence: String
        let story: [String]
    }

    struct Expectation: Codable {
        let expectation, verdict: String
        let reason: String?
    }

    let topology: String
    /// Written as text, for JavaScript's numbers end at 2^53.
    let seed: String
    let scheduler, verdict: String
    let failure, replay: String?
    /// The promise that is broken before any other; nil where none is.
    let firstBroken: String?
    /// What a device had logged until something went wrong.
    let log: RunReport.LogEnd?
    let promises: [Promise]
    let expectations: [Expectation]

    init(from decoder: any Decoder) throws {
        let run = try RunReport(from: decoder)
        (topology, seed, scheduler) = (run.topology, "\(run.seed)", run.scheduler)
        (verdict, failure, replay) = (run.verdict, run.failure, run.replay)
        (firstBroken, log) = (run.firstBroken, run.log)
        promises = run.promises.filter { !$0.violations.isEmpty }.map { promise in
            Promise(
                promise: promise.promise, sentence: promise.about.sentence,
                clause: promise.about.clause.text,
                keeper: promise.about.keeperWords(brokenBy: promise.violations.first?.device),
                violations: promise.violations.prefix(1).map {
                    Violation(device: $0.device, sentence: $0.sentence, story: $0.story)
                })
        }
        expectations = run.expectations.filter { $0.verdict != .held }.map {
            Expectation(
                expectation: $0.expectation, verdict: $0.verdict.rawValue, reason: $0.reason)
        }
    }
}
