package import DeviceLink

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

    /// What a device is told.
    package struct Command: Equatable, Sendable {
        /// The command's name, as devices know it.
        package var name: String
        /// Its arguments.
        package var arguments: [Pair]

        /// A command.
        package init(name: String, arguments: [Pair] = []) {
            self.name = name
            self.arguments = arguments
        }
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
    /// How a sweep of single faults strikes with it; empty where it does not: what undoes another verb,
    /// what is no disturbance (`start`, `allow`), and what nobody knows the meaning of (`command`).
    package var sweep: [SweepForm]
    /// What the device is told, without what may stand beside the verb; nil for a verb that is no command,
    /// or any.
    package var command: Command?

    /// All that may stand beside the verb.
    package var modifiers: [String] { required + optional + (undo == nil ? [] : ["for"]) }

    private init(
        _ name: String, _ target: Target, _ explanation: String, required: [String] = [],
        optional: [String] = [], undo: String? = nil, telling command: Command? = nil,
        sweep: SweepForm...
    ) {
        self.name = name
        self.target = target
        self.explanation = explanation
        self.required = required
        self.optional = optional
        self.undo = undo
        if case .command = target, name != "command" {
            self.command = command ?? Command(name: name)
        }
        self.sweep = sweep.map { form in
            var form = form
            if form.kind.isEmpty { form.kind = name }
            return form
        }
    }

    /// All verbs, in the order of the documentation.
    package static let all = air + process + messages + system

    /// The form of a verb; nil for an unknown one.
    package static func named(_ name: String) -> VerbForm? { all.first { $0.name == name } }

    /// The verbs that end what another one began.
    package static let endings = all.compactMap(\.undo).compactMap(named)

    /// Every key that some verb takes beside it, each once.
    package static let allModifiers: [String] = all.reduce(into: []) { found, form in
        found += form.modifiers.filter { !found.contains($0) }
    }

    private static let air = [
        VerbForm(
            "disconnect", .pair, "Ends the link between two devices.", optional: ["reason"],
            sweep: .on(.pairs)),
        VerbForm(
            "loss", .pair,
            "This part of the connection events, and of the ranging rounds, is lost between two devices.",
            required: ["ratio"], optional: ["for"], sweep: .during(.pairs, "ratio: 1/2")),
        VerbForm(
            "uwb-loss", .pair, "This part of the ranging rounds misses between two devices.",
            required: ["ratio"], optional: ["for"], sweep: .during(.pairs, "ratio: 1/1")),
        VerbForm(
            "delay", .pair, "Every packet between two devices waits longer.", required: ["by"],
            optional: ["for"], sweep: .during(.pairs, "by: 200ms")),
        VerbForm(
            "throttle", .pair, "A connection event carries only so many frames.", required: ["to"],
            optional: ["for"], sweep: .during(.pairs, "to: 1")),
        VerbForm(
            "hold", .pair, "What the first device sends waits, in order, until it is released.",
            undo: "release", sweep: .during(.ways)),
        VerbForm("release", .pair, "Ends a hold."),
        VerbForm(
            "partition", .pair, "Two devices are out of reach of one another on both radios.",
            optional: ["one-way", "for"],
            sweep: .during(.pairs),
            .during(.ways, "one-way: true", kind: "partition-one-way")),
        VerbForm("repair", .pair, "Ends a partition."),
        VerbForm(
            "move", .device, "Walks to a place, at once unless `over` says how long it takes.",
            required: ["to"], optional: ["over"],
            sweep: SweepForm(
                kind: "", targets: .devices, modifiers: .outOfReachAndBack, lasts: false)),
        VerbForm(
            "obstruct", .pair, "Something stands between two devices.", undo: "clear",
            sweep: .during(.pairs)),
        VerbForm("clear", .pair, "Nothing stands between two devices any more."),
        VerbForm(
            "refuse-uwb", .device, "The UWB radio refuses the next start, or so many of them.",
            optional: ["count"], sweep: .on(.devices)),
    ]

    private static let process = [
        VerbForm(
            "kill", .device,
            "Kills the process, at once or after so many answers of its next turn.",
            optional: ["after-answers"], undo: "restart",
            sweep: .during(.devices),
            .during(.devices, "after-answers: 1", kind: "kill-in-a-turn")),
        VerbForm("restart", .device, "Starts a killed device again."),
        VerbForm(
            "freeze", .device, "Stops the process between turns; its controller lives on.",
            undo: "thaw", sweep: .during(.devices)),
        VerbForm("thaw", .device, "Ends a freeze."),
        VerbForm(
            "busy", .device, "Whatever it posts to its queues waits longer.", required: ["by"],
            optional: ["for"], sweep: .during(.devices, "by: 20ms")),
    ]

    private static let messages = [
        VerbForm(
            "garble", .device,
            "Every byte of the next message it sends is replaced by a random one.",
            optional: ["message", "count"], sweep: .on(.devices)),
        VerbForm(
            "truncate", .device, "Only the first so many bytes of its next message are sent.",
            required: ["to"], optional: ["message", "count"], sweep: .on(.devices, "to: 1")),
        VerbForm(
            "extend", .device, "So many random bytes are added to its next message.",
            required: ["by"], optional: ["message", "count"], sweep: .on(.devices, "by: 8")),
        VerbForm(
            "corrupt", .device, "One random bit of its next message is flipped.",
            optional: ["message", "count"], sweep: .on(.devices)),
    ]

    private static func told(_ command: String, _ name: String, _ value: String) -> Command {
        Command(name: command, arguments: [Pair(name, value)])
    }

    private static let apple: Target = .command([.appleDevice])
    private static let anyDevice: Target = .command([.appleDevice, .accessory])

    private static let system = [
        VerbForm(
            "background", apple, "The app leaves the screen.", undo: "foreground",
            sweep: .during(.appleDevices)),
        VerbForm("foreground", apple, "The app comes back to the screen."),
        VerbForm(
            "lock", apple, "The screen is locked.", undo: "unlock", sweep: .during(.appleDevices)),
        VerbForm("unlock", apple, "The screen is unlocked."),
        VerbForm(
            "suspend", apple, "The system suspends all sessions.", undo: "resume",
            sweep: .during(.appleDevices)),
        VerbForm("resume", apple, "The suspension of all sessions ends."),
        VerbForm(
            "allow", apple, "The user allows Nearby Interaction.",
            telling: told("permission", "answer", "allow")),
        VerbForm(
            "deny", apple, "The user denies Nearby Interaction.",
            telling: told("permission", "answer", "deny"), sweep: .on(.appleDevices)),
        VerbForm(
            "bluetooth-off", anyDevice, "Bluetooth is switched off.", undo: "bluetooth-on",
            telling: told("bluetooth", "power", "off"), sweep: .during(.devices)),
        VerbForm(
            "bluetooth-on", anyDevice, "Bluetooth is switched on.",
            telling: told("bluetooth", "power", "on")),
        VerbForm(
            "terminate", apple, "The app is ended by the user.", undo: "launch",
            sweep: .during(.appleDevices)),
        VerbForm("launch", apple, "The app is started by the user."),
        VerbForm("start", apple, "The app is asked to range.", optional: ["peer"]),
        VerbForm(
            "stop", anyDevice, "The app (or a button on the accessory) ends ranging.",
            optional: ["peer"], sweep: .on(.devices)),
        VerbForm(
            "invalidate", apple, "The system invalidates one session, or all.",
            optional: ["peer", "error"], sweep: .on(.appleDevices)),
        VerbForm(
            "peer-ended", apple, "The system learns that the accessory ended its session.",
            optional: ["peer"], sweep: .on(.appleDevices)),
        VerbForm(
            "exhaust", apple, "Other apps use up the session limit.", undo: "replenish",
            telling: told("exhaust", "on", "true"), sweep: .during(.appleDevices)),
        VerbForm(
            "replenish", apple, "Other apps free the session limit.",
            telling: told("exhaust", "on", "false")),
        VerbForm(
            "command", .command([.foreign]), "Any command to somebody else's program.",
            required: ["name"], optional: ["arguments"]),
    ]
}
