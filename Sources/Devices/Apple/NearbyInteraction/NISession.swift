public import ARKit
import DeviceKit

/// A session with one nearby object.
///
/// It works in a turn of a simulated Apple device only.
public final class NISession: Hashable, CustomStringConvertible {
    /// Hears what happens; the session does not keep it alive.
    public weak var delegate: (any NISessionDelegate)?
    /// Where the delegate is called; nil is the main queue.
    public var delegateQueue: DispatchQueue?
    /// The configuration the session was run with last.
    public private(set) var configuration: NIConfiguration?
    /// The token that stands for this session as long as it lives.
    public var discoveryToken: NIDiscoveryToken? { ranging.token }

    private let ranging: RangingSession

    /// A session that does nothing until it is run.
    public init() {
        ranging = NearbyInteractionSystem.current.makeSession()
        ranging.owner = self
    }

    deinit { ranging.system?.release(ranging) }

    /// What this device can measure.
    public static var deviceCapabilities: any NIDeviceCapability {
        NearbyInteractionSystem.current.parameters.capabilities
    }

    /// Whether this device has UWB (deprecated since iOS 16).
    public static var isSupported: Bool { deviceCapabilities.supportsPreciseDistanceMeasurement }

    /// Starts the session, or starts it anew with another configuration.
    ///
    /// The delegate hears of exactly one outcome: it started, it was suspended at once, or it was
    /// invalidated. An invalidated session cannot be run.
    public func run(_ configuration: NIConfiguration) {
        self.configuration = configuration
        ranging.run(RangingSubject(configuration))
    }

    /// Gives the session the app's ARSession, with which the camera helps from the next run on (iOS 16).
    ///
    /// It has to be run with gravity, without collaboration, face tracking and a map, and have a frame. Without one a run
    /// with `isCameraAssistanceEnabled` makes an ARSession of its own, and takes the camera from others.
    public func setARSession(_ session: ARSession) { ranging.sharedCamera = session }

    /// Where the object is in the space of the ARSession; nil before the algorithm has converged (iOS 16).
    public func worldTransform(for object: NINearbyObject) -> simd_float4x4? {
        object.discoveryToken == ranging.current?.subject.token ? ranging.worldTransform() : nil
    }

    /// Stops measuring until the session is run again.
    public func pause() { ranging.pause() }

    /// Ends the session for good.
    public func invalidate() { ranging.invalidate() }

    /// Whether both are the same session.
    public static func == (left: NISession, right: NISession) -> Bool { left === right }

    public func hash(into hasher: inout Hasher) { hasher.combine(ranging.ordinal) }

    /// Which session of its device it is.
    public var description: String { "NISession \(ranging.ordinal)" }
}
