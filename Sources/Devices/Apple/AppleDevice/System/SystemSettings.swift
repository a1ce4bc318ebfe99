package import ARKit
package import CoreBluetooth
package import DeviceKit
package import NearbyInteraction
package import Vocabulary

/// What a topology says about a device, checked: the system's part, and the app's as it is.
///
/// What begins with a row of `SystemParameter` is what that says.
package struct SystemSettings: Equatable, Sendable {
    package private(set) var nearbyInteraction = NearbyInteractionParameters.standard
    /// What apps may do with Bluetooth.
    package private(set) var bluetoothAccess = BluetoothAccess.allowed
    /// Of which peers the system follows changes of their services.
    package private(set) var follows = FollowedPeers.appleDevices
    /// Of which peers the system keeps what it has discovered.
    package private(set) var caching = ServiceCaching.none
    /// What the user does about pairing.
    package private(set) var pairing = PairingUser(answer: .accept)
    package private(set) var mtu: UInt16 = SystemParameter.mtu.standard()
    /// The timing of new links, without latency.
    package private(set) var timing = ConnectionParameters(
        interval: interval(of: SystemParameter.connectionInterval.standard()), latency: 0,
        timeout: timeout(of: SystemParameter.connectionTimeout.standard()))
    package private(set) var inspects: Bool = SystemParameter.inspect.standard()
    package private(set) var knowsMultiple: Bool = SystemParameter.knowsMultiple.standard()
    /// How long the app goes on in the background; nil for as long as it wants.
    package var backgroundTime: Nanoseconds? { hasBackgroundMode ? nil : longestBackgroundTime }
    private var hasBackgroundMode = SystemParameter.backgroundMode.standard(of: backgroundModes)
    private var longestBackgroundTime: Nanoseconds = SystemParameter.backgroundTime.standard()
    /// What kind of device it is: `iPhone`, or another.
    package private(set) var deviceKind = "iPhone"
    /// What `UIDevice.name` is; nil where it is that kind.
    package private(set) var deviceName: String?
    package private(set) var multipeerInBackground: SystemParameter.MultipeerInBackground =
        SystemParameter.multipeerInBackground.standard()
    package private(set) var usesLocalNetwork = SystemParameter.localNetwork.standard(
        of: localNetworks)
    /// The phone that this watch is paired with; nil for none.
    package private(set) var companion: String?
    package private(set) var camera = CameraParameters(
        startDelay: SystemParameter.cameraStart.standard(),
        frameInterval: milliseconds(SystemParameter.cameraFrameInterval.standard()),
        light: SystemParameter.convergenceLight.standard())
    package private(set) var launchesApp: Bool = SystemParameter.launch.standard()
    /// What is for the app.
    package private(set) var appLaunch = AppLaunch(device: "")

    // What the rows say; made once, because every start begins with it. An initialiser would make it
    // again before it copied this one, so a function gives settings.
    private static let standard = Self()

    private static let localNetworks = [("allowed", true), ("denied", false)]

    private static let backgroundModes = [("present", true), ("missing", false)]

    private init() {}

    /// The settings of one incarnation.
    ///
    /// - Throws: `Refusal` where the model, a parameter or a defect is unknown to the system and the app,
    ///   or a value is none of its range.
    package static func read(
        _ reset: Reset, appParameters: [String], appDefects: [String]
    ) throws(Refusal) -> Self {
        var settings = standard
        try settings.take(reset, appParameters, appDefects)
        return settings
    }

    private mutating func take(
        _ reset: Reset, _ appParameters: [String], _ appDefects: [String]
    ) throws(Refusal) {
        appLaunch = AppLaunch(device: reset.name)
        guard let model = Catalogue.model(named: reset.model) else {
            let known = Catalogue.models.flatMap { [$0.identifier, $0.name] }
            throw .unknown("model", named: reset.model, known: known)
        }
        deviceKind = model.kind
        for pair in reset.parameters {
            if let parameter = SystemParameter(rawValue: pair.name) {
                try set(parameter, to: pair)
            } else if appParameters.contains(pair.name) {
                appLaunch.parameters.append(pair)
            } else {
                let known = SystemParameter.allCases.map(\.rawValue) + appParameters
                throw .unknown("parameter", named: pair.name, known: known)
            }
        }
        nearbyInteraction.isWatch = model.kind == "Apple Watch"
        guard version >= model.since else {
            throw Refusal(
                "parameter os must be at least \(model.since.rawValue) for an \(model.name), not "
                    + version.rawValue)
        }
        nearbyInteraction.capabilities = model.capabilities.known(to: version)
        for defect in reset.defects { try switchOn(defect, knownToApp: appDefects) }
        guard timing.outlastsSilence else {
            throw Refusal(
                "parameter connection-timeout of an Apple device must be more than twice its "
                    + "connection-interval")
        }
    }

    private mutating func switchOn(
        _ name: String, knownToApp appDefects: [String]
    ) throws(Refusal) {
        if let defect = SystemDefect(rawValue: name) {
            nearbyInteraction.defects.append(defect)
        } else if appDefects.contains(name) {
            appLaunch.defects.append(name)
        } else {
            let known = SystemDefect.allCases.map(\.rawValue) + appDefects
            throw .unknown("defect", named: name, known: known)
        }
    }

    private mutating func set(_ parameter: SystemParameter, to pair: Pair) throws(Refusal) {
        func number() throws(Refusal) -> UInt64 { try pair.number(in: parameter.range) }
        switch parameter {
        case .os: nearbyInteraction.version = try pair.choice()
        case .permission: nearbyInteraction.permission = try pair.choice()
        case .promptDelay: nearbyInteraction.promptDelay = try number()
        case .backgroundPrompt: nearbyInteraction.backgroundPrompt = try pair.choice()
        case .withdrawnPermission: nearbyInteraction.withdrawnPermission = try pair.choice()
        case .checkOrder: nearbyInteraction.checkOrder = try pair.choice()
        case .compareInterval: nearbyInteraction.compareInterval = try number()
        case .knowsMultiple: knowsMultiple = try pair.flag()
        case .unknownUWBVersion:
            nearbyInteraction.unknownUWBVersion = try pair.choice(
                of: NearbyInteractionParameters.unknownUWBVersions)
        case .suspensionError:
            nearbyInteraction.suspensionError = try pair.choice(
                of: NearbyInteractionParameters.suspensionErrors)
        case .usageDescription:
            nearbyInteraction.hasUsageDescription = try pair.choice(
                of: NearbyInteractionParameters.usageDescriptions)
        case .usageText: nearbyInteraction.usageText = pair.value
        case .bluetoothAccess: bluetoothAccess = try pair.choice()
        case .serviceChanged: follows = try pair.choice()
        case .servicesCache: caching = try pair.choice()
        case .mtu: mtu = UInt16(try number())
        case .connectionInterval: timing.interval = Self.interval(of: try number())
        case .connectionTimeout: timing.timeout = Self.timeout(of: try number())
        case .inspect: inspects = try pair.flag()
        case .startLatency: nearbyInteraction.startLatency = try number()
        case .startSlack: nearbyInteraction.startSlack = try number()
        case .preparednessWindow: nearbyInteraction.preparednessWindow = try number()
        case .removalTimeout: nearbyInteraction.removalTimeout = try number()
        case .sessionLimit: nearbyInteraction.sessionLimit = Int(try number())
        case .startOrder: nearbyInteraction.startOrder = try pair.choice()
        case .ownInvalidate: nearbyInteraction.ownInvalidate = try pair.choice()
        case .rerunStart: nearbyInteraction.rerunStart = try pair.choice()
        case .radioRefusal: nearbyInteraction.radioRefusal = try pair.choice()
        case .configurationMismatch: nearbyInteraction.configurationMismatch = try pair.choice()
        case .resourceUsageLimit: nearbyInteraction.resourceUsageLimit = try number()
        case .suspensionLimit: nearbyInteraction.suspensionLimit = try number()
        case .backgroundMode:
            hasBackgroundMode = try pair.choice(of: Self.backgroundModes)
        case .backgroundTime: longestBackgroundTime = try number()
        case .backgroundStride: nearbyInteraction.backgroundStride = Int(try number())
        case .backgroundLinkLoss: nearbyInteraction.backgroundLinkLoss = try pair.choice()
        case .unpairedAccessory: nearbyInteraction.unpairedAccessory = try pair.choice()
        case .liveActivity: nearbyInteraction.hasLiveActivity = try pair.flag()
        case .cameraStart: camera.startDelay = try number()
        case .cameraFrameInterval: camera.frameInterval = Self.milliseconds(try number())
        case .unsharedCamera: nearbyInteraction.unsharedCamera = try pair.choice()
        case .unreadyCamera: nearbyInteraction.unreadyCamera = try pair.choice()
        case .convergenceMovement: nearbyInteraction.convergenceMovement = Int64(try number())
        case .convergenceSweep: nearbyInteraction.convergenceSweep = Int64(try number())
        case .convergenceVerticalSweep:
            nearbyInteraction.convergenceVerticalSweep = Int64(try number())
        case .convergenceLight:
            camera.light = UInt32(try number())
            nearbyInteraction.convergenceLight = camera.light
        case .convergenceDrift: nearbyInteraction.convergenceDrift = Int64(try number())
        case .pairing: pairing.answer = try pair.choice()
        case .pairingDelay: pairing.delay = try number()
        case .peerEnd: nearbyInteraction.peerEnd = try pair.choice()
        case .endedToken: nearbyInteraction.endedToken = try pair.choice()
        case .extendedWithoutSupport:
            nearbyInteraction.extendedWithoutSupport = try pair.choice()
        case .multipeerInBackground: multipeerInBackground = try pair.choice()
        case .localNetwork: usesLocalNetwork = try pair.choice(of: Self.localNetworks)
        case .companion: companion = pair.value
        case .deviceName: deviceName = pair.value
        case .systemWrongAfter: nearbyInteraction.systemWrongAfter = try number()
        case .launch: launchesApp = try pair.flag()
        }
    }

    package var version: SystemParameter.SystemVersion { nearbyInteraction.version }

    /// An interval in milliseconds, rounded down.
    private static func milliseconds(_ time: Nanoseconds) -> UInt16 {
        UInt16(time / .milliseconds(1))
    }

    /// An interval in the units of HCI: 1.25 ms, rounded down.
    private static func interval(of time: Nanoseconds) -> UInt16 {
        UInt16(time / .microseconds(1_250))
    }

    /// A supervision timeout in the units of HCI: 10 ms, rounded down.
    private static func timeout(of time: Nanoseconds) -> UInt16 {
        UInt16(time / .milliseconds(10))
    }
}
