import Foundation
import Reports
import TestSupport

extension Command.Outcome {
    /// What it printed, with `--format json`.
    var reports: [RunReport] {
        get throws { try JSONDecoder().decode([RunReport].self, from: Data(output.utf8)) }
    }
}

extension RunReport {
    /// For messages.
    var summary: String {
        "\(topology): \(verdict) \(failure ?? "") "
            + expectations.filter { $0.verdict != .held }.map(\.expectation).joined(
                separator: "; ")
    }
}
