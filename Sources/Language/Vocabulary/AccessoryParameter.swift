import DeviceLink

/// What a topology can set about an accessory.
package enum AccessoryParameter: String, ParameterName {
    case transport
    case service
    case advertised
    case messageLength = "message-length"
    case mtu
    case links
    case uwbVersion = "uwb-version"
    case updateRate = "update-rate"
    case rangingRole = "ranging-role"
    case nearbyInteraction = "nearby-interaction"
    case multiples
    case ownCharacteristic = "own-characteristic"
    case gattCaching = "gatt-caching"
    case servicesAfterRestart = "services-after-restart"
    case pairing
    case pairingInterface = "pairing-interface"
    case privateAddress = "private-address"
    case securityRequest = "security-request"
    case handlingTime = "handling-time"
    case handlingSlack = "handling-slack"
    case notifyDistance = "notify-distance"
    case configuration
    case acknowledge
    case startDelay = "start-delay"
    case rangingTimeout = "ranging-timeout"
    case startFailure = "start-failure"
    case startFailures = "start-failures"
    case wrongAfter = "wrong-after"
    case fastInterval = "advertising-fast-interval"
    case fastTime = "advertising-fast-time"
    case slowInterval = "advertising-slow-interval"
    case requestDelay = "connection-request-delay"
    case requestRetry = "connection-request-retry"
    case minimumInterval = "connection-interval-min"
    case maximumInterval = "connection-interval-max"
    case latency = "connection-latency"
    case supervisionTimeout = "connection-timeout"
}

