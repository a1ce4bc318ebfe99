import Artifacts
import Foundation

/// The page of an exploration: the ways to fail that it found, how each repeats, and what was covered.
package struct ExplorationPage: Codable {
    struct Arm: Codable {
        let strategy: String
        let runs, failing: UInt64
    }

    struct Finding: Codable {
        let fingerprint: String
        let runs: UInt64
        let confirmations: Int
        let divergence: String?
        let report: RunOfPage
    }

    let tool, strategy: String
    let faults: String?
    let runs, undecided, latestNews: UInt64
    let total: Int?
    let seconds: Double
    let coverage: [String: Int]
    let kinds: [String]
    let arms: [Arm]
    let findings: [Finding]

    /// The name of the file that explore leaves in its folder.
    package static let file = "findings.json"

    /// - Throws: `InputError` and `Replay.ReadError` where the file is none.
    static func page(of path: String) throws -> Page? {
        guard let file = PageJSON.file(file, of: path) else { return nil }
        let exploration = try InputFile.decode(Self.self, from: file, as: "a \(Self.file)")
        let ways = exploration.findings.count
        return Page(
            kind: .exploration,
            title: "Exploration: \(ways) \(ways == 1 ? "way" : "ways") to fail",
            data: try PageJSON.data(of: exploration))
    }
}
