import AppleFoundation
import MultipeerConnectivity
import NearbyInteraction

/// Somebody who is here, and the session with their phone.
final class Person: NISessionDelegate {
    /// The bug with which tests start the app: the token of a session that has ended is run again.
    private static let keepsTokens = CommandLine.arguments.contains("keeps-tokens")

    let peer: MCPeerID
    private unowned let app: PeersApp
    private var session: NISession?
    private var token: NIDiscoveryToken?
    private var isSuspended = false

    init(_ peer: MCPeerID, in app: PeersApp) { (self.peer, self.app) = (peer, app) }

    func meet() {
        guard session == nil else { return }
        let session = NISession()
        session.delegate = self
        self.session = session
        isSuspended = false
        greet(asking: token == nil)
        run()
    }

    func leave() {
        session?.invalidate()
        session = nil
        token = nil
    }

    /// Sends the session's token, and asks for the other one's.
    private func greet(asking: Bool) {
        guard let own = session?.discoveryToken,
            let archive = try? NSKeyedArchiver.archivedData(
                withRootObject: own, requiringSecureCoding: true)
        else { return }
        app.send(Data([asking ? 1 : 0]) + archive, to: peer)
    }

    func received(_ data: Data) {
        guard
            let other = try? NSKeyedUnarchiver.unarchivedObject(
                ofClass: NIDiscoveryToken.self, from: Data(data.dropFirst()))
        else { return }
        if data.first == 1 { greet(asking: false) }
        guard other != token else { return }
        token = other
        run()
    }

    private func run() {
        guard let session, let token, !isSuspended else { return }
        session.run(NINearbyPeerConfiguration(peerToken: token))
    }

    // MARK: The session

    func session(
        _ session: NISession, didRemove nearbyObjects: [NINearbyObject],
        reason: NINearbyObject.RemovalReason
    ) {
        // Who has ended a session begins the next one with another token.
        if reason == .peerEnded, !Self.keepsTokens { token = nil }
        run()
    }

    func sessionWasSuspended(_ session: NISession) { isSuspended = true }

    func sessionSuspensionEnded(_ session: NISession) {
        isSuspended = false
        run()
    }

    func session(_ session: NISession, didInvalidateWith error: any Error) {
        self.session = nil
        let final: [NIError.Code] = [
            .userDidNotAllow, .unsupportedPlatform, .invalidConfiguration, .incompatiblePeerDevice,
        ]
        guard let error = error as? NIError, !final.contains(error.code) else { return }
        Timer.scheduledTimer(withTimeInterval: 1, repeats: false) { [weak self] _ in
            self?.meet()
        }
    }
}
