import Basics
import DeviceLink

// The table of verbs, in the order of the documentation.
extension VerbForm {
    package static let all = air + process + messages + system

    private static let air = [
        VerbForm(
            .disconnect, .pair, "Ends the link between two devices.", [.reason],
            sweep: [.with()], random: .with("A link ends."), weaker: [.briefOutages]),
        VerbForm(
            .loss, .pair,
            "This part of the connection events, and of the ranging rounds, is lost between two devices.",
            [.ratio], end: .itself(or: nil), sweep: [.with([.ratio: half])],
            random: .with(
                "Half of the connection events between two devices are lost.", [.ratio: half])),
        VerbForm(
            .uwbLoss, .pair, "This part of the ranging rounds misses between two devices.",
            [.ratio], end: .itself(or: nil), sweep: [.with([.ratio: .ratio(Ratio(1, 1))])],
            random: .with("Half of the ranging rounds between two devices miss.", [.ratio: half])),
        VerbForm(
            .delay, .pair, "Every packet between two devices waits longer.", [.late],
            end: .itself(or: nil), sweep: [.with([.by: .duration(.milliseconds(200))])],
            random: .with(
                "Every packet between two devices waits 200 ms longer.",
                [.by: .duration(.milliseconds(200))])),
        VerbForm(
            .throttle, .pair, "A connection event carries only so many frames.", [.capacity],
            end: .itself(or: nil), sweep: [.with([.to: .integer(1)])],
            random: .with(
                "A connection event between two devices carries one frame.", [.to: .integer(1)])),
        VerbForm(
            .hold, .pair,
            "What the first device sends waits until it is released, and comes in its sequence then.",
            end: .verb(.release), sweep: [.with(eachWay: true)],
            random: .with("What one device sends to another waits."), weaker: [.late]),
        VerbForm(.release, .pair, "Ends a hold."),
        VerbForm(
            .partition, .pair, "Two devices are out of reach of one another on both radios.",
            [.oneWay], end: .itself(or: .repair),
            sweep: [
                .with(), .with([.oneWay: .flag(true)], as: "partition-one-way", eachWay: true),
            ],
            random: .with("Two devices are out of reach of one another."),
            weaker: [.late, .oneWay]),
        VerbForm(.repair, .pair, "Ends a partition."),
        VerbForm(
            .move, .device, "Walks to a place, at once unless `over` says how long it takes.",
            [.place, .over], sweep: [.outOfReachAndBack]),
        VerbForm(
            .turn, .device,
            "Turns to look somewhere else, at once unless `over` says how long it takes.",
            [.heading, .pitch, .over]),
        VerbForm(
            .rotate, .device,
            "An Apple device is held upright or on its side; directions take it upright.",
            [.orientation]),
        VerbForm(
            .light, .device, "It is so bright where an Apple device is; its camera needs light.",
            [.lux]),
        VerbForm(
            .obstruct, .pair,
            "Something stands between two devices: no direction, some rounds miss, distances are too long.",
            end: .verb(.clear), sweep: [.with()],
            random: .with("Something stands between two devices.")),
        VerbForm(.clear, .pair, "Nothing stands between two devices any more."),
        VerbForm(
            .refuseUWB, .device, "The UWB radio refuses the next start, or so many of them.",
            [.count, .status], sweep: [.with()],
            random: .with("A UWB radio refuses its next start.")),
    ]

    private static let half = VerbSetting.Value.ratio(Ratio(1, 2))

    private static let process = [
        VerbForm(
            .kill, .device,
            "Kills the process, at once or after so many answers of its next turn.",
            [.afterAnswers], end: .verb(.restart),
            sweep: [.with(), .with([.afterAnswers: .integer(1)], as: "kill-in-a-turn")],
            random: .with(
                "A process is killed, and started again.",
                drawing: .init(name: .afterAnswers, below: 4)),
            weaker: [.briefOutages, .disconnections, .verb(.freeze)]),
        VerbForm(.restart, .device, "Starts a killed device again."),
        VerbForm(
            .freeze, .device, "Stops the process between turns; its controller lives on.",
            end: .verb(.thaw), sweep: [.with()], random: .with("A process stands still."),
            weaker: [.briefOutages]),
        VerbForm(.thaw, .device, "Ends a freeze."),
        VerbForm(
            .busy, .device, "Whatever it posts to its queues waits longer.", [.late],
            end: .itself(or: nil), sweep: [.with([.by: .duration(.milliseconds(20))])],
            random: .with(
                "Whatever a device posts to its queues waits 20 ms longer.",
                [.by: .duration(.milliseconds(20))])),
    ]

