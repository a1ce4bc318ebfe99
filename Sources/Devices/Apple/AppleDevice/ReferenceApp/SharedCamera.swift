import ARKit
import NearbyInteraction

/// The ARSession that all sessions of the app share, and the wait for its first frame, before which none may be run.
final class SharedCamera: ARSessionDelegate {
    private let session = ARSession()
    private let settings: AppSettings
    private var whenReady: (() -> Void)?

    /// Runs it; `whenReady` is called once, at the first frame.
    init(_ settings: AppSettings, whenReady: @escaping () -> Void) {
        (self.settings, self.whenReady) = (settings, whenReady)
        let configuration = ARWorldTrackingConfiguration()
        configuration.worldAlignment = .gravity
        configuration.isCollaborationEnabled = settings.has(.sharesItsMap)
        configuration.userFaceTrackingEnabled = false
        configuration.initialWorldMap = nil
        session.delegate = self
        session.run(configuration)
    }

    /// Lets it assist a session, which the defect forgets.
    func lend(to nearby: NISession) {
        if !settings.has(.noSharedCamera) { nearby.setARSession(session) }
    }

    func session(_ session: ARSession, didUpdate frame: ARFrame) {
        whenReady?()
        whenReady = nil
    }

    /// Nearby Interaction does without.
    func sessionShouldAttemptRelocalization(_ session: ARSession) -> Bool { false }
}
