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

    package static let accessoryDefects = [
        Term(
            "reused-configuration",
            "Every initialize is answered with the configuration data of the first one."),
        Term("stop-answers-did-start", "The stop path notifies accessoryUwbDidStart."),
        Term(
            "ignores-initialize-while-ranging",
            "An initialize that comes while a session runs gets no answer."),
        Term(
            "silent-rejection",
            "A configureAndStart that the middleware rejects gets no answer."),
        Term(
            "lost-request",
            "There is room for one message: one that arrives while another is handled is dropped."),
        Term(
            "ranges-after-disconnect",
            "A disconnect resets the bookkeeping only; the radio ranges on."),
        Term(
            "advertises-once",
            "Advertising is started at power-on only, never again after a connection or disconnect."
        ),
        Term(
            "did-start-without-radio",
            "accessoryUwbDidStart is sent when the middleware accepted; a failed start is ignored."),
        Term("double-did-start", "accessoryUwbDidStart is sent once more after every start."),
        Term(
            "replayed-start",
            "configureAndStart is carried out in any state; a running session ranges on unowned."),
        Term(
            "stop-acknowledged-though-running",
            "A stop is answered by accessoryUwbDidStop but the radio ranges on."),
        Term(
            "configuration-erased-after-start",
            "The Nearby Interaction Service's value is blanked as soon as ranging was asked for."),
        Term(
            "unencrypted-configuration",
            "The Nearby Interaction Service can be read without encryption."),
        Term(
            "bad-supervision",
            "Asks for a supervision timeout of 16 s and ends the link when refused twice."),
        Term("notifies-wrong-link", "Every notification goes to the phone that connected last."),
        Term(
            "stop-stops-everyone",
            "A stop from one phone ends the ranging of all, and only that phone is told."),
        Term("double-configuration", "Configuration data is sent twice."),
        Term("did-stop-at-initialize", "initialize is answered by accessoryUwbDidStop, too."),
        Term("miscounts-text", "The length in iOSNotify is one too many."),
        Term("big-endian-version", "The version in configuration data is sent high octet first."),
        Term("reserved-update-rate", "The preferred update rate is 15, which is reserved."),
        Term("fills-reserved-bytes", "The ten bytes for future use hold what was in memory."),
        Term(
            "pads-configuration",
            "Configuration data is sent with its buffer of 64 bytes, zeros at its end."),
        Term("no-uwb-data", "Configuration data goes out without UWBConfigData."),
        Term(
            "ranges-unasked",
            "The radio is started as soon as configuration data is made, with parameters of its own."
        ),
        Term(
            "swaps-address-octets",
            "The radio gets the announced address with its octets swapped."),
        Term(
            "reorders-session-id",
            "The session id in shareable data is turned round before the middleware gets it."),
        Term(
            "second-service-instance",
            "The Nearby Interaction Service is declared twice, first without characteristics."),
        Term(
            "unreadable-service",
            "Values and descriptions of the Nearby Interaction Service cannot be read at all."),
        Term(
            "multiple-only",
            "The Single characteristics are not in the Nearby Interaction Service."),
        Term("notifying-configuration", "Single Configuration Data has the property Notify."),
        Term(
            "stray-characteristic",
            "The Nearby Interaction Service has a characteristic of the vendor's."),
        Term(
            "writable-descriptions",
            "User descriptions of the Nearby Interaction Service can be written."),
        Term("same-descriptions", "All Single characteristics have the same user description."),
        Term("undescribed-singles", "Several Single characteristics have no user description."),
        Term(
            "one-single-for-all",
            "The configuration data of every session is published in the first Single characteristic."
        ),
        Term(
            "miscounts-configurations",
            "The Multiple value counts one message more than it holds."),
    ]
}
