import AppleFoundation
import DeviceKit
import NearbyInteraction

/// Another Apple device that is connected, and the session with it.
final class NearbyPeer: NISessionDelegate {
    let name: String
    private unowned let ranging: PeerRanging
    private var session: NISession?
    /// The token of the other one's session, as long as that is not known to be over.
    private var token: NIDiscoveryToken?
    private var isWanted = false
    /// Whether the session was run with that token, and nothing has ended that.
    private var isRunning = false
    private var isSuspended = false
    /// Whether another session of this device has extended distance.
    private var isExtendedTaken = false
    private var estimator = QualityEstimator()

    private static let retryDelay = 1.0

    init(_ name: String, in ranging: PeerRanging) {
        (self.name, self.ranging) = (name, ranging)
    }

    /// Both are connected, and send each other a token.
    func begin() { begin(wantsAnswer: false) }

    func start() { begin(wantsAnswer: token == nil) }

    /// A new session, whose token the other one gets.
    private func begin(wantsAnswer: Bool) {
        isWanted = true
        guard session == nil else { return }
        let session = NISession()
        session.delegate = self
        ranging.camera?.lend(to: session)
        self.session = session
        isRunning = false
        isSuspended = false
        sendToken(wantsAnswer: wantsAnswer)
        run()
    }

    /// The user wants no more of it.
    func stop() {
        end()
        token = nil
    }

    /// The session is over, and the other one hears so.
    func end() {
        isWanted = false
        session?.invalidate()
        session = nil
    }

    /// The other one has a session of this token now.
    func received(_ message: TokenMessage) {
        // The session runs, somebody thought, and what it runs with is none of the other one's business.
        if isRunning, ranging.settings.has(.passesNewTokenOver) { return }
        if token != message.token {
            token = message.token
            isRunning = false
        }
        if message.wantsAnswer { sendToken(wantsAnswer: false) }
        if !isRunning { run() }
    }

    /// The other one may not have got the token.
    func resend() { sendToken(wantsAnswer: false) }

    private func sendToken(wantsAnswer: Bool) {
        guard let token = session?.discoveryToken else { return }
        ranging.send(TokenMessage(token, wantsAnswer: wantsAnswer), to: name)
    }

    private func run() {
        guard let session, let token, !isSuspended else { return }
        isRunning = true
        let configuration = NINearbyPeerConfiguration(peerToken: token)
        configuration.isExtendedDistanceMeasurementEnabled =
            ranging.settings.usesExtendedDistance && !isExtendedTaken
            && NISession.deviceCapabilities.supportsExtendedDistanceMeasurement
            && token.deviceCapabilities.supportsExtendedDistanceMeasurement
        configuration.isCameraAssistanceEnabled = ranging.settings.usesCamera
        session.run(configuration)
    }

    // MARK: The session

    func session(_ session: NISession, didUpdate nearbyObjects: [NINearbyObject]) {
        guard ranging.settings.usesExtendedDistance else { return }
        let before = estimator.quality
        estimator.take(nearbyObjects.first?.distance, at: Date())
        if estimator.quality != before { ranging.note(estimator.quality, of: name) }
    }

    func session(
        _ session: NISession, didRemove nearbyObjects: [NINearbyObject],
        reason: NINearbyObject.RemovalReason
    ) {
        isRunning = false
        switch reason {
        case .timeout: run()
        case .peerEnded:
            // Its token is of no use any more: the other one sends that of its next session.
            if ranging.settings.has(.keepsEndedToken) { run() } else { token = nil }
        }
    }

    func sessionWasSuspended(_ session: NISession) {
        isSuspended = true
        isRunning = false
    }

    func sessionSuspensionEnded(_ session: NISession) {
        isSuspended = false
        run()
    }

    func session(_ session: NISession, didInvalidateWith error: any Error) {
        self.session = nil
        guard let error = error as? NIError, !error.code.isFinal else { return }
        // Another one has it: this one does with what the first generation measures.
        if error.code == .activeExtendedDistanceSessionsLimitExceeded { isExtendedTaken = true }
        Timer.scheduledTimer(withTimeInterval: Self.retryDelay, repeats: false) {
            [weak self] _ in
            guard let self, isWanted else { return }
            start()
        }
    }
}
