import AccessoryProtocol
import DeviceKit
package import Vocabulary

/// Everything that a topology can set about an accessory, checked.
///
/// The names are those of `Name`; durations come as nanoseconds, lengths as millimetres.
package struct AccessoryParameters: Equatable, Sendable {
    /// The service that carries the messages.
    package enum Service: String, CaseIterable, Sendable {
        /// The Qorvo NI service.
        case qnis
        /// The Nordic UART service, as in Apple's sample.
        case nus
    }

    /// When `accessoryUwbDidStart` is sent.
    package enum Acknowledgement: String, CaseIterable, Sendable {
        /// When the radio is on.
        case radio
        /// When the middleware has accepted the shareable data, as vendors' firmware does.
        case accepted
    }

    /// How the middleware's start fails.
    package enum StartFailure: String, CaseIterable, Sendable {
        /// Not at all.
        case none
        /// The middleware refuses when it is asked.
        case atOnce = "at-once"
        /// The middleware accepts, and fails `startDelay` later.
        case later
    }

    /// Which service carries the messages, and is advertised.
    package var service = Service.qnis
    /// The largest ATT MTU that the accessory agrees to, in bytes.
    package var mtu = 100
    /// How many phones may be connected at once.
    package var links = 1
    /// Version of the UWB configuration data, and of the shareable data that is accepted.
    package var version = UWBVersion.v1_1
    /// The update rate that the configuration data prefers (R4 3.4.3.1).
    package var updateRate = PreferredUpdateRate.userInteractive
    /// Whether the accessory starts the ranging rounds.
    package var isInitiator = true
    /// Whether there is a Multiple Configuration Data characteristic (R4 4.3.3).
    package var hasMultipleConfiguration = false
    /// Advertising interval at first.
    package var fastInterval = Nanoseconds.milliseconds(20)
    /// How long the first interval is kept.
    package var fastTime = Nanoseconds.seconds(30)
    /// Advertising interval afterwards.
    package var slowInterval = Nanoseconds.microseconds(1_022_500)
    /// How long the application needs for one message.
    package var handlingTime = Nanoseconds.milliseconds(2)
    /// How much longer it may need.
    package var handlingSlack = Nanoseconds.milliseconds(8)
    /// When `accessoryUwbDidStart` is sent.
    package var acknowledgement = Acknowledgement.radio
    /// How long the middleware takes from accepting the shareable data to asking the radio.
    package var startDelay: Nanoseconds = 0
    /// Whether and when the middleware's start fails.
    package var startFailure = StartFailure.none
    /// How many starts fail; 0 is all.
    package var failingStarts: UInt64 = 0
    /// Below this distance in millimetres the phone is notified; 0 is never.
    package var notifyDistance: UInt32 = 0
    /// When the accessory asks for its own connection parameters; 0 is never.
    package var requestDelay = Nanoseconds.seconds(5)
    /// When it asks again after a refusal.
    package var requestRetry = Nanoseconds.seconds(30)
    /// Smallest connection interval it asks for.
    package var minimumInterval = Nanoseconds.milliseconds(30)
    /// Largest connection interval it asks for.
    package var maximumInterval = Nanoseconds.milliseconds(45)
    /// Peripheral latency it asks for, in connection events.
    package var latency: UInt16 = 4
    /// Supervision timeout it asks for.
    package var supervisionTimeout = Nanoseconds.seconds(5)
    /// The defects that are switched on.
    package var defects: [AccessoryDefect] = []

    /// The defaults of a profile: `qorvo` or `multi`.
    ///
    /// - Throws: `Refusal` for any other profile.
    package init(profile: String) throws(Refusal) {
        switch profile {
        case "qorvo": break
        case "multi":
            links = 5
            mtu = 247
        default:
            throw .unknown("profile", named: profile, known: ["qorvo", "multi"])
        }
    }

    /// The parameters of one incarnation.
    ///
    /// - Throws: `Refusal` that names the nearest known profile, parameter, choice or defect, or the
    ///   range of a number.
    package init(_ reset: Reset) throws(Refusal) {
        try self.init(profile: reset.model)
        // Refuses what is unknown or given twice.
        _ = try Parameters(reset, known: Name.allCases.map(\.rawValue))
        for pair in reset.parameters {
            if let name = Name(rawValue: pair.name) { try set(name, to: pair) }
        }
        for name in reset.defects {
            guard let defect = AccessoryDefect(rawValue: name) else {
                throw .unknown(
                    "defect", named: name, known: AccessoryDefect.allCases.map(\.rawValue))
            }
            defects.append(defect)
        }
        guard minimumInterval <= maximumInterval else {
            throw Refusal(
                "the parameter \"connection-interval-min\" is above \"connection-interval-max\"")
        }
    }

    /// Whether a defect is switched on.
    package func has(_ defect: AccessoryDefect) -> Bool { defects.contains(defect) }
}
