// The words of the parameters that are a choice.
extension AccessoryParameter {
    /// The service that carries the messages.
    package enum Service: String, CaseIterable, Sendable {
        /// The Qorvo NI service.
        case qnis
        /// The Nordic UART service, as in Apple's sample.
        case nus
        /// The first of the topology's `services`.
        case own
    }

    /// How clients may keep what they have discovered (Core Specification Vol 3 Part G 2.5.2).
    package enum GATTCaching: String, CaseIterable, Sendable {
        /// Nobody is told of a change.
        case none
        /// Bonded phones are told by Service Changed.
        case serviceChanged = "service-changed"
        /// Besides, there is a Database Hash, and requests of phones that do not know of a change are refused.
        case robust
    }

    /// What a restart does to the attributes.
    package enum ServicesAfterRestart: String, CaseIterable, Sendable {
        case same
        /// There is one service more, before the others.
        case moved
    }

    /// What is in the advertisement.
    package enum Advertised: String, CaseIterable, Sendable {
        /// The service that carries the messages.
        case messageService = "message-service"
        /// Estimote's FE9A, with data of its own.
        case estimote
    }

    /// What is made of a request whose length is wrong.
    package enum MessageLength: String, CaseIterable, Sendable {
        /// It is an error.
        case checked
        /// Bytes too many are passed over, and bytes too few are zero.
        case ignored
    }

    /// When `accessoryUwbDidStart` is sent.
    package enum Acknowledgement: String, CaseIterable, Sendable {
        /// When the radio is on.
        case radio
        /// When the middleware has accepted the shareable data, as vendors' firmware does.
        case accepted
        /// Never, and no `accessoryUwbDidStop` either: R4 knows neither.
        case never
    }

    /// When configuration data is sent (R4 3.2 leaves it to the maker).
    package enum ConfigurationData: String, CaseIterable, Sendable {
        /// When `initialize` asks for it, as the vendors' guide wants it.
        case asked
        /// When a phone subscribes to messages; `initialize` is not known.
        case subscribed
    }

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
