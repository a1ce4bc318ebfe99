package import DeviceKit
package import Vocabulary

/// All that Apple does not publish about sessions, and what the user does.
///
/// What each is says the row of `SystemParameter` that it begins with; durations are nanoseconds, lengths millimetres,
/// angles degrees.
package struct NearbyInteractionParameters: Equatable, Sendable {
    /// What the model can measure.
    package var capabilities = DeviceCapabilities(
        distance: true, direction: true, camera: true, extendedDistance: false)
    package var version: SystemParameter.SystemVersion = SystemParameter.os.standard()
    /// Whether it is a watch, for which Nearby Interaction came a year later.
    package var isWatch = false
    package var permission: SystemParameter.Permission = SystemParameter.permission.standard()
    package var promptDelay: Nanoseconds = SystemParameter.promptDelay.standard()
    package var backgroundPrompt: SystemParameter.BackgroundPrompt = SystemParameter
        .backgroundPrompt.standard()
    package var withdrawnPermission: SystemParameter.WithdrawnPermission = SystemParameter
        .withdrawnPermission.standard()
    package var checkOrder: SystemParameter.CheckOrder = SystemParameter.checkOrder.standard()
    package var hasUsageDescription = SystemParameter.usageDescription.standard(
        of: usageDescriptions)
    package var startLatency: Nanoseconds = SystemParameter.startLatency.standard()
    package var startSlack: Nanoseconds = SystemParameter.startSlack.standard()
    package var preparednessWindow: Nanoseconds = SystemParameter.preparednessWindow.standard()
    package var removalTimeout: Nanoseconds = SystemParameter.removalTimeout.standard()
    package var sessionLimit: Int = SystemParameter.sessionLimit.standard()
    package var startOrder: SystemParameter.StartOrder = SystemParameter.startOrder.standard()
    package var ownInvalidate: SystemParameter.OwnInvalidate = SystemParameter.ownInvalidate
        .standard()
    package var rerunStart: SystemParameter.RerunStart = SystemParameter.rerunStart.standard()
    package var peerEnd: SystemParameter.PeerEnd = SystemParameter.peerEnd.standard()
    package var endedToken: SystemParameter.EndedToken = SystemParameter.endedToken.standard()
    package var extendedWithoutSupport: SystemParameter.ExtendedWithoutSupport = SystemParameter
        .extendedWithoutSupport.standard()
    /// What the prompt says.
    package var usageText = "Shows how far away things are."
    package var backgroundStride: Int = SystemParameter.backgroundStride.standard()
    package var backgroundLinkLoss: SystemParameter.BackgroundLinkLoss = SystemParameter
        .backgroundLinkLoss.standard()
    package var unpairedAccessory: SystemParameter.UnpairedAccessory = SystemParameter
        .unpairedAccessory.standard()
    package var hasLiveActivity: Bool = SystemParameter.liveActivity.standard()
    package var radioRefusal: SystemParameter.Ending = SystemParameter.radioRefusal.standard()
    package var configurationMismatch: SystemParameter.Ending = SystemParameter
        .configurationMismatch.standard()
    package var compareInterval: Nanoseconds = SystemParameter.compareInterval.standard()
    package var unknownUWBVersion = SystemParameter.unknownUWBVersion.standard(
        of: unknownUWBVersions)
    package var resourceUsageLimit: Nanoseconds = SystemParameter.resourceUsageLimit.standard()
    package var suspensionLimit: Nanoseconds = SystemParameter.suspensionLimit.standard()
    package var suspensionError = SystemParameter.suspensionError.standard(of: suspensionErrors)
    package var unsharedCamera: SystemParameter.UnsharedCamera = SystemParameter.unsharedCamera
        .standard()
    package var unreadyCamera: SystemParameter.UnreadyCamera = SystemParameter.unreadyCamera
        .standard()
    package var convergenceMovement: Int64 = SystemParameter.convergenceMovement.standard()
    package var convergenceSweep: Int64 = SystemParameter.convergenceSweep.standard()
    package var convergenceVerticalSweep: Int64 = SystemParameter.convergenceVerticalSweep
        .standard()
    package var convergenceLight: UInt32 = SystemParameter.convergenceLight.standard()
    package var convergenceDrift: Int64 = SystemParameter.convergenceDrift.standard()
    package var systemWrongAfter: Nanoseconds = SystemParameter.systemWrongAfter.standard()
    package var defects: [SystemDefect] = []

    package static let usageDescriptions = [("present", true), ("missing", false)]

    package static let unknownUWBVersions = named([.incompatiblePeerDevice, .invalidConfiguration])

    package static let suspensionErrors = named([.resourceUsageTimeout, .sessionFailed])

    private static func named(_ codes: [NIError.Code]) -> [(String, NIError.Code)] {
        codes.map { ($0.name, $0) }
    }

    /// What the rows of the parameters say; made once, because every start begins with it.
    package static let standard = Self()

    private init() {}

    package func has(_ defect: SystemDefect) -> Bool { defects.contains(defect) }
}
