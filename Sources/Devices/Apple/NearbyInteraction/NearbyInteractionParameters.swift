package import DeviceKit
package import Vocabulary

/// All that Apple does not publish about sessions, and what the user does.
package struct NearbyInteractionParameters: Equatable, Sendable {
    /// What the model can measure.
    package var capabilities = DeviceCapabilities(
        distance: true, direction: true, camera: true, extendedDistance: false)
    /// The version of the system, of which earlier ones know less.
    package var version: SystemParameter.SystemVersion = SystemParameter.os.standard()
    /// Whether it is a watch, for which Nearby Interaction came a year later.
    package var isWatch = false
    /// Whether the user allows it.
    package var permission: SystemParameter.Permission = SystemParameter.permission.standard()
    /// How long the user takes to answer the prompt.
    package var promptDelay: Nanoseconds = SystemParameter.promptDelay.standard()
    /// When the user is asked by a session that is run in the background.
    package var backgroundPrompt: SystemParameter.BackgroundPrompt = SystemParameter
        .backgroundPrompt.standard()
    /// What becomes of a session that runs when the user withdraws the permission.
    package var withdrawnPermission: SystemParameter.WithdrawnPermission = SystemParameter
        .withdrawnPermission.standard()
    /// Which check of a run comes first.
    package var checkOrder: SystemParameter.CheckOrder = SystemParameter.checkOrder.standard()
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
    package var startOrder: SystemParameter.StartOrder = SystemParameter.startOrder.standard()
    /// Whether the app's own `invalidate()` is called back.
    package var ownInvalidate: SystemParameter.OwnInvalidate = SystemParameter.ownInvalidate
        .standard()
    /// Whether a running session that is run again starts again.
    package var rerunStart: SystemParameter.RerunStart = SystemParameter.rerunStart.standard()
    /// When the peer of a session with another Apple device hears that it stops.
    package var peerEnd: SystemParameter.PeerEnd = SystemParameter.peerEnd.standard()
    /// What becomes of a run with the token of a session that is known to be over.
    package var endedToken: SystemParameter.EndedToken = SystemParameter.endedToken.standard()
    /// What becomes of a run with extended distance where one of the devices cannot measure it.
    package var extendedWithoutSupport: SystemParameter.ExtendedWithoutSupport = SystemParameter
        .extendedWithoutSupport.standard()
    /// What the prompt says.
    package var usageText = "Shows how far away things are."
    /// In how many intervals a session measures once in the background.
    package var backgroundStride: Int = SystemParameter.backgroundStride.standard()
    /// What a session gets that loses its link in the background.
    package var backgroundLinkLoss: SystemParameter.BackgroundLinkLoss = SystemParameter
        .backgroundLinkLoss.standard()
    /// What a session gets whose accessory is not paired.
    package var unpairedAccessory: SystemParameter.UnpairedAccessory = SystemParameter
        .unpairedAccessory.standard()
    /// Whether any session goes on in the background.
    package var hasLiveActivity: Bool = SystemParameter.liveActivity.standard()
    /// How a session ends whose radio refused to start.
    package var radioRefusal: SystemParameter.Ending = SystemParameter.radioRefusal.standard()
    /// How a session ends whose data is not what the accessory holds.
    package var configurationMismatch: SystemParameter.Ending = SystemParameter
        .configurationMismatch.standard()
    /// From one comparison with the accessory's service to the next; 0 is none but the first.
    package var compareInterval: Nanoseconds = SystemParameter.compareInterval.standard()
    /// The error of a session with a radio of which this device knows nothing.
    package var unknownUWBVersion = SystemParameter.unknownUWBVersion.standard(
        of: unknownUWBVersions)
    /// How long a session may run; 0 is for ever.
    package var resourceUsageLimit: Nanoseconds = SystemParameter.resourceUsageLimit.standard()
    /// How long a session may stay suspended; 0 is for ever.
    package var suspensionLimit: Nanoseconds = SystemParameter.suspensionLimit.standard()
    /// The error of a session that was suspended for too long.
    package var suspensionError = SystemParameter.suspensionError.standard(of: suspensionErrors)
    /// What a session gets whose ARSession loses the camera to another one.
    package var unsharedCamera: SystemParameter.UnsharedCamera = SystemParameter.unsharedCamera
        .standard()
    /// What a session gets that is run with an ARSession that has no frame yet.
    package var unreadyCamera: SystemParameter.UnreadyCamera = SystemParameter.unreadyCamera
        .standard()
    /// How far the device has to move for camera assistance, in millimetres.
    package var convergenceMovement: Int64 = SystemParameter.convergenceMovement.standard()
    /// How far it has to be turned to the side, in degrees.
    package var convergenceSweep: Int64 = SystemParameter.convergenceSweep.standard()
    /// How far it has to be turned up and down, in degrees.
    package var convergenceVerticalSweep: Int64 = SystemParameter.convergenceVerticalSweep
        .standard()
    /// How bright it has to be, in lux.
    package var convergenceLight: UInt32 = SystemParameter.convergenceLight.standard()
    /// How far the object may have moved, in millimetres.
    package var convergenceDrift: Int64 = SystemParameter.convergenceDrift.standard()
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
