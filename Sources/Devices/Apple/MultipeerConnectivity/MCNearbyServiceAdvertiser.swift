import DeviceKit

/// Hears of invitations, on the main queue.
public protocol MCNearbyServiceAdvertiserDelegate: AnyObject {
    /// Somebody invites this device; the handler wants a session where the answer is yes.
    func advertiser(
        _ advertiser: MCNearbyServiceAdvertiser,
        didReceiveInvitationFromPeer peerID: MCPeerID, withContext context: Data?,
        invitationHandler: @escaping (Bool, MCSession?) -> Void)
    func advertiser(
        _ advertiser: MCNearbyServiceAdvertiser, didNotStartAdvertisingPeer error: any Error)
}

extension MCNearbyServiceAdvertiserDelegate {
    public func advertiser(
        _ advertiser: MCNearbyServiceAdvertiser, didNotStartAdvertisingPeer error: any Error
    ) {}
}

/// Lets others find and invite this device.
public final class MCNearbyServiceAdvertiser {
    public weak var delegate: (any MCNearbyServiceAdvertiserDelegate)?
    public let myPeerID: MCPeerID
    public let discoveryInfo: [String: String]?
    public let serviceType: String
    private var isWanted = false

    /// The type of service has 1 to 15 lower-case letters, digits and hyphens.
    public init(peer myPeerID: MCPeerID, discoveryInfo info: [String: String]?, serviceType: String)
    {
        Wire.demand(type: serviceType)
        self.myPeerID = myPeerID
        discoveryInfo = info
        self.serviceType = serviceType
        MultipeerSystem.current.add(self)
    }

    private var service: NetworkService { Wire.service(serviceType, of: myPeerID.identifier) }

    public func startAdvertisingPeer() {
        guard MultipeerSystem.current.isAllowed else {
            return DispatchQueue.main.post { [weak self] in
                guard let self else { return }
                delegate?.advertiser(self, didNotStartAdvertisingPeer: NSError.localNetworkDenied)
            }
        }
        isWanted = true
        if MultipeerSystem.current.isRunning { publish() }
    }

    private func publish() {
        NetworkHost.current.publish(service, record: Wire.record(myPeerID, discoveryInfo)) {
            [weak self] in self?.accept($0)
        }
    }

    public func stopAdvertisingPeer() {
        isWanted = false
        NetworkHost.current.withdraw(service)
    }

    private func accept(_ connection: NetworkConnection) {
        connection.didReceive = { [weak self] bytes in
            guard let self, let (peer, context) = Wire.inviter(in: bytes) else { return }
            DispatchQueue.main.post { self.invited(by: peer, context, on: connection) }
        }
    }

    private func invited(by peer: MCPeerID, _ context: Data?, on connection: NetworkConnection) {
        var isAnswered = false
        delegate?.advertiser(
            self, didReceiveInvitationFromPeer: peer, withContext: context
        ) { isWanted, session in
            guard !isAnswered else { return }
            isAnswered = true
            // Whoever invites may be gone again, before the app hears of it.
            let beginning =
                isWanted && connection.state == .open
                ? session?.begin(peer, on: connection, invitedBy: peer.identifier) : nil
            // Of two that cross, whoever sent the one that does not count closes it.
            if beginning == .crossed { return }
            guard beginning == .begun else {
                connection.send(Wire.message(.refusal))
                return connection.close()
            }
            connection.send(Wire.message(.acceptance))
            session?.complete(peer, on: connection)
        }
    }
}

extension MCNearbyServiceAdvertiser: MultipeerUser {
    func multipeerChanged(isRunning: Bool) {
        guard isWanted else { return }
        if isRunning { publish() } else { NetworkHost.current.withdraw(service) }
    }
}
