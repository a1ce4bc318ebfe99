import Foundation
import Orchestration

/// How long a conformance test may take, by the wall clock.
///
/// In its last part no run begins any more but those of what has failed. At its end what is under way ends as at an
/// interruption.
package struct TimeLimit {
    private let clock = ContinuousClock()
    /// When it ends; nil for never.
    private let end: ContinuousClock.Instant?
    /// The seconds at its end that are for what has failed.
    private let rest: Double

    package static let none = TimeLimit()

    private init() { (end, rest) = (nil, 0) }

    /// So many seconds from now on; a tenth of them, and at most `diagnosis`, are for what has failed.
    ///
    /// - Throws: `HarnessError` where the system gives us no timer.
    package init(seconds: Double, diagnosis: Double) throws {
        try Interruption.limit(toSeconds: seconds)
        end = clock.now + .seconds(seconds)
        rest = min(seconds / 10, diagnosis)
    }

    /// How many seconds are left until it ends; infinite where it never does.
    package var left: Double { end.map { ($0 - clock.now) / .seconds(1) } ?? .infinity }

    /// How many seconds are left for runs to begin.
    var leftToPlay: Double { left - rest }
}
