/// The domain of this framework's errors.
public let NIErrorDomain = "com.apple.NearbyInteraction"

/// Why a session ended, or a configuration cannot be.
public struct NIError: CustomNSError, Hashable, Sendable {
    /// The codes of `NIError.h`.
    public enum Code: Int, CaseIterable, Hashable, Sendable {
        /// This device has no UWB.
        case unsupportedPlatform = -5889
        /// The configuration, or the accessory's data in it, is not valid.
        case invalidConfiguration = -5888
        /// The session has failed and cannot be run again.
        case sessionFailed = -5887
        /// The session was active for longer than is allowed.
        case resourceUsageTimeout = -5886
        /// Too many sessions are active.
        case activeSessionsLimitExceeded = -5885
        /// The user does not allow Nearby Interaction.
        case userDidNotAllow = -5884
        /// The ARKit session does not suit.
        case invalidARConfiguration = -5883
        /// The Bluetooth accessory is not paired or not connected.
        case accessoryPeerDeviceUnavailable = -5882
        /// The peer cannot range with this device.
        case incompatiblePeerDevice = -5881
        /// Another extended-distance session is active.
        case activeExtendedDistanceSessionsLimitExceeded = -5880
    }

    public let code: Code
    private let notes: [String: String]

    /// An error with notes under the keys of an `NSError`, of which only texts are kept.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.code = code
        notes = userInfo.compactMapValues { $0 as? String }
    }

    /// The code as a number.
    public var errorCode: Int { code.rawValue }

    public static var errorDomain: String { NIErrorDomain }

    public var errorUserInfo: [String: Any] { notes }
}

extension NIError.Code {
    /// The name in the trace, for example `userDidNotAllow`.
    package var name: String { "\(self)" }

    /// Whether an error has this code: `case NIError.userDidNotAllow:`.
    public static func ~= (code: NIError.Code, error: any Error) -> Bool {
        (error as? NIError)?.code == code
    }
}

extension NIError {
    /// This device has no UWB.
    public static var unsupportedPlatform: Code { .unsupportedPlatform }
    /// The configuration, or the accessory's data in it, is not valid.
    public static var invalidConfiguration: Code { .invalidConfiguration }
    /// The session has failed and cannot be run again.
    public static var sessionFailed: Code { .sessionFailed }
    /// The session was active for longer than is allowed.
    public static var resourceUsageTimeout: Code { .resourceUsageTimeout }
    /// Too many sessions are active.
    public static var activeSessionsLimitExceeded: Code { .activeSessionsLimitExceeded }
    /// The user does not allow Nearby Interaction.
    public static var userDidNotAllow: Code { .userDidNotAllow }
    /// The ARKit session does not suit.
    public static var invalidARConfiguration: Code { .invalidARConfiguration }
    /// The Bluetooth accessory is not paired or not connected.
    public static var accessoryPeerDeviceUnavailable: Code { .accessoryPeerDeviceUnavailable }
    /// The peer cannot range with this device.
    public static var incompatiblePeerDevice: Code { .incompatiblePeerDevice }
    /// Another extended-distance session is active.
    public static var activeExtendedDistanceSessionsLimitExceeded: Code {
        .activeExtendedDistanceSessionsLimitExceeded
    }
}
