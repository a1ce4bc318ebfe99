import Foundation

/// Failures that somebody knows of, so that they are told and fail nothing.
package struct KnownFailures: Equatable, Sendable {
    private let acknowledged: Acknowledgements
    private let baseline: Set<String>
    /// The day of the test, as `2026-12-31`.
    private let today: String

    package static let none = KnownFailures(acknowledged: .none, baseline: [], on: "")

    /// - Parameters:
    ///   - acknowledged: What a team has written down.
    ///   - baseline: The fingerprints that a history has.
    ///   - today: As `2026-12-31`.
    package init(acknowledged: Acknowledgements, baseline: Set<String>, on today: String) {
        (self.acknowledged, self.baseline, self.today) = (acknowledged, baseline, today)
    }

    /// Why a failure fails nothing, `Ticket 7 (until 2026-12-31)`; nil where nobody knows it.
    package func reason(for fingerprint: String) -> String? {
        acknowledged.entry(for: fingerprint, on: today).map { "\($0.reason) (until \($0.until))" }
            ?? (baseline.contains(fingerprint) ? "the baseline has it" : nil)
    }
}
