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
    case systemWrongAfter = "system-wrong-after"
    case launch
}

extension SystemParameter {
    package var form: ParameterForm {
        switch self {
        case .os:
            .choice(
                "The version of iOS; of a watch, the one of the same year (15 is watchOS 8).",
                SystemVersion.latest)
        case .permission:
            .choice(
                "Whether Nearby Interaction is allowed: asked at the first run (and the answer), or set before.",
                Permission.askAllow)
        case .promptDelay:
            .duration(
                "How long the user takes to answer the permission prompt.", 0 ... .seconds(600),
                standard: .seconds(1))
        case .backgroundPrompt:
            .choice(
                "Whether the permission prompt is shown while the app is in the background, or waits.",
                BackgroundPrompt.shown)
        case .withdrawnPermission:
            .choice(
                "What a session that runs gets when the user withdraws the permission.",
                WithdrawnPermission.invalidated)
        case .checkOrder:
            .choice(
                "Whether a run in the background is suspended before the permission is looked at, or after.",
                CheckOrder.backgroundFirst)
        case .usageDescription:
            .choice(
                "Whether the app has NSNearbyInteractionUsageDescription; without it nothing is allowed.",
                ["present", "missing"], standard: "present")
        case .usageText:
            .text(
                "What NSNearbyInteractionUsageDescription says, which the prompt shows.",
                standard: "a sentence of the reference app")
        case .bluetoothAccess:
            .choice(
                "Whether apps may use Bluetooth, and whether there is any; else no app finds anything.",
                ["allowed", "denied", "restricted", "unsupported"], standard: "allowed")
        case .serviceChanged:
            .choice(
                "Whose changes of services the system follows: some more requests on each link, as iOS makes to all.",
                ["apple-devices", "all"], standard: "apple-devices")
        case .servicesCache:
            .choice(
                "Whether the system keeps the services of bonded peers, and compares the Database Hash at each link.",
                ["none", "bonded", "hash"], standard: "none")
        case .mtu:
            .number(
                "The ATT MTU the phone asks for after connecting, in bytes.", 23...517,
                standard: 185)
        case .connectionInterval:
            .duration(
                "The connection interval of new links.", .microseconds(7_500) ... .seconds(4),
                standard: .milliseconds(30))
        case .connectionTimeout:
            .duration(
                "The supervision timeout of new links.", .milliseconds(100) ... .seconds(32),
                standard: .milliseconds(720))
        case .inspect:
            .flag(
                "Whether the system looks at all of the Nearby Interaction Service, as a lab would.",
                standard: false)
        case .startLatency:
            .duration(
                "How long the system takes from run to asking its radio.", 0 ... .seconds(60),
                standard: .milliseconds(20))
        case .startSlack:
            .duration(
                "How much longer it may take; where in between is the scheduler's choice.",
                0 ... .seconds(60), standard: .milliseconds(10))
        case .preparednessWindow:
            .duration(
                "How long after the shareable data the first measurement may take; then didRemove(timeout).",
                .milliseconds(10) ... .seconds(600), standard: .seconds(10))
        case .removalTimeout:
            .duration(
                "How long after the last measurement didRemove(timeout) comes.",
                .milliseconds(10) ... .seconds(600), standard: .seconds(5))
        case .sessionLimit:
            .number(
                "How many sessions may run at once; one more ends in activeSessionsLimitExceeded.",
                0...64, standard: 8)
        case .startOrder:
            .choice(
                "Which of sessionDidStartRunning and didGenerateShareableConfigurationData comes first.",
                StartOrder.startedFirst)
        case .ownInvalidate:
            .choice(
                "Whether the app's own invalidate() yields didInvalidateWith.", OwnInvalidate.silent
            )
        case .rerunStart:
            .choice(
                "Whether sessionDidStartRunning comes again when a running session is run again.",
                RerunStart.repeated)
        case .radioRefusal:
            .choice(
                "What the session gets when its radio refuses to start.", Ending.invalidated,
                of: [.invalidated, .removed])
        case .configurationMismatch:
            .choice(
                "What the session gets when the Nearby Interaction Service holds another configuration.",
                Ending.removed)
        case .compareInterval:
            .duration(
                "How often a session that runs is compared with the service again; 0 is only at its start.",
                0 ... .seconds(3_600), standard: 0)
        case .knowsMultiple:
            .flag(
                "Whether the system knows Multiple Configuration Data; else it reads Single alone (R4 4.3.3).",
                standard: true)
        case .unknownUWBVersion:
            .choice(
                "The error of a session whose configuration data has an unknown UWB version or role.",
                ["incompatiblePeerDevice", "invalidConfiguration"],
                standard: "incompatiblePeerDevice")
        case .resourceUsageLimit:
            .duration(
                "How long a session may run before resourceUsageTimeout; 0 is for ever.",
                0 ... .seconds(86_400), standard: 0)
        case .suspensionLimit:
            .duration(
                "How long a session may stay suspended before it ends; 0 is for ever.",
                0 ... .seconds(86_400), standard: 0)
        case .suspensionError:
            .choice(
                "The error of a session that was suspended for too long.",
                ["resourceUsageTimeout", "sessionFailed"], standard: "resourceUsageTimeout")
        case .backgroundMode:
            .choice(
                "Whether the app has a mode for the background; else it gets no time there, and hears of all later.",
                ["present", "missing"], standard: "present")
        case .backgroundTime:
            .duration(
                "How long an app without such a mode goes on in the background.",
                0 ... .seconds(600), standard: .seconds(5))
        case .backgroundStride:
            .number(
                "In how many ranging intervals a session measures once while the app is in the background.",
                1...255, standard: 1)
        case .backgroundLinkLoss:
            .choice(
                "What a session that goes on in the background gets when it loses its Bluetooth link there.",
                BackgroundLinkLoss.survives)
        case .unpairedAccessory:
            .choice(
                "What a session by bluetoothPeerIdentifier gets whose accessory is not paired or not connected.",
                UnpairedAccessory.invalidated)
        case .liveActivity:
            .flag(
                "Whether the app has a Live Activity, with which any session goes on in the background since iOS 18.4.",
                standard: false)
        case .cameraStart:
            .duration(
                "From running an ARSession to switching the camera on.", 0 ... .seconds(60),
                standard: .milliseconds(500))
        case .cameraFrameInterval:
            .duration(
                "From frame to frame of an ARSession; a phone takes more than it takes to know its way.",
                .milliseconds(10) ... .seconds(60), standard: .milliseconds(100))
        case .unsharedCamera:
            .choice(
                "What a session gets when another one, with another ARSession, takes the camera.",
                UnsharedCamera.invalidated)
        case .unreadyCamera:
            .choice(
                "What a session gets that is run with an ARSession that has no frame yet.",
                UnreadyCamera.invalidated)
        case .convergenceMovement:
            .length(
                "How far the device has to move until camera assistance has found an object.",
                0...10_000, standard: 300)
        case .convergenceSweep:
            .number(
                "How far it has to be turned to the side for that, in degrees.", 0...180,
                standard: 15)
        case .convergenceVerticalSweep:
            .number(
                "How far it has to be turned up or down for that, in degrees.", 0...90, standard: 5)
        case .convergenceLight:
            .number("How bright it has to be for that, in lux.", 0...100_000, standard: 50)
        case .convergenceDrift:
            .length(
                "How far an object may move and still be found; with extended distance any distance.",
                0...100_000, standard: 1_000)
        case .pairing:
            .choice(
                "What the user answers when asked to pair; with `none` the phone does not pair.",
                ["accept", "refuse", "none"], standard: "accept")
        case .pairingDelay:
            .duration(
                "How long the user takes to answer; after 30 s the pairing has failed.",
                0 ... .seconds(600), standard: .seconds(1))
        case .peerEnd:
            .choice(
                "When the peer of a session with another Apple device is told that it stops.",
                PeerEnd.invalidation)
        case .endedToken:
            .choice(
                "What becomes of a run with the token of a session that is known to be over.",
                EndedToken.refused)
        case .extendedWithoutSupport:
            .choice(
                "What becomes of a run with extended distance where one of the two devices cannot measure it.",
                ExtendedWithoutSupport.invalidConfiguration)
        case .multipeerInBackground:
            .choice(
                "What Multipeer does while the app is in the background.",
                MultipeerInBackground.dropped)
        case .localNetwork:
            .choice(
                "Whether the user lets the app onto the local network; else Multipeer does not start.",
                ["allowed", "denied"], standard: "allowed")
        case .companion:
            .text(
                "Of a watch: the name of the phone it is paired with, for Watch Connectivity.",
                standard: "none")
        case .deviceName:
            .text(
                "What UIDevice.name is; without a special right it is the kind of device, since iOS 16.",
                standard: "its kind")
        case .systemWrongAfter:
            .duration(
                "After this moment `misses-an-event` misses one, or `calls-at-an-event` calls at one.",
                0 ... .seconds(600), standard: 0)
        case .launch:
            .flag(
                "Whether the app is launched at power-on; else it waits for `launch`.",
                standard: true)
        }
    }
}
