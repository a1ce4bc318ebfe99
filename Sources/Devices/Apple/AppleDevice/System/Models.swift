import NearbyInteraction
import Vocabulary

extension DeviceCapabilities {
    /// What of it a version of the system knows: camera assistance came with iOS 16, extended distance with iOS 17.
    func known(to version: SystemParameter.SystemVersion) -> Self {
        var known = self
        if version < .v16 { known.supportsCameraAssistance = false }
        if version < .v17 { known.supportsExtendedDistanceMeasurement = false }
        return known
    }
}

extension Catalogue.Model {
    var capabilities: DeviceCapabilities {
        switch chip {
        case .none:
            .init(distance: false, direction: false, camera: false, extendedDistance: false)
        case .first:
            .init(distance: true, direction: true, camera: true, extendedDistance: false)
        case .firstWithoutDirection:
            .init(distance: true, direction: false, camera: true, extendedDistance: false)
        case .second:
            .init(distance: true, direction: false, camera: true, extendedDistance: true)
        case .firstWatch:
            .init(distance: true, direction: false, camera: false, extendedDistance: false)
        case .secondWatch:
            .init(distance: true, direction: false, camera: false, extendedDistance: true)
        }
    }
}
