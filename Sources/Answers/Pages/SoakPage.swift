import Artifacts
import Foundation

/// The page of a soak: what failed and since when, what was put to the test, and what the soak itself took.
package struct SoakPage: Codable {
    struct Group: Codable {
        let fingerprint, cause, state: String
        let rate: Rate
        let arm: String?
        let firstSeen, lastSeen: Int
        let tool: String
        let nights: [Int]
        let acknowledged: String?
        let counts: Bool
        let finding: Found?
    }

    struct Rate: Codable { let hits, of: Int }

    struct Night: Codable {
        let campaign: String
        let begun: Int
        let tool: String
        let runs: Int
    }

    struct Found: Codable {
        struct Finding: Codable {
            let confirmations: Int
            let divergence: String?
            let report: RunOfPage
        }

        struct Diagnosis: Codable { let topology, text, reason, trouble: String? }

        let finding: Finding
        let diagnosis: Diagnosis?
    }

    struct Arm: Codable {
        let arm: String
        let runs, failing: Int
        let share: Double
    }

    /// What the soak looked like from outside at a moment.
    struct Sample: Codable {
        let seconds: Double
        let runs, covered: Int
        let values: [String: Double]
    }

    let tool, campaign, machine: String
    let begun: Int
    let seconds: Double
    let runs, failing, undecided: Int
    /// Virtual time of all runs, in nanoseconds.
    let simulated: Double
    let topologies: Int
    let arms: [Arm]
    let groups: [Group]
    let nights: [Night]
    let canary: String
    let canaryRate: Rate
    let canaryPatience: Int
    /// By promise: how often it was put to the test, in how many runs, and in how many it was broken.
    let occasions: [String: [Int]]
    let neverExercised: [String]
    let coverage: [String: Int]
    let latestNews, lateNews: Int
    let growths: [String]
    let samples: [Sample]
    let isInterrupted: Bool

    /// The name of the file that soak leaves in its folder.
    package static let file = "soak.json"

    /// - Throws: `InputError` and `Replay.ReadError` where the file is none.
    static func page(of path: String) throws -> Page? {
        guard let file = PageJSON.file(file, of: path) else { return nil }
        let soak = try InputFile.decode(Self.self, from: file, as: "a \(Self.file)")
        let new = Set(soak.groups.filter { $0.state == "new" }.map(\.cause)).count
        return Page(
            kind: .soak,
            title: "Soak of \(day(soak.begun)): \(new) new \(new == 1 ? "failure" : "failures")",
            data: try PageJSON.data(of: soak))
    }

    /// By the calendar of UTC.
    private static func day(_ seconds: Int) -> String {
        Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601.year().month().day())
    }
}
