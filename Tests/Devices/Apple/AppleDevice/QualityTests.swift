import AppleFoundation
import Testing

@testable import AppleDevice

/// How good the reference app finds distances, sample by sample.
struct QualityTests {
    /// What is found after distances that come so often a second.
    private func quality(
        of distances: [Float?], every interval: Double = 0.2
    ) -> QualityEstimator.Quality {
        var estimator = QualityEstimator()
        for (number, distance) in distances.enumerated() {
            estimator.take(distance, at: Date(timeIntervalSince1970: Double(number) * interval))
        }
        return estimator.quality
    }

    /// Distances that differ, around one.
    private func near(_ distance: Float, count: Int) -> [Float?] {
        (0..<count).map { distance + Float($0 % 2) / 100 }
    }

    @Test func moreThanEightWithinTwoSecondsAreGoodOrClose() {
        #expect(quality(of: near(30, count: 8)) == .unknown)
        #expect(quality(of: near(30, count: 9)) == .good)
        #expect(quality(of: near(5, count: 9)) == .close)
        #expect(quality(of: near(60, count: 20)) == .unknown)
    }

    @Test func whatRepeatsOrIsMissedDoesNotCount() {
        #expect(quality(of: Array(repeating: 30, count: 20)) == .unknown)
        #expect(quality(of: near(30, count: 8) + Array(repeating: nil, count: 4)) == .unknown)
    }

    @Test func whatComesTooSeldomIsTooOld() {
        #expect(quality(of: near(30, count: 20), every: 0.3) == .unknown)
    }
}
