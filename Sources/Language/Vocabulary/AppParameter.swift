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
    case asksFirst = "asks-first"
    case requestTimeout = "request-timeout"
    case attempts
    case retryDelay = "retry-delay"
    case retryDelayMax = "retry-delay-max"
    case retryReset = "retry-reset"
    case lostAfter = "lost-after"
    case appWrongAfter = "app-wrong-after"
}

extension AppParameter {
    package var form: ParameterForm {
        switch self {
        case .peers:
            .devices("The accessories the app connects to.", standard: "all it finds")
        case .rangesWith:
            .choice(
                "What the app ranges with: accessories, or Apple devices that run it, too.",
                Partners.accessories)
        case .extendedDistance:
            .flag(
                "Whether the app measures at extended distance where both Apple devices can.",
                standard: false)
        case .camera:
            .choice(
                "Whether the camera assists the app's sessions: with one ARSession for all, or each with its own.",
                Camera.none)
        case .transport:
            .choice(
                "What the app reaches accessories by (R4 2.4): Bluetooth LE, or the network.",
                DataLinkTransport.bluetooth)
        case .autoStart:
            .flag(
                "Whether the app ranges as soon as it is subscribed; else it waits for `start`.",
                standard: true)
        case .backgroundSessions:
            .flag(
                "Whether sessions of bonded accessories go on in the background.", standard: false)
        case .pairs:
            .flag(
                "Whether the app reads the accessory's secure characteristic first, upon which the system pairs.",
                standard: false)
        case .sessionQueue:
            .choice(
                "Which queue the callbacks of NISession come on.", ["main", "own"], standard: "main"
            )
        case .asksFirst:
            .flag(
                "Whether the app asks for configuration data with `initialize`; else it subscribes and waits for it.",
                standard: true)
        case .requestTimeout:
            .duration(
                "How long the app waits for the answer to a message.",
                .milliseconds(10) ... .seconds(600), standard: .seconds(3))
        case .attempts:
            .number(
                "How many attempts the app makes before it gives an accessory up.", 1...1_000,
                standard: 5)
        case .retryDelay:
            .duration(
                "The wait before the second attempt; it doubles with each further one.",
                0 ... .seconds(600), standard: .milliseconds(500))
        case .retryDelayMax:
            .duration(
                "The longest wait between attempts.", 0 ... .seconds(600), standard: .seconds(8))
        case .retryReset:
            .duration(
                "After ranging for this long the attempts are counted anew.", 0 ... .seconds(600),
                standard: .seconds(10))
        case .lostAfter:
            .duration(
                "A discovered accessory not heard for this long is dropped.",
                .milliseconds(100) ... .seconds(600), standard: .seconds(5))
        case .appWrongAfter:
            .duration(
                "After this moment `loses-a-callback` loses one, or another defect does the wrong thing at one.",
                0 ... .seconds(600), standard: 0)
        }
    }

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
}
