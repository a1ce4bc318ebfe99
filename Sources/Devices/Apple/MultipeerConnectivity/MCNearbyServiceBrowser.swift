import DeviceKit

/// Hears of those who can be invited, on the main queue.
public protocol MCNearbyServiceBrowserDelegate: AnyObject {
    func browser(
        _ browser: MCNearbyServiceBrowser, foundPeer peerID: MCPeerID,
        withDiscoveryInfo info: [String: String]?)
    func browser(_ browser: MCNearbyServiceBrowser, lostPeer peerID: MCPeerID)
    func browser(
        _ browser: MCNearbyServiceBrowser, didNotStartBrowsingForPeers error: any Error)
}

extension MCNearbyServiceBrowserDelegate {
    public func browser(
        _ browser: MCNearbyServiceBrowser, didNotStartBrowsingForPeers error: any Error
    ) {}
}

/// Looks for others who advertise the same type of service.
public final class MCNearbyServiceBrowser {
    public weak var delegate: (any MCNearbyServiceBrowserDelegate)?
    public let myPeerID: MCPeerID
    public let serviceType: String
    private var network: NetworkBrowser?
    private var isWanted = false
    private var found: [MCPeerID] = []

    /// The type of service has 1 to 15 lower-case letters, digits and hyphens.
    public init(peer myPeerID: MCPeerID, serviceType: String) {
        Wire.demand(type: serviceType)
        self.myPeerID = myPeerID
        self.serviceType = serviceType
        MultipeerSystem.current.add(self)
    }

    deinit { network?.cancel() }

    public func startBrowsingForPeers() {
        guard MultipeerSystem.current.isAllowed else {
            return DispatchQueue.main.post { [weak self] in
                guard let self else { return }
                delegate?.browser(self, didNotStartBrowsingForPeers: NSError.localNetworkDenied)
            }
        }
        isWanted = true
        if MultipeerSystem.current.isRunning { browse() }
    }

    private func browse() {
        guard network == nil else { return }
        network = NetworkHost.current.browse(type: Wire.service(serviceType).type) {
            [weak self] service, _, record in
            if let (peer, info) = Wire.peer(in: record, of: service.name) {
                self?.found(peer, info)
            }
        } lost: { [weak self] service, _ in
            self?.lost(service.name)
        }
    }

    public func stopBrowsingForPeers() {
        isWanted = false
        pause()
    }

    private func pause() {
        network?.cancel()
        network = nil
        found = []
    }

    private func found(_ peer: MCPeerID, _ info: [String: String]?) {
        if !found.contains(peer) { found.append(peer) }
        DispatchQueue.main.post { [weak self] in
            guard let self, network != nil else { return }
            delegate?.browser(self, foundPeer: peer, withDiscoveryInfo: info)
        }
    }

    private func lost(_ identifier: String) {
        guard let place = found.firstIndex(where: { $0.identifier == identifier }) else { return }
        let peer = found.remove(at: place)
        DispatchQueue.main.post { [weak self] in
            guard let self, network != nil else { return }
            delegate?.browser(self, lostPeer: peer)
        }
    }

    /// Invites somebody into a session, who has so many seconds to answer; 30 where none or less are given.
    ///
    /// Nothing comes of it while Multipeer does not run, as in the background.
    public func invitePeer(
        _ peerID: MCPeerID, to session: MCSession, withContext context: Data?, timeout: TimeInterval
    ) {
        guard MultipeerSystem.current.isRunning else { return }
        let connection = NetworkHost.current.open(Wire.service(serviceType, of: peerID.identifier))
        guard session.begin(peerID, on: connection, invitedBy: myPeerID.identifier) == .begun else {
            return connection.close()
        }
        connection.didOpen = { [myPeerID] in
            connection.send(Wire.invitation(from: myPeerID, context: context))
        }
        let patience = timeout > 0 ? timeout : 30
        Timer.scheduledTimer(withTimeInterval: patience, repeats: false) { [weak session] _ in
            session?.giveUp(peerID, on: connection)
        }
    }
}

extension MCNearbyServiceBrowser: MultipeerUser {
    func multipeerChanged(isRunning: Bool) {
        guard isWanted else { return }
        if isRunning { browse() } else { pause() }
    }
}
