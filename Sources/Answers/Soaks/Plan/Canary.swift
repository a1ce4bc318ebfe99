import CFiles
import Foundation
import Orchestration

/// A reference device with a known rare defect: a soak that does not find it has proven nothing by its silence.
package enum Canary {
    /// The least share of its runs that fail: measured 44 of 4,000, of which this is the lower end at 99 %.
    package static let rate = 0.0075

    /// In how many runs it is found with 99.9 %.
    package static var patience: Int { Int((log(0.001) / log(1 - rate)).rounded(.up)) }

    /// Its topology.
    static func task() throws -> RunTask {
        try RunTask(
            name: "canary", file: "canary.yaml",
            text: String(cString: canary_yaml()), seed: 1,
            folder: "/"
        ).read()
    }

    package enum Outcome: String, Codable, Sendable {
        case found, undecided
        /// The search does not find what it has to find.
        case missed
    }

    /// What so many runs show of which so many failed.
    package static func outcome(failing: Int, of runs: Int) -> Outcome {
        failing > 0 ? .found : runs < patience ? .undecided : .missed
    }
}
