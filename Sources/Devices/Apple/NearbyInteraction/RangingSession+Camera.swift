package import ARKit
package import DeviceKit

// Camera assistance.
extension RangingSession {
    /// The ARSession of the next run, which is the app's or one of the session's own; nil where the camera is not to
    /// help, or cannot.
    func camera(for subject: RangingSubject?) -> ARSession? {
        guard let system, subject?.usesCamera == true,
            system.parameters.capabilities.supportsCameraAssistance
        else { return nil }
        if let camera = sharedCamera ?? ownCamera { return camera }
        let camera = ARSession(isOwn: true)
        ownCamera = camera
        return camera
    }

    /// What is wrong with the ARSession of a run (Apple, *setARSession(_:)*).
    func hasUnfitCamera(_ system: NearbyInteractionSystem) -> Bool {
        guard let camera = current?.camera, !camera.isOwn else { return false }
        return !camera.fitsNearbyInteraction
            || camera.currentFrame == nil && system.parameters.unreadyCamera == .invalidated
    }

    /// The camera helps from now on.
    func beginAssistance(of system: NearbyInteractionSystem) {
        guard let camera = current?.camera else { return }
        assistance = CameraAssistance(
            system.parameters.needs(isExtended: isExtended))
        if camera.isOwn { camera.run(ARWorldTrackingConfiguration()) }
    }

    func endAssistance() {
        guard assistance != nil else { return }
        assistance = nil
        ownCamera?.pause()
    }

    /// What of a measurement the camera shows the app; nil where it does not help.
    func view(of callback: SessionAutomaton.Callback) -> CameraView? {
        guard let assistance, let system else { return nil }
        guard case .didUpdate(let measurement?) = callback, let sight = measurement.sight else {
            return .unknown
        }
        return system.parameters.has(.showsAnglesTooSoon)
            ? CameraView(angle: sight.horizontal, vertical: .unknown) : assistance.view(of: sight)
    }

    /// What a measurement shows on this model, and with the camera.
    func visible(_ measurement: UWBMeasurement, of system: NearbyInteractionSystem)
        -> UWBMeasurement
    {
        let isShown =
            measurement.sight.map { $0.isInView || assistance?.isConverged == true } ?? true
        guard !system.parameters.capabilities.supportsDirectionMeasurement || !isShown else {
            return measurement
        }
        var visible = measurement
        visible.azimuth = nil
        visible.elevation = nil
        return visible
    }

    // MARK: What the camera sees

    func take(_ frame: CameraFrame) {
        if assistance?.take(frame) == true { tellConvergence() }
    }

    func loseCamera() {
        if assistance?.loseCamera() == true { tellConvergence() }
    }

    /// What becomes of a session whose ARSession another one has taken the camera from.
    func cameraTaken() {
        guard let system, isActive else { return }
        switch system.parameters.unsharedCamera {
        case .invalidated: handle(.fail(.invalidARConfiguration))
        case .suspended:
            isWithoutCamera = true
            handle(.suspend(isSystem: true))
        }
    }

    func cameraFreed() {
        guard isWithoutCamera else { return }
        isWithoutCamera = false
        if let system, !system.suspends(self) { handle(.suspensionEnded) }
    }

    /// Where the object is in the space of the ARSession; nil before the camera has found it.
    func worldTransform() -> simd_float4x4? {
        guard let assistance, assistance.isConverged, let place = assistance.place,
            let origin = current?.camera?.origin
        else { return nil }
        var transform = simd_float4x4(1)
        transform.columns.3 = simd_float4(origin.position(of: place), 1)
        return transform
    }
}

extension NearbyInteractionSystem: CameraListener {
    package func took(_ frame: CameraFrame, by session: ARSession) {
        for other in assisted(by: session) { other.take(frame) }
    }

    package func lost(_ session: ARSession, isTaken: Bool) {
        for other in assisted(by: session) {
            if isTaken { other.cameraTaken() } else { other.loseCamera() }
        }
    }

    package func changed(_ session: ARSession) {
        guard !session.fitsNearbyInteraction else { return }
        for other in assisted(by: session) where other.isActive {
            other.handle(.fail(.invalidARConfiguration))
        }
    }

    package func freed() { for session in sessions { session.cameraFreed() } }

    private func assisted(by camera: ARSession) -> [RangingSession] {
        sessions.filter { $0.assistance != nil && $0.current?.camera === camera }
    }
}

extension NearbyInteractionParameters {
    /// What camera assistance takes on this model.
    func needs(isExtended: Bool) -> CameraAssistance.Needs {
        CameraAssistance.Needs(
            movement: convergenceMovement, horizontalSweep: 100 * convergenceSweep,
            verticalSweep: 100 * convergenceVerticalSweep,
            light: has(.findsInTheDark) ? 0 : convergenceLight,
            drift: convergenceDrift, hasToBeMet: capabilities.supportsDirectionMeasurement,
            followsObject: isExtended)
    }
}
