import DeviceLink

/// What a topology can set about the system of an Apple device, whatever app runs there.
package enum SystemParameter: String, ParameterName {
    case os
    case permission
    case promptDelay = "prompt-delay"
    case backgroundPrompt = "background-prompt"
    case withdrawnPermission = "withdrawn-permission"
    case checkOrder = "check-order"
    case usageDescription = "usage-description"
    case usageText = "usage-text"
    case bluetoothAccess = "bluetooth-access"
    case serviceChanged = "service-changed"
    case servicesCache = "services-cache"
    case mtu
    case connectionInterval = "connection-interval"
    case connectionTimeout = "connection-timeout"
    case inspect
    case startLatency = "start-latency"
    case startSlack = "start-slack"
    case preparednessWindow = "preparedness-window"
    case removalTimeout = "removal-timeout"
    case sessionLimit = "session-limit"
    case startOrder = "start-order"
    case ownInvalidate = "own-invalidate"
    case rerunStart = "rerun-start"
    case radioRefusal = "radio-refusal"
    case configurationMismatch = "configuration-mismatch"
    case compareInterval = "compare-interval"
    case knowsMultiple = "knows-multiple"
    case unknownUWBVersion = "unknown-uwb-version"
    case resourceUsageLimit = "resource-usage-limit"
    case suspensionLimit = "suspension-limit"
    case suspensionError = "suspension-error"
    case backgroundMode = "background-mode"
    case backgroundTime = "background-time"
    case backgroundStride = "background-stride"
    case backgroundLinkLoss = "background-link-loss"
    case unpairedAccessory = "unpaired-accessory"
    case liveActivity = "live-activity"
    case cameraStart = "camera-start"
    case cameraFrameInterval = "camera-frame-interval"
    case unsharedCamera = "unshared-camera"
    case unreadyCamera = "unready-camera"
    case convergenceMovement = "convergence-movement"
    case convergenceSweep = "convergence-sweep"
    case convergenceVerticalSweep = "convergence-vertical-sweep"
    case convergenceLight = "convergence-light"
    case convergenceDrift = "convergence-drift"
    case pairing
    case pairingDelay = "pairing-delay"
    case peerEnd = "peer-end"
    case endedToken = "ended-token"
    case extendedWithoutSupport = "extended-without-support"
    case multipeerInBackground = "multipeer-in-background"
    case localNetwork = "local-network"
    case companion
    case deviceName = "device-name"
    case launch
}

