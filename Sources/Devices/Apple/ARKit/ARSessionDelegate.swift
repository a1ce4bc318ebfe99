/// Hears what happens to a session.
///
/// All methods are optional.
public protocol ARSessionObserver: AnyObject {
    /// How well the position is known has changed.
    func session(_ session: ARSession, cameraDidChangeTrackingState camera: ARCamera)
    /// The camera is gone: the app is in the background, or another session has taken it.
    func sessionWasInterrupted(_ session: ARSession)
    /// The camera is back.
    func sessionInterruptionEnded(_ session: ARSession)
    /// Whether the session is to look for the place where it was before the interruption; with Nearby Interaction it
    /// must not.
    func sessionShouldAttemptRelocalization(_ session: ARSession) -> Bool
    /// The session has failed, which no simulated one does.
    func session(_ session: ARSession, didFailWithError error: any Error)
}

/// Hears of frames, too.
public protocol ARSessionDelegate: ARSessionObserver {
    /// There is a new frame.
    func session(_ session: ARSession, didUpdate frame: ARFrame)
}

extension ARSessionObserver {
    public func session(_ session: ARSession, cameraDidChangeTrackingState camera: ARCamera) {}
    public func sessionWasInterrupted(_ session: ARSession) {}
    public func sessionInterruptionEnded(_ session: ARSession) {}
    public func sessionShouldAttemptRelocalization(_ session: ARSession) -> Bool { false }
    public func session(_ session: ARSession, didFailWithError error: any Error) {}
}

extension ARSessionDelegate {
    public func session(_ session: ARSession, didUpdate frame: ARFrame) {}
}