extension AccessoryParameter {
    package var form: ParameterForm {
        switch self {
        case .transport:
            .choice(
                "What the two-way data link goes by (R4 2.4): Bluetooth LE, or the network.",
                DataLinkTransport.bluetooth)
        case .service:
            .choice(
                "Which service carries the messages: Qorvo's, the Nordic UART, or the first of `services`.",
                Service.qnis)
        case .advertised:
            .choice(
                "What it advertises: the service of the messages, or Estimote's FE9A with data of its own.",
                Advertised.messageService)
        case .messageLength:
            .choice(
                "Whether a request of a wrong length is an error, or read from a zeroed buffer as by NXP's demo.",
                MessageLength.checked)
        case .mtu:
            .number(
                "The largest ATT MTU the accessory agrees to, in bytes.", 23...517, standard: 100)
        case .links:
            .number(
                "How many phones may be connected at once; each has a session of its own.", 1...8,
                standard: 1)
        case .uwbVersion:
            .choice(
                "Version of the UWB configuration data and of the shareable data it accepts.",
                ["1.0", "1.1", "2.0"], standard: "1.1")
        case .updateRate:
            .choice(
                "PreferredUpdateRate of the accessory configuration data (R4 3.4.3.1).",
                ["automatic", "infrequent", "user-interactive"], standard: "user-interactive")
        case .rangingRole:
            .choice(
                "Which side starts the ranging rounds.", ["initiator", "responder"],
                standard: "initiator")
        case .nearbyInteraction:
            .choice(
                "Whether it has the Nearby Interaction Service, which sessions in the background need (R4 4.1).",
                ["present", "absent"], standard: "present")
        case .multiples:
            .number(
                "How many Multiple Configuration Data characteristics there are; they share the sessions.",
                0...3, standard: 0)
        case .ownCharacteristic:
            .flag(
                "Whether the Nearby Interaction Service has a characteristic of the maker's, too.",
                standard: false)
        case .gattCaching:
            .choice(
                "How phones may keep what they have discovered: Service Changed, and the Database Hash as well.",
                GATTCaching.none)
        case .servicesAfterRestart:
            .choice(
                "Whether a restart gives the attributes other handles, as an update of the firmware does.",
                ServicesAfterRestart.same)
        case .pairing:
            .choice(
                "Whether phones can pair with it, and how: LE Secure Connections or legacy pairing.",
                Pairing.none)
        case .pairingInterface:
            .choice(
                "What it has for a pairing: nothing, or a display and a button, by which digits are compared.",
                PairingInterface.noInputNoOutput)
        case .privateAddress:
            .flag(
                "Whether it shows a resolvable private address, a new one at each start and at `change-address`.",
                standard: false)
        case .securityRequest:
            .flag(
                "Whether it asks each phone for security as soon as it has connected.",
                standard: false)
        case .handlingTime:
            .duration(
                "How long the application needs for one message; messages that arrive meanwhile wait.",
                0 ... .seconds(10), standard: .milliseconds(2))
        case .handlingSlack:
            .duration(
                "How much longer it may take; where in between is the scheduler's choice.",
                0 ... .seconds(10), standard: .milliseconds(8))
        case .notifyDistance:
            .length(
                "Below this distance the accessory sends iOSNotify, once each time it comes near; 0 is never.",
                0...25_500, standard: 0)
        case .configuration:
            .choice(
                "When configuration data is sent: when `initialize` asks for it, or when a phone subscribes.",
                ConfigurationData.asked)
        case .acknowledge:
            .choice(
                "When accessoryUwbDidStart is sent: when the radio ranges, when the middleware accepted, or never, nor DidStop.",
                Acknowledgement.radio)
        case .startDelay:
            .duration(
                "Between accepting the shareable data and asking the radio; 0 is at once (R4 3.5.1).",
                0 ... .seconds(60), standard: 0)
        case .rangingTimeout:
            .duration(
                "How long all ranging rounds may be misses until the accessory stops by itself (R4 2.3).",
                .seconds(1) ... .seconds(600), standard: .seconds(60))
        case .startFailure:
            .choice(
                "Whether the middleware's start fails: when asked, or `start-delay` after it accepted.",
                StartFailure.none)
        case .startFailures:
            .number(
                "How many starts fail before they succeed; 0 is all, if `start-failure` says they fail.",
                0...1_000_000, standard: 0)
        case .wrongAfter:
            .duration(
                "After this moment `loses-an-event` loses an event, or `starts-at-an-event` starts at one.",
                0 ... .seconds(600), standard: 0)
        case .fastInterval:
            .duration(
                "Advertising interval at first (QA1931).", Self.advertisingIntervals,
                standard: .milliseconds(20))
        case .fastTime:
            .duration(
                "How long the first interval is kept (QA1931: at least 30 s).", 0 ... .seconds(600),
                standard: .seconds(30))
        case .slowInterval:
            .duration(
                "Advertising interval afterwards (QA1931: one of nine values).",
                Self.advertisingIntervals, standard: .microseconds(1_022_500))
        case .requestDelay:
            .duration(
                "When after connecting the accessory asks for its own connection parameters; 0 is never.",
                0 ... .seconds(60), standard: .seconds(5))
        case .requestRetry:
            .duration(
                "When it asks again after a refusal (twice in all).", .seconds(1) ... .seconds(600),
                standard: .seconds(30))
        case .minimumInterval:
            .duration(
                "Smallest connection interval it asks for (rounded down to 1.25 ms).",
                Self.connectionIntervals, standard: .milliseconds(30))
        case .maximumInterval:
            .duration(
                "Largest connection interval it asks for.", Self.connectionIntervals,
                standard: .milliseconds(45))
        case .latency:
            .number("Peripheral latency it asks for, in connection events.", 0...499, standard: 4)
        case .supervisionTimeout:
            .duration(
                "Supervision timeout it asks for.", .milliseconds(100) ... .seconds(32),
                standard: .seconds(5))
        }
    }

    private static let advertisingIntervals =
        Nanoseconds.milliseconds(20)...Nanoseconds.milliseconds(10_240)
    private static let connectionIntervals =
        Nanoseconds.microseconds(7_500)...Nanoseconds.seconds(4)

    /// The default, as written in a file; behind it that of each profile where it differs.
    var standardText: String {
        let others = AccessoryProfile.allCases.compactMap { profile in
            profile.change(of: self).map { "\(form.text(handedOver: $0)) (\(profile.rawValue))" }
        }
        return ([form.standardText] + others).joined(separator: ", ")
    }
}
