internal import Foundation

/// How often something happens, and between which rates that lies with 95 %.
package struct Rate: Codable, Equatable, Sendable {
    package let hits: Int
    package let of: Int

    package init(_ hits: Int, of: Int) { (self.hits, self.of) = (hits, of) }

    /// The share that was seen; 0 where nothing was tried.
    package var share: Double { of == 0 ? 0 : Double(hits) / Double(of) }

    /// Wilson's score interval: near its level for shares near 0, and never outside of 0 and 1.
    package var interval: ClosedRange<Double> {
        guard of > 0 else { return 0...1 }
        let (count, z) = (Double(of), 1.959963984540054)
        let scale = 1 + z * z / count
        let centre = (share + z * z / (2 * count)) / scale
        let spread =
            z / scale * (share * (1 - share) / count + z * z / (4 * count * count)).squareRoot()
        return max(0, centre - spread)...min(1, centre + spread)
    }

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
