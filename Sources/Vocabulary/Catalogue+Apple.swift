internal import DeviceLink

extension Catalogue {
    package static let appleParameters = permissionParameters + sessionParameters + appParameters

    /// Whether a parameter of the Apple device is the system's, so that it means the same whatever app
    /// runs there.
    package static func isOfTheSystem(_ parameter: String) -> Bool {
        parameter == "launch"
            || (permissionParameters + sessionParameters).contains { $0.name == parameter }
    }

    private static let permissionParameters = [
        Parameter(
            "permission", .choice(["ask-allow", "ask-deny", "allowed", "denied"]),
            standard: "ask-allow",
            "Whether Nearby Interaction is allowed: asked at the first run (and the answer), or set before."
        ),
        Parameter(
            "prompt-delay", .duration(upTo(seconds: 600)), standard: "1s",
            "How long the user takes to answer the permission prompt."),
        Parameter(
            "usage-description", .choice(["present", "missing"]), standard: "present",
            "Whether the app has NSNearbyInteractionUsageDescription; without it nothing is allowed."
        ),
        Parameter(
            "mtu", .number(23...517), standard: "185",
            "The ATT MTU the phone asks for after connecting, in bytes."),
        Parameter(
            "connection-interval",
            .duration(Nanoseconds.microseconds(7_500)...Nanoseconds.seconds(4)), standard: "30ms",
            "The connection interval of new links."),
        Parameter(
            "connection-timeout",
            .duration(Nanoseconds.milliseconds(100)...Nanoseconds.seconds(32)), standard: "720ms",
            "The supervision timeout of new links."),
        Parameter(
            "inspect", .flag, standard: "false",
            "Whether the system looks at all of the Nearby Interaction Service, as a lab would."),
    ]

    private static let sessionParameters = [
        Parameter(
            "start-latency", .duration(upTo(seconds: 60)), standard: "20ms",
            "How long the system takes from run to asking its radio."),
        Parameter(
            "start-slack", .duration(upTo(seconds: 60)), standard: "10ms",
            "How much longer it may take; where in between is the scheduler's choice."),
        Parameter(
            "preparedness-window", .duration(tenMilliseconds...Nanoseconds.seconds(600)),
            standard: "10s",
            "How long after the shareable data the first measurement may take; then didRemove(timeout)."
        ),
        Parameter(
            "removal-timeout", .duration(tenMilliseconds...Nanoseconds.seconds(600)),
            standard: "5s", "How long after the last measurement didRemove(timeout) comes."),
        Parameter(
            "session-limit", .number(0...64), standard: "8",
            "How many sessions may run at once; one more ends in activeSessionsLimitExceeded."),
        Parameter(
            "start-order", .choice(["started-first", "shareable-first"]), standard: "started-first",
            "Which of sessionDidStartRunning and didGenerateShareableConfigurationData comes first."
        ),
        Parameter(
            "own-invalidate", .choice(["silent", "calls-back"]), standard: "silent",
            "Whether the app's own invalidate() yields didInvalidateWith."),
        Parameter(
            "rerun-start", .choice(["repeated", "once"]), standard: "repeated",
            "Whether sessionDidStartRunning comes again when a running session is run again."),
        Parameter(
            "radio-refusal", .choice(["invalidated", "removed"]), standard: "invalidated",
            "What the session gets when its radio refuses to start."),
        Parameter(
            "configuration-mismatch", .choice(["removed", "invalidated"]), standard: "removed",
            "What the session gets when the Nearby Interaction Service holds another configuration."
        ),
        Parameter(
            "resource-usage-limit", .duration(upTo(seconds: 86_400)), standard: "0s",
            "How long a session may run before resourceUsageTimeout; 0 is for ever."),
        Parameter(
            "suspension-limit", .duration(upTo(seconds: 86_400)), standard: "0s",
            "How long a session may stay suspended before resourceUsageTimeout; 0 is for ever."),
    ]

    private static let appParameters = [
        Parameter(
            "peers", .devices, standard: "all it finds", "The accessories the app connects to."),
        Parameter(
            "launch", .flag, standard: "true",
            "Whether the app is launched at power-on; else it waits for `launch`."),
        Parameter(
            "auto-start", .flag, standard: "true",
            "Whether the app ranges as soon as it is subscribed; else it waits for `start`."),
        Parameter(
            "background-sessions", .flag, standard: "false",
            "Whether sessions of bonded accessories go on in the background."),
        Parameter(
            "session-queue", .choice(["main", "own"]), standard: "main",
            "Which queue the callbacks of NISession come on."),
        Parameter(
            "request-timeout", .duration(tenMilliseconds...Nanoseconds.seconds(600)),
            standard: "3s", "How long the app waits for the answer to a message."),
        Parameter(
            "attempts", .number(1...1_000), standard: "5",
            "How many attempts the app makes before it gives an accessory up."),
        Parameter(
            "retry-delay", .duration(upTo(seconds: 600)), standard: "500ms",
            "The wait before the second attempt; it doubles with each further one."),
        Parameter(
            "retry-delay-max", .duration(upTo(seconds: 600)), standard: "8s",
            "The longest wait between attempts."),
        Parameter(
            "retry-reset", .duration(upTo(seconds: 600)), standard: "10s",
            "After ranging for this long the attempts are counted anew."),
        Parameter(
            "lost-after", .duration(Nanoseconds.milliseconds(100)...Nanoseconds.seconds(600)),
            standard: "5s", "A discovered accessory not heard for this long is dropped."),
    ]

    private static let tenMilliseconds = Nanoseconds.milliseconds(10)

    private static func upTo(seconds: UInt64) -> ClosedRange<Nanoseconds> {
        0...Nanoseconds.seconds(seconds)
    }

    package static let appleDefects =
        AppDefect.allCases.map { Term($0.rawValue, $0.explanation) }
        + SystemDefect.allCases.map { Term($0.rawValue, $0.explanation) }

    /// The defects that let a device crash; a reference device without one never does.
    package static let crashingDefects = ["crashes-on-unknown-message"]

    /// The names of NIError's codes, which `invalidate` can bring about.
    package static let sessionErrors = [
        "unsupportedPlatform", "invalidConfiguration", "sessionFailed", "resourceUsageTimeout",
        "activeSessionsLimitExceeded", "userDidNotAllow", "invalidARConfiguration",
        "accessoryPeerDeviceUnavailable", "incompatiblePeerDevice",
        "activeExtendedDistanceSessionsLimitExceeded",
    ]
}
