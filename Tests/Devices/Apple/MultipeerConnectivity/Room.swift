import AppleFoundation
import DeviceChamber
import DeviceKit
import MultipeerConnectivity

/// Some phones in a chamber, on which the test plays the app.
final class Room {
    let chamber = Chamber()
    private(set) var phones: [Phone] = []

    init(_ names: [String], isAllowed: Bool = true) throws {
        for (number, name) in names.enumerated() {
            let reset = Reset(name: name, model: "", key: UInt64(number))
            try chamber.add(reset) { reset, context in
                let phone = Phone(reset, isAllowed: isAllowed, in: context)
                phones.append(phone)
                return phone
            }
        }
    }

    /// Lets the app of a phone do something in a turn.
    func app(_ phone: Int, _ body: @escaping (Phone) -> Void) {
        let device = phones[phone]
        device.script = { body(device) }
        chamber.turn(phone, .command(name: "script", arguments: []))
        chamber.run(for: 0)
    }

    func everyApp(_ body: @escaping (Phone) -> Void) {
        for phone in phones.indices { app(phone, body) }
    }

    func wait(_ length: Nanoseconds = .milliseconds(100)) { chamber.run(for: length) }

    /// What the delegates of a phone heard since this was asked last.
    func heard(_ phone: Int = 0) -> [String] {
        defer { phones[phone].heard = [] }
        return phones[phone].heard
    }
}

/// A phone whose app does what the test says, and notes what it hears.
final class Phone: Device {
    let runtime: AppRuntime
    let network: NetworkHost
    let multipeer: MultipeerSystem
    let name: String
    var script: (() -> Void)?
    var heard: [String] = []
    /// Whether invitations are accepted.
    var accepts = true
    private(set) var session: MCSession?
    private(set) var advertiser: MCNearbyServiceAdvertiser?
    private(set) var browser: MCNearbyServiceBrowser?
    private(set) var found: [MCPeerID] = []

    init(_ reset: Reset, in context: Context) throws(Refusal) {
        throw Refusal("a phone is made by its room")
    }

    init(_ reset: Reset, isAllowed: Bool, in context: Context) {
        name = reset.name
        runtime = AppRuntime(stored: reset.stored, in: context)
        network = NetworkHost(in: context)
        multipeer = MultipeerSystem(dropsInBackground: true, isAllowed: isAllowed, in: context)
    }

    func handle(_ event: DeviceEvent) {
        if case .command = event { return script?() ?? () }
        if !runtime.handle(event) { _ = network.handle(event) }
    }

    /// Advertises and browses, with a session for whoever comes.
    func begin(info: [String: String]? = nil) {
        let me = MCPeerID(displayName: name)
        let session = MCSession(peer: me)
        let advertiser = MCNearbyServiceAdvertiser(
            peer: me, discoveryInfo: info, serviceType: "a-room")
        let browser = MCNearbyServiceBrowser(peer: me, serviceType: "a-room")
        (self.session, self.advertiser, self.browser) = (session, advertiser, browser)
        session.delegate = self
        advertiser.delegate = self
        browser.delegate = self
        advertiser.startAdvertisingPeer()
        browser.startBrowsingForPeers()
    }

    func invite(timeout: Double = 10) {
        guard let browser, let session else { return }
        for peer in found {
            browser.invitePeer(
                peer, to: session, withContext: Data("come".utf8), timeout: timeout)
        }
    }
}

extension Phone: MCNearbyServiceBrowserDelegate, MCNearbyServiceAdvertiserDelegate {
    func browser(
        _ browser: MCNearbyServiceBrowser, foundPeer peerID: MCPeerID,
        withDiscoveryInfo info: [String: String]?
    ) {
        found.append(peerID)
        heard.append("found \(peerID) \(info ?? [:])")
    }

    func browser(_ browser: MCNearbyServiceBrowser, lostPeer peerID: MCPeerID) {
        found.removeAll { $0 == peerID }
        heard.append("lost \(peerID)")
    }

    func browser(
        _ browser: MCNearbyServiceBrowser, didNotStartBrowsingForPeers error: any Error
    ) { heard.append("browsing: \((error as NSError).code)") }

    func advertiser(
        _ advertiser: MCNearbyServiceAdvertiser, didNotStartAdvertisingPeer error: any Error
    ) { heard.append("advertising: \((error as NSError).code)") }

    func advertiser(
        _ advertiser: MCNearbyServiceAdvertiser,
        didReceiveInvitationFromPeer peerID: MCPeerID, withContext context: Data?,
        invitationHandler: @escaping (Bool, MCSession?) -> Void
    ) {
        heard.append("invited by \(peerID)")
        invitationHandler(accepts, session)
    }
}

extension Phone: MCSessionDelegate {
    func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState) {
        heard.append("\(peerID) \(state)")
    }

    func session(_ session: MCSession, didReceive data: Data, fromPeer peerID: MCPeerID) {
        heard.append("\(peerID) says \(String(decoding: data, as: UTF8.self))")
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
