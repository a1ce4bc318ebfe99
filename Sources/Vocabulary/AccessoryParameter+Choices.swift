// The words of the parameters that are a choice.
extension AccessoryParameter {
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

    /// How phones can pair with it.
    package enum Pairing: String, CaseIterable, Sendable {
        /// Not at all.
        case none
        case legacy
        case secureConnections = "secure-connections"
    }

    /// What a user sees and presses during a pairing.
    package enum PairingInterface: String, CaseIterable, Sendable {
        case noInputNoOutput = "none"
        case displayYesNo = "display-yes-no"
    }
}
