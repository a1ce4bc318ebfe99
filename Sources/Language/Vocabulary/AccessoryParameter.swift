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
    case gattCaching = "gatt-caching"
    case servicesAfterRestart = "services-after-restart"
    case pairing
    case pairingInterface = "pairing-interface"
    case privateAddress = "private-address"
    case securityRequest = "security-request"
    case handlingTime = "handling-time"
    case handlingSlack = "handling-slack"
    case notifyDistance = "notify-distance"
    case acknowledge
    case startDelay = "start-delay"
    case rangingTimeout = "ranging-timeout"
    case startFailure = "start-failure"
    case startFailures = "start-failures"
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
            ParameterForm(
                choice: DataLinkTransport.bluetooth,
                "What the two-way data link goes by (R4 2.4): Bluetooth LE, or the network.")
        case .service:
            ParameterForm(
                choice: Service.qnis,
                "Which service carries the messages: Qorvo's, the Nordic UART, or the first of `services`."
            )
        case .advertised:
            ParameterForm(
                choice: Advertised.messageService,
                "What it advertises: the service of the messages, or Estimote's FE9A with data of its own."
            )
        case .messageLength:
            ParameterForm(
                choice: MessageLength.checked,
                "Whether a request of a wrong length is an error, or read from a zeroed buffer as by NXP's demo."
            )
        case .mtu:
            ParameterForm(
                .number(23...517), standard: .number(100),
                "The largest ATT MTU the accessory agrees to, in bytes.")
        case .links:
            ParameterForm(
                .number(1...8), standard: .number(1),
                "How many phones may be connected at once; each has a session of its own.")
        case .uwbVersion:
            ParameterForm(
                .choice(["1.0", "1.1", "2.0"]), standard: .word("1.1"),
                "Version of the UWB configuration data and of the shareable data it accepts.")
        case .updateRate:
            ParameterForm(
                .choice(["automatic", "infrequent", "user-interactive"]),
                standard: .word("user-interactive"),
                "PreferredUpdateRate of the accessory configuration data (R4 3.4.3.1).")
        case .rangingRole:
            ParameterForm(
                .choice(["initiator", "responder"]), standard: .word("initiator"),
                "Which side starts the ranging rounds.")
        case .nearbyInteraction:
            ParameterForm(
                .choice(["present", "absent"]), standard: .word("present"),
                "Whether it has the Nearby Interaction Service, which sessions in the background need (R4 4.1)."
            )
        case .multiples:
            ParameterForm(
                .number(0...3), standard: .number(0),
                "How many Multiple Configuration Data characteristics there are; they share the sessions."
            )
        case .gattCaching:
            ParameterForm(
                choice: GATTCaching.none,
                "How phones may keep what they have discovered: Service Changed, and the Database Hash as well."
            )
        case .servicesAfterRestart:
            ParameterForm(
                choice: ServicesAfterRestart.same,
                "Whether a restart gives the attributes other handles, as an update of the firmware does."
            )
        case .pairing:
            ParameterForm(
                choice: Pairing.none,
                "Whether phones can pair with it, and how: LE Secure Connections or legacy pairing."
            )
        case .pairingInterface:
            ParameterForm(
                choice: PairingInterface.noInputNoOutput,
                "What it has for a pairing: nothing, or a display and a button, by which digits are compared."
            )
        case .privateAddress:
            ParameterForm(
                .flag, standard: .flag(false),
                "Whether it shows a resolvable private address, a new one at each start and at `change-address`."
            )
        case .securityRequest:
            ParameterForm(
                .flag, standard: .flag(false),
                "Whether it asks each phone for security as soon as it has connected.")
        case .handlingTime:
            ParameterForm(
                .duration(0...Nanoseconds.seconds(10)), standard: .number(.milliseconds(2)),
                "How long the application needs for one message; messages that arrive meanwhile wait."
            )
        case .handlingSlack:
            ParameterForm(
                .duration(0...Nanoseconds.seconds(10)), standard: .number(.milliseconds(8)),
                "How much longer it may take; where in between is the scheduler's choice.")
        case .notifyDistance:
            ParameterForm(
                .length(0...25_500), standard: .number(0),
                "Below this distance the accessory sends iOSNotify, once each time it comes near; 0 is never."
            )
        case .acknowledge:
            ParameterForm(
                choice: Acknowledgement.radio,
                "When accessoryUwbDidStart is sent: when the radio ranges, or when the middleware accepted."
            )
        case .startDelay:
            ParameterForm(
                .duration(0...Nanoseconds.seconds(60)), standard: .number(0),
                "Between accepting the shareable data and asking the radio; 0 is at once (R4 3.5.1)."
            )
        case .rangingTimeout:
            ParameterForm(
                .duration(Nanoseconds.seconds(1)...Nanoseconds.seconds(600)),
                standard: .number(.seconds(60)),
                "How long all ranging rounds may be misses until the accessory stops by itself (R4 2.3)."
            )
        case .startFailure:
            ParameterForm(
                choice: StartFailure.none,
                "Whether the middleware's start fails: when asked, or `start-delay` after it accepted."
            )
        case .startFailures:
            ParameterForm(
                .number(0...1_000_000), standard: .number(0),
                "How many starts fail before they succeed; 0 is all, if `start-failure` says they fail."
            )
        case .fastInterval:
            ParameterForm(
                .duration(Self.advertisingIntervals), standard: .number(.milliseconds(20)),
                "Advertising interval at first (QA1931).")
        case .fastTime:
            ParameterForm(
                .duration(0...Nanoseconds.seconds(600)), standard: .number(.seconds(30)),
                "How long the first interval is kept (QA1931: at least 30 s).")
        case .slowInterval:
            ParameterForm(
                .duration(Self.advertisingIntervals), standard: .number(.microseconds(1_022_500)),
                "Advertising interval afterwards (QA1931: one of nine values).")
        case .requestDelay:
            ParameterForm(
                .duration(0...Nanoseconds.seconds(60)), standard: .number(.seconds(5)),
                "When after connecting the accessory asks for its own connection parameters; 0 is never."
            )
        case .requestRetry:
            ParameterForm(
                .duration(Nanoseconds.seconds(1)...Nanoseconds.seconds(600)),
                standard: .number(.seconds(30)),
                "When it asks again after a refusal (twice in all).")
        case .minimumInterval:
            ParameterForm(
                .duration(Self.connectionIntervals), standard: .number(.milliseconds(30)),
                "Smallest connection interval it asks for (rounded down to 1.25 ms).")
        case .maximumInterval:
            ParameterForm(
                .duration(Self.connectionIntervals), standard: .number(.milliseconds(45)),
                "Largest connection interval it asks for.")
        case .latency:
            ParameterForm(
                .number(0...499), standard: .number(4),
                "Peripheral latency it asks for, in connection events.")
        case .supervisionTimeout:
            ParameterForm(
                .duration(Nanoseconds.milliseconds(100)...Nanoseconds.seconds(32)),
                standard: .number(.seconds(5)),
                "Supervision timeout it asks for.")
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
