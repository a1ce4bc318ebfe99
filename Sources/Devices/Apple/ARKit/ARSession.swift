package import DeviceKit

/// A session that tracks where the device is in the room.
///
/// It works in a turn of a simulated Apple device only. One of them has the camera at a time: another one that is run
/// takes it.
public final class ARSession {
    /// Hears of frames; the session does not keep it alive.
    public weak var delegate: (any ARSessionDelegate)?
    /// Where the delegate is called; nil is the main queue.
    public var delegateQueue: DispatchQueue?
    /// The configuration that it was run with last.
    public private(set) var configuration: ARConfiguration?
    /// The latest frame; nil before the first.
    public private(set) var currentFrame: ARFrame?
    /// What makes it different from others.
    public let identifier = UUID()

    /// Which session of its device it is, from 1.
    package let ordinal: Int
    /// Whether Nearby Interaction has made it for a session of its own.
    package let isOwn: Bool
    /// The frame at which its space begins.
    package private(set) var origin: CameraFrame?
    /// Whether it looks for its place in a map, which its delegate has asked for.
    private var isRelocalizing = false
    private weak var system: ARKitSystem?

    /// What becomes of what a session knew when it is run again.
    public struct RunOptions: OptionSet, Sendable {
        public let rawValue: UInt

        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Its space begins anew.
        public static let resetTracking = RunOptions(rawValue: 1)
        /// Anchors are removed; there are none.
        public static let removeExistingAnchors = RunOptions(rawValue: 2)
    }

    /// A session that does nothing until it is run.
    public convenience init() { self.init(isOwn: false) }

    /// `isOwn` where Nearby Interaction makes one for itself.
    package init(isOwn: Bool) {
        self.isOwn = isOwn
        let system = ARKitSystem.current
        ordinal = system.nextOrdinal()
        self.system = system
    }

    deinit { system?.release(ordinal) }

    /// Whether Nearby Interaction can be assisted by it (Apple, *setARSession(_:)*).
    package var fitsNearbyInteraction: Bool {
        configuration?.fitsNearbyInteraction == true && !isRelocalizing
    }

    /// Takes the camera, and tracks from its first frame on.
    public func run(_ configuration: ARConfiguration, options: RunOptions = []) {
        self.configuration = configuration
        isRelocalizing = false
        if options.contains(.resetTracking) { origin = nil }
        observe(.arRun, Field("fits", .flag(fitsNearbyInteraction)))
        system?.run(self)
    }

    /// Gives the camera back.
    public func pause() {
        guard let system, system.has(self) else { return }
        observe(.arPause)
        system.pause(self)
    }
}

// What the system tells it.
extension ARSession {
    func take(_ frame: CameraFrame, isFirst: Bool, isDark: Bool) {
        let origin = origin ?? frame
        self.origin = origin
        let new = ARFrame(frame, from: origin, isDark: isDark, at: Context.current.now)
        let hasChanged = currentFrame?.camera.trackingState != new.camera.trackingState
        currentFrame = new
        if isFirst { observe(.arFrame) }
        if hasChanged {
            observe(.arTrackingState, Field("state", .text(isDark ? "limited" : "normal")))
        }
        guard delegate != nil else { return }
        tell { session, delegate in
            if hasChanged {
                delegate.session(session, cameraDidChangeTrackingState: new.camera)
            }
            delegate.session(session, didUpdate: new)
        }
    }

    func wasInterrupted(because reason: String) {
        observe(.arInterrupted, Field("reason", .text(reason)))
        tell { $1.sessionWasInterrupted($0) }
    }

    func interruptionEnded() {
        observe(.arInterruptionEnded)
        tell { session, delegate in
            delegate.sessionInterruptionEnded(session)
            session.isRelocalizing = delegate.sessionShouldAttemptRelocalization(session)
            session.system?.changed(session)
        }
    }

    private func tell(_ call: @escaping (ARSession, any ARSessionDelegate) -> Void) {
        (delegateQueue ?? .main).post { [weak self] in
            if let self, let delegate { call(self, delegate) }
        }
    }

    private func observe(_ kind: EventKind, _ fields: Field...) {
        Context.current.observe(
            kind, fields: [Field("ar-session", .number(Int64(ordinal)))] + fields)
    }
}
