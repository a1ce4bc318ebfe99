import AppleDevice
import AppleFoundation
import MultipeerConnectivity
import NearbyInteraction

/// An app that ranges with other phones alone: it finds them by Multipeer, and has a session with each.
final class PeersApp: SimulatedApp {
    private static let service = "people-near"

    private let me: MCPeerID
    private let room: MCSession
    private let browser: MCNearbyServiceBrowser
    private let advertiser: MCNearbyServiceAdvertiser
    private var found: [MCPeerID] = []
    private var people: [Person] = []

    init(_ launch: AppLaunch) {
        me = MCPeerID(displayName: launch.device)
        room = MCSession(peer: me)
        browser = MCNearbyServiceBrowser(peer: me, serviceType: Self.service)
        advertiser = MCNearbyServiceAdvertiser(
            peer: me, discoveryInfo: nil, serviceType: Self.service)
        room.delegate = self
        browser.delegate = self
        advertiser.delegate = self
        advertiser.startAdvertisingPeer()
        browser.startBrowsingForPeers()
    }

    func start(peer: String?) { for person in all(named: peer) { person.meet() } }
    func stop(peer: String?) { for person in all(named: peer) { person.leave() } }

    private func all(named name: String?) -> [Person] {
        people.filter { name == nil || $0.peer.displayName == name }
    }

    func send(_ data: Data, to peer: MCPeerID) {
        try? room.send(data, toPeers: [peer], with: .reliable)
    }

    private func invite(_ peer: MCPeerID) {
        guard found.contains(peer), !room.connectedPeers.contains(peer) else { return }
        browser.invitePeer(peer, to: room, withContext: nil, timeout: 10)
    }

    private func changed(_ peer: MCPeerID, to state: MCSessionState) {
        let person = people.first { $0.peer == peer }
        switch state {
        case .connecting: break
        case .connected:
            guard person == nil else { return }
            // An app that was started anew has another identifier, and the same person behind it.
            for old in all(named: peer.displayName) { old.leave() }
            people.removeAll { $0.peer.displayName == peer.displayName }
            let person = Person(peer, in: self)
            people.append(person)
            person.meet()
        case .notConnected:
            person?.leave()
            people.removeAll { $0 === person }
            // Somebody whose connection came late may have taken the place of one who is here.
            let rest = room.connectedPeers.first { $0.displayName == peer.displayName }
            if let rest, person != nil { changed(rest, to: .connected) }
            Timer.scheduledTimer(withTimeInterval: 1, repeats: false) { [weak self] _ in
                self?.invite(peer)
            }
        }
    }
}

extension PeersApp: MCNearbyServiceBrowserDelegate, MCNearbyServiceAdvertiserDelegate {
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

    func advertiser(
        _ advertiser: MCNearbyServiceAdvertiser,
        didReceiveInvitationFromPeer peerID: MCPeerID, withContext context: Data?,
        invitationHandler: @escaping (Bool, MCSession?) -> Void
    ) { invitationHandler(true, room) }
}

extension PeersApp: MCSessionDelegate {
    func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState) {
        DispatchQueue.main.async(
            execute: DispatchWorkItem { [weak self] in self?.changed(peerID, to: state) })
    }

    func session(_ session: MCSession, didReceive data: Data, fromPeer peerID: MCPeerID) {
        DispatchQueue.main.async(
            execute: DispatchWorkItem { [weak self] in
                self?.people.first { $0.peer == peerID }?.received(data)
            })
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
