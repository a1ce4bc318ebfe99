import Foundation

/// A share that was measured, and what it may be with a confidence of 95 % (Wilson 1927).
package struct Likelihood: Codable, Equatable {
    package let hits: Int
    package let runs: Int

    package init(hits: Int, runs: Int) { (self.hits, self.runs) = (hits, runs) }

    /// Whether all of the runs did.
    package var isCertain: Bool { runs > 0 && hits == runs }

    package var share: Double { runs == 0 ? 0 : Double(hits) / Double(runs) }

    /// The ends of the interval, each from 0 to 1.
    package var bounds: (low: Double, high: Double) {
        guard runs > 0 else { return (0, 1) }
        let (n, z) = (Double(runs), 1.959_964)
        let center = (share + z * z / (2 * n)) / (1 + z * z / n)
        let spread =
            z / (1 + z * z / n) * (share * (1 - share) / n + z * z / (4 * n * n)).squareRoot()
        return (max(0, center - spread), min(1, center + spread))
    }

    /// `11 % of 400 runs (95 %: 8–14 %)`.
    package var sentence: String {
        let (low, high) = bounds
        func percent(_ share: Double) -> String { String(format: "%.3g", share * 100) }
        return "\(percent(share)) % of \(runs) runs (95 %: \(percent(low))–\(percent(high)) %)"
    }
}
