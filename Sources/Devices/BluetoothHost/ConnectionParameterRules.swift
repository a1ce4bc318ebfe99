package import Bluetooth
package import DeviceKit

/// Which connection timing a central accepts of a peripheral, as a set of limits.
package struct ConnectionParameterRules: Equatable, Sendable {
    /// In units of 1.25 ms.
    package var shortestInterval: UInt16
    /// The minimum interval must be a multiple of so many units of 1.25 ms.
    package var intervalStep: UInt16
    /// The maximum interval must be so many units of 1.25 ms above the minimum.
    package var intervalSpread: UInt16
    /// This maximum interval, in units of 1.25 ms, needs no spread.
    package var spreadExemption: UInt16
    /// The longest latency in connection events.
    package var longestLatency: UInt16
    /// The longest maximum interval x (latency + 1) in units of 1.25 ms.
    package var longestSilence: UInt32
    /// Maximum interval x (latency + 1) times this must be less than the supervision timeout.
    package var silencesPerTimeout: UInt32
    /// The shortest supervision timeout in units of 10 ms.
    package var shortestTimeout: UInt16
    /// The longest supervision timeout in units of 10 ms.
    package var longestTimeout: UInt16

    /// Apple's published rules for accessories (QA1931, 2017-09-26).
    package static let apple = ConnectionParameterRules(
        shortestInterval: 12, intervalStep: 12, intervalSpread: 12, spreadExemption: 12,
        longestLatency: 30, longestSilence: 1600, silencesPerTimeout: 3, shortestTimeout: 200,
        longestTimeout: 600)

    /// Only what the Core Specification demands (Vol 3 Part A 4.20).
    package static let core = ConnectionParameterRules(
        shortestInterval: 6, intervalStep: 1, intervalSpread: 0, spreadExemption: 0,
        longestLatency: 499, longestSilence: .max, silencesPerTimeout: 2, shortestTimeout: 10,
        longestTimeout: 3200)

    /// A rule that a request broke.
    package enum Reason: Equatable, Sendable {
        /// An interval outside 7.5 ms … 4 s, or a minimum above the maximum.
        case invalidInterval
        case intervalTooShort
        /// The minimum interval is not a multiple of 15 ms.
        case intervalNotAMultiple
        /// The maximum interval is not 15 ms above the minimum.
        case intervalsTooClose
        case latencyTooLong
        /// Maximum interval x (latency + 1) is too long.
        case silenceTooLong
        /// The supervision timeout does not outlast enough silences.
        case timeoutTooShortForSilence
        case timeoutTooShort
        case timeoutTooLong
    }

    /// All rules that a request breaks, in the order of `Reason`; none means that it is accepted.
    package func reasons(against request: ConnectionParameterRequest) -> [Reason] {
        let silence = UInt32(request.maximumInterval) * (UInt32(request.latency) + 1)
        let spread = UInt32(request.minimumInterval) + UInt32(intervalSpread)
        let isExempt = spreadExemption > 0 && request.maximumInterval == spreadExemption
        let broken: [(Bool, Reason)] = [
            (!Self.isValid(request), .invalidInterval),
            (request.minimumInterval < shortestInterval, .intervalTooShort),
            (!request.minimumInterval.isMultiple(of: intervalStep), .intervalNotAMultiple),
            (spread > UInt32(request.maximumInterval) && !isExempt, .intervalsTooClose),
            (request.latency > longestLatency, .latencyTooLong),
            (silence > longestSilence, .silenceTooLong),
            // One unit of the timeout is eight units of the interval.
            (
                UInt64(silence) * UInt64(silencesPerTimeout) >= UInt64(request.timeout) * 8,
                .timeoutTooShortForSilence
            ),
            (request.timeout < shortestTimeout, .timeoutTooShort),
            (request.timeout > longestTimeout, .timeoutTooLong),
        ]
        return broken.filter(\.0).map(\.1)
    }

    /// The timing a central gives for a request that it accepts: the longest interval in the range
    /// that is a multiple of the step, or the range's end.
    package func chosen(for request: ConnectionParameterRequest) -> ConnectionParameters {
        let multiple = request.maximumInterval / intervalStep * intervalStep
        let interval =
            multiple >= request.minimumInterval ? multiple : request.maximumInterval
        return ConnectionParameters(
            interval: interval, latency: request.latency, timeout: request.timeout)
    }

    private static func isValid(_ request: ConnectionParameterRequest) -> Bool {
        (6...3200).contains(request.minimumInterval)
            && (6...3200).contains(request.maximumInterval)
            && request.minimumInterval <= request.maximumInterval
    }
}
