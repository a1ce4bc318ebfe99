import MultipeerConnectivity

/// Phones that find one another by Multipeer, up to eight in one session.
final class MultipeerNetwork: PeerNetwork {
    /// The type of service by which these apps find one another.
    private static let serviceType = "nearby-peers"
    /// How long somebody has to answer an invitation, in seconds.
    private static let patience = 10.0
    /// How long the app waits before it invites again, in seconds.
    private static let retryDelay = 1.0

    weak var ranging: PeerRanging?
    private let settings: AppSettings
    private let session: MCSession
    private let advertiser: MCNearbyServiceAdvertiser
    private let browser: MCNearbyServiceBrowser
    /// Those who were found and not lost since.
    private var found: [MCPeerID] = []
    /// Those who are connected: of each name the one that came last, for an app that was started anew has another
    /// identifier.
    private var connected: [MCPeerID] = []

    init(_ settings: AppSettings, named name: String) {
        self.settings = settings
        let me = MCPeerID(displayName: name)
        session = MCSession(peer: me)
        advertiser = MCNearbyServiceAdvertiser(
            peer: me, discoveryInfo: nil, serviceType: Self.serviceType)
        browser = MCNearbyServiceBrowser(peer: me, serviceType: Self.serviceType)
    }

    func start() {
        session.delegate = self
        advertiser.delegate = self
        browser.delegate = self
        advertiser.startAdvertisingPeer()
        browser.startBrowsingForPeers()
    }

    func send(_ data: Data, to peer: String) {
        guard let target = connected.first(where: { $0.displayName == peer }) else { return }
        try? session.send(data, toPeers: [target], with: .reliable)
    }

    private func invite(_ peer: MCPeerID) {
        guard found.contains(peer), settings.wants(peer.displayName),
            !session.connectedPeers.contains(peer)
        else { return }
        browser.invitePeer(peer, to: session, withContext: nil, timeout: Self.patience)
    }

    private func changed(_ peer: MCPeerID, to state: MCSessionState) {
        switch state {
        case .connecting: break
        case .connected:
            if let other = connected.first(where: { $0.displayName == peer.displayName }) {
                guard other != peer else { return }
                if !settings.has(.secondSessionPerPeer) { ended(other) }
            }
            connected.removeAll { $0.displayName == peer.displayName }
            connected.append(peer)
            ranging?.connected(peer.displayName)
        case .notConnected:
            if connected.contains(peer) {
                ended(peer)
                resume(with: peer.displayName)
            }
            Timer.scheduledTimer(withTimeInterval: Self.retryDelay, repeats: false) {
                [weak self] _ in self?.invite(peer)
            }
        }
    }

    /// A connection that came late has replaced the one that is left: an app that was closed had sent something before.
    private func resume(with name: String) {
        guard let other = session.connectedPeers.first(where: { $0.displayName == name }) else {
            return
        }
        connected.append(other)
        ranging?.resumed(name)
    }

    private func ended(_ peer: MCPeerID) {
        connected.removeAll { $0 == peer }
        ranging?.disconnected(peer.displayName)
    }
}

extension MultipeerNetwork: MCNearbyServiceBrowserDelegate {
    func browser(
        _ browser: MCNearbyServiceBrowser, foundPeer peerID: MCPeerID,
        withDiscoveryInfo info: [String: String]?
    ) {
        if !found.contains(peerID) { found.append(peerID) }
        invite(peerID)
    }

    func browser(_ browser: MCNearbyServiceBrowser, lostPeer peerID: MCPeerID) {
        found.removeAll { $0 == peerID }
    }
}

extension MultipeerNetwork: MCNearbyServiceAdvertiserDelegate {
    func advertiser(
        _ advertiser: MCNearbyServiceAdvertiser,
        didReceiveInvitationFromPeer peerID: MCPeerID, withContext context: Data?,
        invitationHandler: @escaping (Bool, MCSession?) -> Void
    ) {
        invitationHandler(settings.wants(peerID.displayName), session)
    }
}

// Called on a queue of the session's own, while all else is of the main queue.
extension MultipeerNetwork: MCSessionDelegate {
    func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState) {
        DispatchQueue.main.post { [weak self] in self?.changed(peerID, to: state) }
    }

    func session(_ session: MCSession, didReceive data: Data, fromPeer peerID: MCPeerID) {
        DispatchQueue.main.post { [weak self] in
            guard let self, connected.contains(peerID) else { return }
            ranging?.received(data, from: peerID.displayName)
        }
    }

    func session(
        _ session: MCSession, didReceive stream: InputStream, withName streamName: String,
        fromPeer peerID: MCPeerID
    ) {}

    func session(
        _ session: MCSession, didStartReceivingResourceWithName resourceName: String,
        fromPeer peerID: MCPeerID, with progress: Progress
    ) {}

    func session(
        _ session: MCSession, didFinishReceivingResourceWithName resourceName: String,
        fromPeer peerID: MCPeerID, at localURL: URL?, withError error: (any Error)?
    ) {}
}
