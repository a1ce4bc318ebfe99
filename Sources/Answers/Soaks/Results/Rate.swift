import Diagnosis
import Foundation

/// How often something happens, and between which rates that lies with 95 %.
package struct Rate: Codable, Equatable, Sendable {
    package let hits: Int
    package let of: Int

    package init(_ hits: Int, of: Int) { (self.hits, self.of) = (hits, of) }

    private var likelihood: Likelihood { Likelihood(hits: hits, runs: of) }

    /// The share that was seen; 0 where nothing was tried.
    package var share: Double { likelihood.share }

    /// What the share may be, with 95 %.
    package var interval: ClosedRange<Double> { likelihood.bounds.low...likelihood.bounds.high }

    /// `0.05 % (0.03 to 0.08 %)`.
    package var text: String {
        "\(Self.percent(share)) (\(Self.percent(interval.lowerBound)) to "
            + "\(Self.percent(interval.upperBound)))"
    }

    /// With two digits that say something.
    static func percent(_ share: Double) -> String {
        let value = share * 100
        let digits = value >= 10 || value == 0 ? 0 : value >= 1 ? 1 : value >= 0.1 ? 2 : 4
        return String(format: "%.\(digits)f %%", value)
    }

    /// The greatest chance of something that was never seen in so many runs, with 95 % (the rule of three).
    package static func unseen(in runs: Int) -> Double { runs < 3 ? 1 : min(1, 3 / Double(runs)) }
}
