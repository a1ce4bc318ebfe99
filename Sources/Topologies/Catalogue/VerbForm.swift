/// How a verb is written in a step: its target, what else it takes, what undoes it.
package struct VerbForm: Equatable, Sendable {
    /// What stands after the verb.
    package enum Target: Equatable, Sendable {
        /// Two devices.
        case pair
        /// One device.
        case device
        /// One device of these kinds, which understands the command.
        case command([Catalogue.Kind])
    }

    /// The verb.
    package var name: String
    /// What it is done to.
    package var target: Target
    /// Keys that must stand beside it.
    package var required: [String]
    /// Keys that may stand beside it.
    package var optional: [String]
    /// The verb that undoes it, where `for:` may say when.
    package var undo: String?
    /// What it does, in a sentence.
    package var explanation: String

    /// All that may stand beside the verb.
    package var modifiers: [String] { required + optional + (undo == nil ? [] : ["for"]) }

    private init(
        _ name: String, _ target: Target, _ explanation: String, required: [String] = [],
        optional: [String] = [], undo: String? = nil
    ) {
        self.name = name
        self.target = target
        self.explanation = explanation
        self.required = required
        self.optional = optional
        self.undo = undo
    }

    /// All verbs, in the order of the documentation.
    package static let all = air + process + messages + system

    /// The form of a verb; nil for an unknown one.
    package static func named(_ name: String) -> VerbForm? { all.first { $0.name == name } }

    /// Every key that some verb takes beside it, each once.
    package static let allModifiers: [String] = all.reduce(into: []) { found, form in
        found += form.modifiers.filter { !found.contains($0) }
    }

    private static let air = [
        VerbForm(
            "disconnect", .pair, "Ends the link between two devices.", optional: ["reason"]),
        VerbForm(
            "loss", .pair, "This part of the connection events between two devices is lost.",
            required: ["ratio"], optional: ["for"]),
        VerbForm(
            "delay", .pair, "Every packet between two devices waits longer.", required: ["by"],
            optional: ["for"]),
        VerbForm(
            "throttle", .pair, "A connection event carries only so many frames.", required: ["to"],
            optional: ["for"]),
        VerbForm(
            "hold", .pair, "What the first device sends waits, in order, until it is released.",
            undo: "release"),
        VerbForm("release", .pair, "Ends a hold."),
        VerbForm(
            "partition", .pair, "Two devices are out of reach of one another on both radios.",
            optional: ["one-way", "for"]),
        VerbForm("repair", .pair, "Ends a partition."),
        VerbForm(
            "move", .device, "Walks to a place, at once unless `over` says how long it takes.",
            required: ["to"], optional: ["over"]),
        VerbForm("obstruct", .pair, "Something stands between two devices.", undo: "clear"),
        VerbForm("clear", .pair, "Nothing stands between two devices any more."),
        VerbForm(
            "refuse-uwb", .device, "The UWB radio refuses the next start, or so many of them.",
            optional: ["count"]),
    ]

    private static let process = [
        VerbForm(
            "kill", .device,
            "Kills the process, at once or after so many answers of its next turn.",
            optional: ["after-answers"], undo: "restart"),
        VerbForm("restart", .device, "Starts a killed device again."),
        VerbForm(
            "freeze", .device, "Stops the process between turns; its controller lives on.",
            undo: "thaw"),
        VerbForm("thaw", .device, "Ends a freeze."),
    ]

    private static let messages = [
        VerbForm(
            "garble", .device,
            "Every byte of the next message it sends is replaced by a random one.",
            optional: ["message", "count"]),
        VerbForm(
            "truncate", .device, "Only the first so many bytes of its next message are sent.",
            required: ["to"], optional: ["message", "count"]),
        VerbForm(
            "extend", .device, "So many random bytes are added to its next message.",
            required: ["by"], optional: ["message", "count"]),
        VerbForm(
            "corrupt", .device, "One random bit of its next message is flipped.",
            optional: ["message", "count"]),
    ]

    private static let apple: Target = .command([.appleDevice])
    private static let anyDevice: Target = .command([.appleDevice, .accessory])

    private static let system = [
        VerbForm("background", apple, "The app leaves the screen.", undo: "foreground"),
        VerbForm("foreground", apple, "The app comes back to the screen."),
        VerbForm("lock", apple, "The screen is locked.", undo: "unlock"),
        VerbForm("unlock", apple, "The screen is unlocked."),
        VerbForm("suspend", apple, "The system suspends all sessions.", undo: "resume"),
        VerbForm("resume", apple, "The suspension of all sessions ends."),
        VerbForm("allow", apple, "The user allows Nearby Interaction."),
        VerbForm("deny", apple, "The user denies Nearby Interaction."),
        VerbForm("bluetooth-off", anyDevice, "Bluetooth is switched off.", undo: "bluetooth-on"),
        VerbForm("bluetooth-on", anyDevice, "Bluetooth is switched on."),
        VerbForm("terminate", apple, "The app is ended by the user.", undo: "launch"),
        VerbForm("launch", apple, "The app is started by the user."),
        VerbForm("start", apple, "The app is asked to range.", optional: ["peer"]),
        VerbForm(
            "stop", anyDevice, "The app (or a button on the accessory) ends ranging.",
            optional: ["peer"]),
        VerbForm(
            "invalidate", apple, "The system invalidates one session, or all.",
            optional: ["peer", "error"]),
        VerbForm(
            "peer-ended", apple, "The system learns that the accessory ended its session.",
            optional: ["peer"]),
        VerbForm("exhaust", apple, "Other apps use up the session limit.", undo: "replenish"),
        VerbForm("replenish", apple, "Other apps free the session limit."),
        VerbForm(
            "command", .command([.foreign]), "Any command to somebody else's program.",
            required: ["name"], optional: ["arguments"]),
    ]
}
