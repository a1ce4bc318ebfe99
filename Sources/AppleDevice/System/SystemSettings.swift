package import DeviceKit
package import NearbyInteraction
internal import Vocabulary

/// What a topology says about a device, checked: the system's part, and the app's as it is.
package struct SystemSettings: Equatable, Sendable {
    /// The name of a parameter of the system, as a topology writes it.
    package enum Name: String, CaseIterable, Sendable {
        /// Whether the user allows Nearby Interaction: a choice.
        case permission
        /// How long the user takes to answer the prompt: ns, 0 … 600 s.
        case promptDelay = "prompt-delay"
        /// Whether the app says what it needs Nearby Interaction for: `present` or `missing`.
        case usageDescription = "usage-description"
        /// From run to asking the radio: ns, 0 … 60 s.
        case startLatency = "start-latency"
        /// How much longer that may take: ns, 0 … 60 s.
        case startSlack = "start-slack"
        /// From shareable data to first measurement: ns, 10 ms … 600 s.
        case preparednessWindow = "preparedness-window"
        /// From last measurement to removal: ns, 10 ms … 600 s.
        case removalTimeout = "removal-timeout"
        /// Sessions that may run at once: 0 … 64.
        case sessionLimit = "session-limit"
        /// Which callback of a start comes first: a choice.
        case startOrder = "start-order"
        /// Whether the app's own `invalidate()` is called back: a choice.
        case ownInvalidate = "own-invalidate"
        /// Whether a running session that is run again starts again: a choice.
        case rerunStart = "rerun-start"
        /// What a session gets whose radio refuses: a choice.
        case radioRefusal = "radio-refusal"
        /// What a session gets whose data is not what the accessory holds: a choice.
        case configurationMismatch = "configuration-mismatch"
        /// How long a session may run: ns, 0 (for ever) … a day.
        case resourceUsageLimit = "resource-usage-limit"
        /// How long a session may stay suspended: ns, 0 (for ever) … a day.
        case suspensionLimit = "suspension-limit"
        /// The ATT MTU the phone asks for: bytes, 23 … 517.
        case mtu
        /// The interval of new links: ns, 7.5 ms … 4 s.
        case connectionInterval = "connection-interval"
        /// The supervision timeout of new links: ns, 100 ms … 32 s.
        case connectionTimeout = "connection-timeout"
        /// Whether the system inspects the Nearby Interaction Service on each link: a flag.
        case inspect
        /// Whether the app is launched at power-on: a flag.
        case launch
    }

    /// What Nearby Interaction does.
    package private(set) var nearbyInteraction = NearbyInteractionParameters()
    /// The ATT MTU the phone asks for.
    package private(set) var mtu: UInt16 = 185
    /// The timing of new links: an iPhone's 30 ms, no latency, 720 ms.
    package private(set) var timing = ConnectionParameters(interval: 24, latency: 0, timeout: 72)
    /// Whether the system inspects the Nearby Interaction Service on each link.
    package private(set) var inspects = false
    /// Whether the app is launched at power-on.
    package private(set) var launchesApp = true
    /// What is for the app.
    package private(set) var appLaunch: AppLaunch

    /// The settings of one incarnation.
    ///
    /// - Throws: `Refusal` where the model, a parameter or a defect is unknown to the system and the app,
    ///   or a value is none of its range.
    package init(
        _ reset: Reset, appParameters: [String], appDefects: [String]
    ) throws(Refusal) {
        appLaunch = AppLaunch(device: reset.name)
        guard let model = Catalogue.model(named: reset.model) else {
            let known = Catalogue.models.flatMap { [$0.identifier, $0.name] }
            throw .unknown("model", named: reset.model, known: known)
        }
        nearbyInteraction.capabilities = model.capabilities
        for pair in reset.parameters {
            if let name = Name(rawValue: pair.name) {
                try set(name, to: pair)
            } else if appParameters.contains(pair.name) {
                appLaunch.parameters.append(pair)
            } else {
                let known = Name.allCases.map(\.rawValue) + appParameters
                throw .unknown("parameter", named: pair.name, known: known)
            }
        }
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

    private mutating func set(_ name: Name, to pair: Pair) throws(Refusal) {
        let delay: ClosedRange<Nanoseconds> = 0 ... .seconds(60)
        let timeout: ClosedRange<Nanoseconds> = .milliseconds(10) ... .seconds(600)
        let limit: ClosedRange<Nanoseconds> = 0 ... .seconds(86_400)
        switch name {
        case .permission: nearbyInteraction.permission = try pair.choice()
        case .promptDelay:
            nearbyInteraction.promptDelay = try pair.number(in: 0 ... .seconds(600))
        case .usageDescription:
            nearbyInteraction.hasUsageDescription = try pair.choice(of: [
                ("present", true), ("missing", false),
            ])
        case .startLatency: nearbyInteraction.startLatency = try pair.number(in: delay)
        case .startSlack: nearbyInteraction.startSlack = try pair.number(in: delay)
        case .preparednessWindow:
            nearbyInteraction.preparednessWindow = try pair.number(in: timeout)
        case .removalTimeout: nearbyInteraction.removalTimeout = try pair.number(in: timeout)
        case .sessionLimit: nearbyInteraction.sessionLimit = Int(try pair.number(in: 0...64))
        case .startOrder: nearbyInteraction.startOrder = try pair.choice()
        case .ownInvalidate: nearbyInteraction.ownInvalidate = try pair.choice()
        case .rerunStart: nearbyInteraction.rerunStart = try pair.choice()
        case .radioRefusal: nearbyInteraction.radioRefusal = try pair.choice()
        case .configurationMismatch:
            nearbyInteraction.configurationMismatch = try pair.choice()
        case .resourceUsageLimit: nearbyInteraction.resourceUsageLimit = try pair.number(in: limit)
        case .suspensionLimit: nearbyInteraction.suspensionLimit = try pair.number(in: limit)
        case .mtu: mtu = UInt16(try pair.number(in: 23...517))
        case .connectionInterval:
            timing.interval = UInt16(
                try pair.number(in: .microseconds(7_500) ... .seconds(4)) / .microseconds(1_250))
        case .connectionTimeout:
            timing.timeout = UInt16(
                try pair.number(in: .milliseconds(100) ... .seconds(32)) / .milliseconds(10))
        case .inspect: inspects = try pair.flag()
        case .launch: launchesApp = try pair.flag()
        }
    }
}
