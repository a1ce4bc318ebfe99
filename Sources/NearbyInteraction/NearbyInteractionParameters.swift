package import DeviceKit
package import Vocabulary

/// All that Apple does not publish about sessions, and what the user does.
package struct NearbyInteractionParameters: Equatable, Sendable {
    /// Which callback of a start comes first.
    package enum StartOrder: String, CaseIterable, Sendable {
        /// `sessionDidStartRunning`.
        case startedFirst = "started-first"
        /// `didGenerateShareableConfigurationData`.
        case shareableFirst = "shareable-first"
    }

    /// Whether the app's own `invalidate()` is called back.
    package enum OwnInvalidate: String, CaseIterable, Sendable {
        /// No callback.
        case silent
        /// `didInvalidateWith` `sessionFailed`.
        case callsBack = "calls-back"
    }

    /// Whether a running session that is run again starts again.
    package enum RerunStart: String, CaseIterable, Sendable {
        /// `sessionDidStartRunning` for every run.
        case repeated
        /// `sessionDidStartRunning` only for the run that made it running.
        case once
    }

    /// How a session ends whose start failed, or whose data is not what the accessory holds.
    package enum Ending: String, CaseIterable, Sendable {
        /// `didRemove` by timeout.
        case removed
        /// `didInvalidateWith` an error.
        case invalidated
    }

    /// Whether the user allows Nearby Interaction.
    package enum Permission: String, CaseIterable, Sendable {
        /// The user is asked at the first run and allows it.
        case askAllow = "ask-allow"
        /// The user is asked at the first run and denies it.
        case askDeny = "ask-deny"
        /// The user has allowed it before.
        case allowed
        /// The user has denied it before.
        case denied
    }

    /// What the model can measure.
    package var capabilities = DeviceCapabilities(
        distance: true, direction: true, camera: true, extendedDistance: false)
    /// Whether the user allows it.
    package var permission: Permission = SystemParameter.permission.standard()
    /// How long the user takes to answer the prompt.
    package var promptDelay: Nanoseconds = SystemParameter.promptDelay.standard()
    /// Whether the app says what it needs Nearby Interaction for.
    package var hasUsageDescription = SystemParameter.usageDescription.standard(
        of: usageDescriptions)
    /// From `run` to asking the radio.
    package var startLatency: Nanoseconds = SystemParameter.startLatency.standard()
    /// How much longer that may take.
    package var startSlack: Nanoseconds = SystemParameter.startSlack.standard()
    /// From the shareable data to the first measurement, at most.
    package var preparednessWindow: Nanoseconds = SystemParameter.preparednessWindow.standard()
    /// From the last measurement to the removal.
    package var removalTimeout: Nanoseconds = SystemParameter.removalTimeout.standard()
    /// How many sessions may be active at once.
    package var sessionLimit: Int = SystemParameter.sessionLimit.standard()
    /// Which callback of a start comes first.
    package var startOrder: StartOrder = SystemParameter.startOrder.standard()
    /// Whether the app's own `invalidate()` is called back.
    package var ownInvalidate: OwnInvalidate = SystemParameter.ownInvalidate.standard()
    /// Whether a running session that is run again starts again.
    package var rerunStart: RerunStart = SystemParameter.rerunStart.standard()
    /// How a session ends whose radio refused to start.
    package var radioRefusal: Ending = SystemParameter.radioRefusal.standard()
    /// How a session ends whose data is not what the accessory holds.
    package var configurationMismatch: Ending = SystemParameter.configurationMismatch.standard()
    /// How long a session may run; 0 is for ever.
    package var resourceUsageLimit: Nanoseconds = SystemParameter.resourceUsageLimit.standard()
    /// How long a session may stay suspended; 0 is for ever.
    package var suspensionLimit: Nanoseconds = SystemParameter.suspensionLimit.standard()
    /// Defects that are switched on.
    package var defects: [SystemDefect] = []

    /// What the words of `usage-description` stand for.
    package static let usageDescriptions = [("present", true), ("missing", false)]

    /// What the rows of the parameters say; made once, because every start begins with it.
    package static let standard = Self()

    private init() {}

    /// Whether a defect is switched on.
    package func has(_ defect: SystemDefect) -> Bool { defects.contains(defect) }
}