    private static let messages = [
        VerbForm(
            .garble, .device,
            "Every byte of the next message it sends is replaced by a random one.",
            [.message, .count], sweep: [.with()], weaker: [.verb(.corrupt)]),
        VerbForm(
            .truncate, .device, "Only the first so many bytes of its next message are sent.",
            [.shorter, .message, .count], sweep: [.with([.to: .integer(1)])],
            weaker: [.verb(.corrupt)]),
        VerbForm(
            .extend, .device, "So many random bytes are added to its next message.",
            [.longer, .message, .count], sweep: [.with([.by: .integer(8)])],
            weaker: [.verb(.corrupt)]),
        VerbForm(
            .corrupt, .device, "One random bit of its next message is flipped.",
            [.message, .count], sweep: [.with()], random: .with("A bit of a message is flipped.")),
    ]

    private static func told(_ command: CommandName, _ name: String, _ value: String) -> Command {
        Command(name: command.rawValue, arguments: [Pair(name, value)])
    }

    private static let apple: Target = .command([.appleDevice])
    private static let anyDevice: Target = .command([.appleDevice, .accessory])

    private static let system = [
        VerbForm(
            .background, apple, "The app leaves the screen.", end: .verb(.foreground),
            sweep: [.with()], random: .with("The app leaves the screen.")),
        VerbForm(.foreground, apple, "The app comes back to the screen."),
        VerbForm(
            .lock, apple, "The screen is locked.", end: .verb(.unlock), sweep: [.with()],
            weaker: [.verb(.background)]),
        VerbForm(.unlock, apple, "The screen is unlocked."),
        VerbForm(
            .suspend, apple, "The system suspends all sessions.", end: .verb(.resume),
            sweep: [.with()], random: .with("The system suspends all sessions.")),
        VerbForm(.resume, apple, "The suspension of all sessions ends."),
        VerbForm(
            .allow, apple, "The user allows Nearby Interaction.",
            telling: told(.permission, "answer", "allow")),
        VerbForm(
            .deny, apple, "The user denies Nearby Interaction.",
            telling: told(.permission, "answer", "deny"), sweep: [.with()]),
        VerbForm(
            .bluetoothOff, anyDevice, "Bluetooth is switched off.", end: .verb(.bluetoothOn),
            telling: told(.bluetooth, "power", "off"), sweep: [.with()],
            random: .with("Bluetooth is off.", as: "bluetooth"),
            weaker: [.briefOutages, .disconnections]),
        VerbForm(
            .bluetoothOn, anyDevice, "Bluetooth is switched on.",
            telling: told(.bluetooth, "power", "on")),
        VerbForm(
            .bluetoothReset, apple,
            "The system's Bluetooth restarts: managers are resetting, and a second later powered on.",
            telling: told(.bluetooth, "power", "reset")),
        VerbForm(
            .terminate, apple, "The app is ended by the user.", end: .verb(.launch),
            sweep: [.with()],
            random: .with("The app is ended by the user, and started again."),
            weaker: [.verb(.background)]),
        VerbForm(
            .jetsam, apple,
            "The app is ended by the system, which launches it when a manager that it restores is needed.",
            end: .verb(.launch)),
        VerbForm(
            .deleteApp, apple,
            "The app is deleted, and with it its settings and what the user has allowed; `launch` installs it again."
        ),
        VerbForm(.launch, apple, "The app is started by the user."),
        VerbForm(.start, apple, "The app is asked to range.", [.peer]),
        VerbForm(
            .stop, anyDevice, "The app (or a button on the accessory) ends ranging.", [.peer],
            sweep: [.with()]),
        VerbForm(
            .invalidate, apple, "The system invalidates one session, or all.", [.peer, .error],
            sweep: [.with()]),
        VerbForm(
            .peerEnded, apple, "The session with a peer is over, as both radios hear.", [.peer],
            sweep: [.with()]),
        VerbForm(
            .forgetBond, anyDevice,
            "Forgets the keys of all that it has paired with; a link that is encrypted stays so until it ends."
        ),
        VerbForm(
            .changeAddress, .command([.accessory]),
            "Shows a new resolvable private address, which phones that have paired with it recognise."
        ),
        VerbForm(
            .exhaust, apple, "Other apps use up the session limit.", end: .verb(.replenish),
            telling: told(.exhaust, "on", "true"), sweep: [.with()]),
        VerbForm(
            .replenish, apple, "Other apps free the session limit.",
            telling: told(.exhaust, "on", "false")),
        VerbForm(
            .findMy, apple,
            "Somebody uses Find My, which takes what extended distance is measured with.",
            end: .verb(.leaveFindMy), telling: told(.findMy, "on", "true")),
        VerbForm(
            .leaveFindMy, apple, "Find My is left.", telling: told(.findMy, "on", "false")),
        VerbForm(
            .blockMain, apple,
            "The main thread of the app is busy: its main queue and its user wait, its other queues do not.",
            end: .verb(.unblockMain), telling: told(.mainThread, "state", "busy"),
            sweep: [.with()],
            random: .with("The main thread of an app is busy.")),
        VerbForm(
            .unblockMain, apple, "The main thread of the app is free again.",
            telling: told(.mainThread, "state", "free")),
        VerbForm(
            .command, .command([.foreign]), "Any command to somebody else's program.",
            [.command, .arguments]),
    ]
}
