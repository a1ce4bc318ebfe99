import DeviceLink

/// What a topology can set about the reference app of an Apple device.
package enum AppParameter: String, ParameterName {
    case peers
    case rangesWith = "ranges-with"
    case extendedDistance = "extended-distance"
    case camera
    case transport
    case autoStart = "auto-start"
    case backgroundSessions = "background-sessions"
    case pairs
    case sessionQueue = "session-queue"
    case requestTimeout = "request-timeout"
    case attempts
    case retryDelay = "retry-delay"
    case retryDelayMax = "retry-delay-max"
    case retryReset = "retry-reset"
    case lostAfter = "lost-after"
}

extension AppParameter {
    package var form: ParameterForm {
        switch self {
        case .peers:
            ParameterForm(
                .devices, standard: .described("all it finds"),
                "The accessories the app connects to.")
        case .rangesWith:
            ParameterForm(
                choice: Partners.accessories,
                "What the app ranges with: accessories, or Apple devices that run it, too.")
        case .extendedDistance:
            ParameterForm(
                .flag, standard: .flag(false),
                "Whether the app measures at extended distance where both Apple devices can.")
        case .camera:
            ParameterForm(
                choice: Camera.none,
                "Whether the camera assists the app's sessions: with one ARSession for all, or each with its own."
            )
        case .transport:
            ParameterForm(
                choice: DataLinkTransport.bluetooth,
                "What the app reaches accessories by (R4 2.4): Bluetooth LE, or the network.")
        case .autoStart:
            ParameterForm(
                .flag, standard: .flag(true),
                "Whether the app ranges as soon as it is subscribed; else it waits for `start`.")
        case .backgroundSessions:
            ParameterForm(
                .flag, standard: .flag(false),
                "Whether sessions of bonded accessories go on in the background.")
        case .pairs:
            ParameterForm(
                .flag, standard: .flag(false),
                "Whether the app reads the accessory's secure characteristic first, upon which the system pairs."
            )
        case .sessionQueue:
            ParameterForm(
                .choice(["main", "own"]), standard: .word("main"),
                "Which queue the callbacks of NISession come on.")
        case .requestTimeout:
            ParameterForm(
                .duration(Nanoseconds.milliseconds(10)...Nanoseconds.seconds(600)),
                standard: .number(.seconds(3)),
                "How long the app waits for the answer to a message.")
        case .attempts:
            ParameterForm(
                .number(1...1_000), standard: .number(5),
                "How many attempts the app makes before it gives an accessory up.")
        case .retryDelay:
            ParameterForm(
                .duration(Self.upTo(seconds: 600)), standard: .number(.milliseconds(500)),
                "The wait before the second attempt; it doubles with each further one.")
        case .retryDelayMax:
            ParameterForm(
                .duration(Self.upTo(seconds: 600)), standard: .number(.seconds(8)),
                "The longest wait between attempts.")
        case .retryReset:
            ParameterForm(
                .duration(Self.upTo(seconds: 600)), standard: .number(.seconds(10)),
                "After ranging for this long the attempts are counted anew.")
        case .lostAfter:
            ParameterForm(
                .duration(Nanoseconds.milliseconds(100)...Nanoseconds.seconds(600)),
                standard: .number(.seconds(5)),
                "A discovered accessory not heard for this long is dropped.")
        }
    }

    /// What the app ranges with.
    package enum Partners: String, CaseIterable, Sendable {
        case accessories
        /// Phones that run it, which exchange tokens by Multipeer.
        case phones
        /// The watch of a phone, or the phone of a watch, by Watch Connectivity.
        case companion
    }

    /// How the camera assists the app's sessions.
    package enum Camera: String, CaseIterable, Sendable {
        case none
        /// Each session's own ARSession, of which one has the camera at a time.
        case own
        /// The app's ARSession, for whose first frame the app waits.
        case shared
    }

    private static func upTo(seconds: UInt64) -> ClosedRange<Nanoseconds> {
        0...Nanoseconds.seconds(seconds)
    }
}
