/// What an ARSession is run with.
public class ARConfiguration {
    /// How the axes of the session's space lie.
    public enum WorldAlignment: Int, Sendable {
        /// The y axis against gravity, the z axis away from where the device looks when it begins.
        case gravity = 0
        /// The z axis to the south, too.
        case gravityAndHeading = 1
        /// As the camera's.
        case camera = 2
    }

    /// How the axes lie.
    public var worldAlignment = WorldAlignment.gravity

    init() {}

    /// Whether this device has a camera for it.
    public class var isSupported: Bool { ARKitSystem.current.isSupported }

    /// Whether Nearby Interaction can be assisted with it (Apple, *setARSession(_:)*).
    package var fitsNearbyInteraction: Bool { false }
}

/// Tracks where the device is in the room.
public final class ARWorldTrackingConfiguration: ARConfiguration {
    /// Whether the session shares its map with those of other devices.
    public var isCollaborationEnabled = false
    /// Whether the front camera follows a face besides.
    public var userFaceTrackingEnabled = false
    /// A map of before, in which the device is to find its place; nil for none.
    public var initialWorldMap: ARWorldMap?

    public override init() {}

    package override var fitsNearbyInteraction: Bool {
        worldAlignment == .gravity && !isCollaborationEnabled && !userFaceTrackingEnabled
            && initialWorldMap == nil
    }
}

/// A map of the room, of which nothing is simulated but that there is one.
public final class ARWorldMap {
    public init() {}
}
