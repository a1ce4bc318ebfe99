import NearbyInteraction
import Vocabulary

/// How often and when the app tries again.
package struct RetryPolicy: Equatable, Sendable {
    /// How many attempts it makes before it gives up.
    package var attempts: Int = AppParameter.attempts.standard()
    /// The wait before the second attempt, in seconds; it doubles with each further one.
    package var firstDelay = AppParameter.retryDelay.seconds
    /// The longest wait, in seconds.
    package var longestDelay = AppParameter.retryDelayMax.seconds
    /// After ranging for so many seconds the attempts are counted anew.
    package var resetAfter = AppParameter.retryReset.seconds

    package init() {}

    /// The wait in seconds after so many failed attempts.
    package func delay(after attempts: Int) -> Double {
        (1..<max(1, attempts)).reduce(min(firstDelay, longestDelay)) { delay, _ in
            min(delay * 2, longestDelay)
        }
    }
}

extension NIError.Code {
    /// Errors that another attempt cannot change.
    var isFinal: Bool {
        switch self {
        case .userDidNotAllow, .invalidConfiguration, .unsupportedPlatform,
            .incompatiblePeerDevice:
            true
        case .sessionFailed, .resourceUsageTimeout, .activeSessionsLimitExceeded,
            .invalidARConfiguration, .accessoryPeerDeviceUnavailable,
            .activeExtendedDistanceSessionsLimitExceeded:
            false
        }
    }

    /// Errors that go away when another session closes.
    var isLimit: Bool {
        self == .activeSessionsLimitExceeded
            || self == .activeExtendedDistanceSessionsLimitExceeded
    }
}
