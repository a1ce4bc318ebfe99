import AppleFoundation

/// Says how good distances are, as Apple's *Extending advanced direction finding and ranging* does it.
struct QualityEstimator {
    /// How long a distance counts, in seconds.
    private static let window = 2.0
    /// How many distances have to differ, each from the one before.
    private static let samples = 8
    /// The longest distance that is good, in metres.
    private static let farthest: Float = 50
    /// The longest distance that is close, in metres.
    private static let close: Float = 10

    enum Quality: String {
        case unknown, good, close
    }

    private(set) var quality = Quality.unknown
    private var distances: [(time: Date, distance: Float)] = []

    mutating func take(_ distance: Float?, at now: Date) {
        if let distance, distances.last?.distance != distance {
            distances.append((now, distance))
        }
        distances.removeAll { now.timeIntervalSince($0.time) > Self.window }
        guard distances.count > Self.samples, let last = distances.last?.distance else {
            quality = .unknown
            return
        }
        quality = last <= Self.close ? .close : last <= Self.farthest ? .good : .unknown
    }
}
