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

    package static let appleDefects = appDefects + systemDefects

    /// The defects that let a device crash; a reference device without one never does.
    package static let crashingDefects = ["crashes-on-unknown-message"]

    private static let appDefects = [
        Term(
            "initialize-before-subscription",
            "initialize is written before the subscription is acknowledged."),
        Term(
            "single-configuration",
            "One global configuration for all accessories: the last one received wins."),
        Term("unbounded-retries", "Failed attempts are repeated at once and for ever."),
        Term("ignores-suspension-ended", "sessionSuspensionEnded is only logged."),
        Term(
            "ranges-through-suspension",
            "The accessory is not told to stop when the session is suspended."),
        Term(
            "writes-after-invalidation",
            "After didInvalidateWith the old session's shareable data is sent once more."),
        Term(
            "second-session-per-service",
            "An accessory counts as connected once for each of its services."),
        Term("disconnects-on-did-stop", "accessoryUwbDidStop ends the Bluetooth link."),
        Term(
            "resumes-old-configuration",
            "When a suspension ended the old configuration is run again."),
        Term(
            "crashes-on-unknown-message",
            "A message that cannot be decoded crashes the device (by process only)."),
        Term("ignores-removal", "didRemove is ignored; the app believes that it still ranges."),
        Term(
            "keeps-session-after-disconnect",
            "A lost link leaves its NISession running; the next link runs it again."),
        Term("retries-when-denied", "userDidNotAllow is retried at once and for ever."),
        Term(
            "truncates-writes", "Messages are cut to the write length of the moment of connecting."),
        Term(
            "changes-configuration",
            "The update rate in the accessory's configuration data is set to automatic."),
        Term("runs-invalidated-session", "An invalidated session is kept and run again."),
        Term(
            "retries-when-ended",
            "A session that the accessory has ended is retried as after a timeout."),
        Term("runs-while-suspended", "A session that was suspended is run again at once."),
        Term("notifies-in-foreground", "What the accessory tells is shown in the foreground, too."),
        Term(
            "keeps-lost-accessories",
            "An accessory that timed out stays on the list, and its pending connection with it."),
        Term(
            "loses-connected-accessories",
            "A connected accessory has to be heard advertising to stay on the list."),
        Term(
            "keeps-configuration",
            "The configuration data of the last link is run on the next one."),
        Term(
            "forgets-to-invalidate", "The session of a lost link is replaced and not invalidated."),
        Term(
            "tries-after-giving-up",
            "The app says that it has given up, and tries on after a while."),
        Term(
            "abandons-lost-link",
            "A lost link is forgotten: nothing looks for the accessory any more."),
        Term("delays-shareable-data", "Shareable data is passed on a second later."),
    ]

    private static let systemDefects = [
        Term("update-while-suspended", "didUpdate goes on while the session is suspended."),
        Term("second-outcome", "sessionDidStartRunning comes twice for one run."),
        Term(
            "callback-after-invalidation",
            "After didInvalidateWith of a running session didRemove follows."),
        Term("silent-refusal", "A session whose radio refuses to start is told nothing."),
        Term(
            "update-before-shareable-data",
            "didUpdate comes without a distance before the shareable data does."),
        Term("updates-after-removal", "didRemove is called, and measuring goes on."),
        Term(
            "resumes-by-itself",
            "sessionDidStartRunning follows sessionSuspensionEnded without a run."),
        Term(
            "ignores-background", "Sessions go on as they are when the app leaves the foreground."),
        Term(
            "starts-in-background",
            "A session that is run in the background starts as in the foreground."),
        Term("starts-though-denied", "A session starts although the user does not allow it."),
        Term(
            "ignores-denial", "A running session goes on when the user withdraws the permission."),
        Term("zero-for-miss", "A miss is told as a distance of 0."),
        Term("repeats-session-id", "Every ranging session has the same session id."),
        Term(
            "shares-other-session-id",
            "The radio ranges with another session id than the shareable data says."),
        Term(
            "ignores-update-rate",
            "The interval is that of an infrequent rate, whatever the accessory prefers."),
        Term(
            "skips-verification",
            "Ranging goes on in the background without a look at the Nearby Interaction Service."),
        Term(
            "reads-single-beside-multiple",
            "Single characteristics are read although there is a Multiple one."),
        Term("shows-hidden-service", "Apps are shown the Nearby Interaction Service."),
    ]

    /// The names of NIError's codes, which `invalidate` can bring about.
    package static let sessionErrors = [
        "unsupportedPlatform", "invalidConfiguration", "sessionFailed", "resourceUsageTimeout",
        "activeSessionsLimitExceeded", "userDidNotAllow", "invalidARConfiguration",
        "accessoryPeerDeviceUnavailable", "incompatiblePeerDevice",
        "activeExtendedDistanceSessionsLimitExceeded",
    ]
}