extension SystemParameter {
    package var form: ParameterForm {
        switch self {
        case .os:
            ParameterForm(
                choice: SystemVersion.latest,
                "The version of iOS; of a watch, the one of the same year (15 is watchOS 8).")
        case .permission:
            ParameterForm(
                choice: Permission.askAllow,
                "Whether Nearby Interaction is allowed: asked at the first run (and the answer), or set before."
            )
        case .promptDelay:
            ParameterForm(
                .duration(Self.upTo(seconds: 600)), standard: .number(.seconds(1)),
                "How long the user takes to answer the permission prompt.")
        case .backgroundPrompt:
            ParameterForm(
                choice: BackgroundPrompt.shown,
                "Whether the permission prompt is shown while the app is in the background, or waits."
            )
        case .withdrawnPermission:
            ParameterForm(
                choice: WithdrawnPermission.invalidated,
                "What a session that runs gets when the user withdraws the permission.")
        case .checkOrder:
            ParameterForm(
                choice: CheckOrder.backgroundFirst,
                "Whether a run in the background is suspended before the permission is looked at, or after."
            )
        case .usageDescription:
            ParameterForm(
                .choice(["present", "missing"]), standard: .word("present"),
                "Whether the app has NSNearbyInteractionUsageDescription; without it nothing is allowed."
            )
        case .usageText:
            ParameterForm(
                .text, standard: .described("a sentence of the reference app"),
                "What NSNearbyInteractionUsageDescription says, which the prompt shows.")
        case .bluetoothAccess:
            ParameterForm(
                .choice(["allowed", "denied", "restricted", "unsupported"]),
                standard: .word("allowed"),
                "Whether apps may use Bluetooth, and whether there is any; else no app finds anything."
            )
        case .serviceChanged:
            ParameterForm(
                .choice(["apple-devices", "all"]), standard: .word("apple-devices"),
                "Whose changes of services the system follows: some more requests on each link, as iOS makes to all."
            )
        case .servicesCache:
            ParameterForm(
                .choice(["none", "bonded", "hash"]), standard: .word("none"),
                "Whether the system keeps the services of bonded peers, and compares the Database Hash at each link."
            )
        case .mtu:
            ParameterForm(
                .number(23...517), standard: .number(185),
                "The ATT MTU the phone asks for after connecting, in bytes.")
        case .connectionInterval:
            ParameterForm(
                .duration(Nanoseconds.microseconds(7_500)...Nanoseconds.seconds(4)),
                standard: .number(.milliseconds(30)),
                "The connection interval of new links.")
        case .connectionTimeout:
            ParameterForm(
                .duration(Nanoseconds.milliseconds(100)...Nanoseconds.seconds(32)),
                standard: .number(.milliseconds(720)),
                "The supervision timeout of new links.")
        case .inspect:
            ParameterForm(
                .flag, standard: .flag(false),
                "Whether the system looks at all of the Nearby Interaction Service, as a lab would."
            )
        case .startLatency:
            ParameterForm(
                .duration(Self.upTo(seconds: 60)), standard: .number(.milliseconds(20)),
                "How long the system takes from run to asking its radio.")
        case .startSlack:
            ParameterForm(
                .duration(Self.upTo(seconds: 60)), standard: .number(.milliseconds(10)),
                "How much longer it may take; where in between is the scheduler's choice.")
        case .preparednessWindow:
            ParameterForm(
                .duration(Nanoseconds.milliseconds(10)...Nanoseconds.seconds(600)),
                standard: .number(.seconds(10)),
                "How long after the shareable data the first measurement may take; then didRemove(timeout)."
            )
        case .removalTimeout:
            ParameterForm(
                .duration(Nanoseconds.milliseconds(10)...Nanoseconds.seconds(600)),
                standard: .number(.seconds(5)),
                "How long after the last measurement didRemove(timeout) comes.")
        case .sessionLimit:
            ParameterForm(
                .number(0...64), standard: .number(8),
                "How many sessions may run at once; one more ends in activeSessionsLimitExceeded.")
        case .startOrder:
            ParameterForm(
                choice: StartOrder.startedFirst,
                "Which of sessionDidStartRunning and didGenerateShareableConfigurationData comes first."
            )
        case .ownInvalidate:
            ParameterForm(
                choice: OwnInvalidate.silent,
                "Whether the app's own invalidate() yields didInvalidateWith.")
        case .rerunStart:
            ParameterForm(
                choice: RerunStart.repeated,
                "Whether sessionDidStartRunning comes again when a running session is run again.")
        case .radioRefusal:
            ParameterForm(
                choice: Ending.invalidated, of: [.invalidated, .removed],
                "What the session gets when its radio refuses to start.")
        case .configurationMismatch:
            ParameterForm(
                choice: Ending.removed,
                "What the session gets when the Nearby Interaction Service holds another configuration."
            )
        case .compareInterval:
            ParameterForm(
                .duration(Self.upTo(seconds: 3_600)), standard: .number(0),
                "How often a session that runs is compared with the service again; 0 is only at its start."
            )
        case .knowsMultiple:
            ParameterForm(
                .flag, standard: .flag(true),
                "Whether the system knows Multiple Configuration Data; else it reads Single alone (R4 4.3.3)."
            )
        case .unknownUWBVersion:
            ParameterForm(
                .choice(["incompatiblePeerDevice", "invalidConfiguration"]),
                standard: .word("incompatiblePeerDevice"),
                "The error of a session whose configuration data has an unknown UWB version or role."
            )
        case .resourceUsageLimit:
            ParameterForm(
                .duration(Self.upTo(seconds: 86_400)), standard: .number(0),
                "How long a session may run before resourceUsageTimeout; 0 is for ever.")
        case .suspensionLimit:
            ParameterForm(
                .duration(Self.upTo(seconds: 86_400)), standard: .number(0),
                "How long a session may stay suspended before it ends; 0 is for ever.")
        case .suspensionError:
            ParameterForm(
                .choice(["resourceUsageTimeout", "sessionFailed"]),
                standard: .word("resourceUsageTimeout"),
                "The error of a session that was suspended for too long.")
        case .backgroundMode:
            ParameterForm(
                .choice(["present", "missing"]), standard: .word("present"),
                "Whether the app has a mode for the background; else it gets no time there, and hears of all later."
            )
        case .backgroundTime:
            ParameterForm(
                .duration(Self.upTo(seconds: 600)), standard: .number(.seconds(5)),
                "How long an app without such a mode goes on in the background.")
        case .backgroundStride:
            ParameterForm(
                .number(1...255), standard: .number(1),
                "In how many ranging intervals a session measures once while the app is in the background."
            )
        case .backgroundLinkLoss:
            ParameterForm(
                choice: BackgroundLinkLoss.survives,
                "What a session that goes on in the background gets when it loses its Bluetooth link there."
            )
        case .unpairedAccessory:
            ParameterForm(
                choice: UnpairedAccessory.invalidated,
                "What a session by bluetoothPeerIdentifier gets whose accessory is not paired or not connected."
            )
        case .liveActivity:
            ParameterForm(
                .flag, standard: .flag(false),
                "Whether the app has a Live Activity, with which any session goes on in the background since iOS 18.4."
            )
        case .cameraStart:
            ParameterForm(
                .duration(Self.upTo(seconds: 60)), standard: .number(.milliseconds(500)),
                "From running an ARSession to switching the camera on.")
        case .cameraFrameInterval:
            ParameterForm(
                .duration(Nanoseconds.milliseconds(10)...Nanoseconds.seconds(60)),
                standard: .number(.milliseconds(100)),
                "From frame to frame of an ARSession; a phone takes more than it takes to know its way."
            )
        case .unsharedCamera:
            ParameterForm(
                choice: UnsharedCamera.invalidated,
                "What a session gets when another one, with another ARSession, takes the camera.")
        case .unreadyCamera:
            ParameterForm(
                choice: UnreadyCamera.invalidated,
                "What a session gets that is run with an ARSession that has no frame yet.")
        case .convergenceMovement:
            ParameterForm(
                .length(0...10_000), standard: .number(300),
                "How far the device has to move until camera assistance has found an object.")
        case .convergenceSweep:
            ParameterForm(
                .number(0...180), standard: .number(15),
                "How far it has to be turned to the side for that, in degrees.")
        case .convergenceVerticalSweep:
            ParameterForm(
                .number(0...90), standard: .number(5),
                "How far it has to be turned up or down for that, in degrees.")
        case .convergenceLight:
            ParameterForm(
                .number(0...100_000), standard: .number(50),
                "How bright it has to be for that, in lux.")
        case .convergenceDrift:
            ParameterForm(
                .length(0...100_000), standard: .number(1_000),
                "How far an object may move and still be found; with extended distance any distance."
            )
        case .pairing:
            ParameterForm(
                .choice(["accept", "refuse", "none"]), standard: .word("accept"),
                "What the user answers when asked to pair; with `none` the phone does not pair.")
        case .pairingDelay:
            ParameterForm(
                .duration(Self.upTo(seconds: 600)), standard: .number(.seconds(1)),
                "How long the user takes to answer; after 30 s the pairing has failed.")
        case .peerEnd:
            ParameterForm(
                choice: PeerEnd.invalidation,
                "When the peer of a session with another Apple device is told that it stops.")
        case .endedToken:
            ParameterForm(
                choice: EndedToken.refused,
                "What becomes of a run with the token of a session that is known to be over.")
        case .extendedWithoutSupport:
            ParameterForm(
                choice: ExtendedWithoutSupport.invalidConfiguration,
                "What becomes of a run with extended distance where one of the two devices cannot measure it."
            )
        case .multipeerInBackground:
            ParameterForm(
                choice: MultipeerInBackground.dropped,
                "What Multipeer does while the app is in the background.")
        case .localNetwork:
            ParameterForm(
                .choice(["allowed", "denied"]), standard: .word("allowed"),
                "Whether the user lets the app onto the local network; else Multipeer does not start."
            )
        case .companion:
            ParameterForm(
                .text, standard: .described("none"),
                "Of a watch: the name of the phone it is paired with, for Watch Connectivity.")
        case .deviceName:
            ParameterForm(
                .text, standard: .described("its kind"),
                "What UIDevice.name is; without a special right it is the kind of device, since iOS 16."
            )
        case .launch:
            ParameterForm(
                .flag, standard: .flag(true),
                "Whether the app is launched at power-on; else it waits for `launch`.")
        }
    }

    private static func upTo(seconds: UInt64) -> ClosedRange<Nanoseconds> {
        0...Nanoseconds.seconds(seconds)
    }
}
