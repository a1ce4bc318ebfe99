internal import DeviceLink

extension Catalogue {
    package static let accessoryParameters =
        messageParameters + startParameters + connectionParameters

    private static let messageParameters = [
        Parameter(
            "service", .choice(["qnis", "nus"]), standard: "qnis",
            "Which service carries the messages and is advertised: the Qorvo NI service or Nordic UART."
        ),
        Parameter(
            "mtu", .number(23...517), standard: "100 (qorvo), 247 (multi)",
            "The largest ATT MTU the accessory agrees to, in bytes."),
        Parameter(
            "links", .number(1...8), standard: "1 (qorvo), 5 (multi)",
            "How many phones may be connected at once; each has a session of its own."),
        Parameter(
            "uwb-version", .choice(["1.0", "1.1", "2.0"]), standard: "1.1",
            "Version of the UWB configuration data and of the shareable data it accepts."),
        Parameter(
            "update-rate", .choice(["automatic", "infrequent", "user-interactive"]),
            standard: "user-interactive",
            "PreferredUpdateRate of the accessory configuration data (R4 3.4.3.1)."),
        Parameter(
            "ranging-role", .choice(["initiator", "responder"]), standard: "initiator",
            "Which side starts the ranging rounds."),
        Parameter(
            "multiple-configuration", .flag, standard: "false",
            "Whether the Nearby Interaction Service also has the Multiple characteristic (R4 4.3.3)."
        ),
        Parameter(
            "handling-time", .duration(0...Nanoseconds.seconds(10)), standard: "2ms",
            "How long the application needs for one message; messages that arrive meanwhile wait."),
        Parameter(
            "handling-slack", .duration(0...Nanoseconds.seconds(10)), standard: "8ms",
            "How much longer it may take; where in between is the scheduler's choice."),
        Parameter(
            "notify-distance", .length(0...25_500), standard: "0m",
            "Below this distance the accessory sends iOSNotify, once each time it comes near; 0 is never."
        ),
    ]

    private static let startParameters = [
        Parameter(
            "acknowledge", .choice(["radio", "accepted"]), standard: "radio",
            "When accessoryUwbDidStart is sent: when the radio ranges, or when the middleware accepted."
        ),
        Parameter(
            "start-delay", .duration(0...Nanoseconds.seconds(60)), standard: "0s",
            "Between accepting the shareable data and asking the radio; 0 is at once (R4 3.5.1)."),
        Parameter(
            "start-failure", .choice(["none", "at-once", "later"]), standard: "none",
            "Whether the middleware's start fails: when asked, or `start-delay` after it accepted."),
        Parameter(
            "start-failures", .number(0...1_000_000), standard: "0",
            "How many starts fail before they succeed; 0 is all, if `start-failure` says they fail."
        ),
    ]

    private static let connectionParameters = [
        Parameter(
            "advertising-fast-interval", .duration(advertisingIntervals), standard: "20ms",
            "Advertising interval at first (QA1931)."),
        Parameter(
            "advertising-fast-time", .duration(0...Nanoseconds.seconds(600)), standard: "30s",
            "How long the first interval is kept (QA1931: at least 30 s)."),
        Parameter(
            "advertising-slow-interval", .duration(advertisingIntervals), standard: "1022.5ms",
            "Advertising interval afterwards (QA1931: one of nine values)."),
        Parameter(
            "connection-request-delay", .duration(0...Nanoseconds.seconds(60)), standard: "5s",
            "When after connecting the accessory asks for its own connection parameters; 0 is never."
        ),
        Parameter(
            "connection-request-retry",
            .duration(Nanoseconds.seconds(1)...Nanoseconds.seconds(600)),
            standard: "30s", "When it asks again after a refusal (twice in all)."),
        Parameter(
            "connection-interval-min", .duration(connectionIntervals), standard: "30ms",
            "Smallest connection interval it asks for (rounded down to 1.25 ms)."),
        Parameter(
            "connection-interval-max", .duration(connectionIntervals), standard: "45ms",
            "Largest connection interval it asks for."),
        Parameter(
            "connection-latency", .number(0...499), standard: "4",
            "Peripheral latency it asks for, in connection events."),
        Parameter(
            "connection-timeout",
            .duration(Nanoseconds.milliseconds(100)...Nanoseconds.seconds(32)), standard: "5s",
            "Supervision timeout it asks for."),
    ]

    private static let advertisingIntervals =
        Nanoseconds.milliseconds(20)...Nanoseconds.milliseconds(10_240)
    private static let connectionIntervals =
        Nanoseconds.microseconds(7_500)...Nanoseconds.seconds(4)

    package static let accessoryDefects = AccessoryDefect.allCases.map {
        Term($0.rawValue, $0.explanation)
    }
}
