package import DeviceKit
package import Vocabulary

/// All that Apple does not publish about sessions, and what the user does.
package struct NearbyInteractionParameters: Equatable, Sendable {
    // What each of them is, and in which unit, its row says.
    private typealias Row = SystemParameter
    /// What the model can measure.
    package var capabilities = DeviceCapabilities(
        distance: true, direction: true, camera: true, extendedDistance: false)
    package var version: SystemParameter.SystemVersion = Row.os.standard()
    /// Whether it is a watch, for which Nearby Interaction came a year later.
    package var isWatch = false
    package var permission: SystemParameter.Permission = Row.permission.standard()
    package var promptDelay: Nanoseconds = Row.promptDelay.standard()
    package var backgroundPrompt: SystemParameter.BackgroundPrompt = Row.backgroundPrompt.standard()
    package var withdrawnPermission: SystemParameter.WithdrawnPermission = Row.withdrawnPermission
        .standard()
    package var checkOrder: SystemParameter.CheckOrder = Row.checkOrder.standard()
    package var hasUsageDescription = Row.usageDescription.standard(of: usageDescriptions)
    package var startLatency: Nanoseconds = Row.startLatency.standard()
    package var startSlack: Nanoseconds = Row.startSlack.standard()
    package var preparednessWindow: Nanoseconds = Row.preparednessWindow.standard()
    package var removalTimeout: Nanoseconds = Row.removalTimeout.standard()
    package var sessionLimit: Int = Row.sessionLimit.standard()
    package var startOrder: SystemParameter.StartOrder = Row.startOrder.standard()
    package var ownInvalidate: SystemParameter.OwnInvalidate = Row.ownInvalidate.standard()
    package var rerunStart: SystemParameter.RerunStart = Row.rerunStart.standard()
    package var peerEnd: SystemParameter.PeerEnd = Row.peerEnd.standard()
    package var endedToken: SystemParameter.EndedToken = Row.endedToken.standard()
    package var extendedWithoutSupport: SystemParameter.ExtendedWithoutSupport = Row
        .extendedWithoutSupport.standard()
    /// What the prompt says.
    package var usageText = "Shows how far away things are."
    package var backgroundStride: Int = Row.backgroundStride.standard()
    package var backgroundLinkLoss: SystemParameter.BackgroundLinkLoss = Row.backgroundLinkLoss
        .standard()
    package var unpairedAccessory: SystemParameter.UnpairedAccessory = Row.unpairedAccessory
        .standard()
    package var hasLiveActivity: Bool = Row.liveActivity.standard()
    package var radioRefusal: SystemParameter.Ending = Row.radioRefusal.standard()
    package var configurationMismatch: SystemParameter.Ending = Row.configurationMismatch.standard()
    package var compareInterval: Nanoseconds = Row.compareInterval.standard()
    package var unknownUWBVersion = Row.unknownUWBVersion.standard(of: unknownUWBVersions)
    package var resourceUsageLimit: Nanoseconds = Row.resourceUsageLimit.standard()
    package var suspensionLimit: Nanoseconds = Row.suspensionLimit.standard()
    package var suspensionError = Row.suspensionError.standard(of: suspensionErrors)
    package var unsharedCamera: SystemParameter.UnsharedCamera = Row.unsharedCamera.standard()
    package var unreadyCamera: SystemParameter.UnreadyCamera = Row.unreadyCamera.standard()
    package var convergenceMovement: Int64 = Row.convergenceMovement.standard()
    package var convergenceSweep: Int64 = Row.convergenceSweep.standard()
    package var convergenceVerticalSweep: Int64 = Row.convergenceVerticalSweep.standard()
    package var convergenceLight: UInt32 = Row.convergenceLight.standard()
    package var convergenceDrift: Int64 = Row.convergenceDrift.standard()
    /// Defects that are switched on.
    package var defects: [SystemDefect] = []

    /// What the words of `usage-description` stand for.
    package static let usageDescriptions = [("present", true), ("missing", false)]

    /// What the words of `unknown-uwb-version` stand for.
    package static let unknownUWBVersions = named([.incompatiblePeerDevice, .invalidConfiguration])

    /// What the words of `suspension-error` stand for.
    package static let suspensionErrors = named([.resourceUsageTimeout, .sessionFailed])

    private static func named(_ codes: [NIError.Code]) -> [(String, NIError.Code)] {
        codes.map { ($0.name, $0) }
    }

    /// What the rows of the parameters say; made once, because every start begins with it.
    package static let standard = Self()

    private init() {}

    /// Whether a defect is switched on.
    package func has(_ defect: SystemDefect) -> Bool { defects.contains(defect) }
}
