import AppleFoundation
import DeviceKit
import DeviceLink
import NearbyInteraction

/// Ranges with other Apple devices: exchanges tokens with each that is connected, and has a session for each.
final class PeerRanging {
    let settings: AppSettings
    private let network: any PeerNetwork
    /// What assists the sessions, where one ARSession is shared.
    let camera: SharedCamera?
    private var peers: [NearbyPeer] = []

    init(_ settings: AppSettings, by network: any PeerNetwork, with camera: SharedCamera?) {
        (self.settings, self.network, self.camera) = (settings, network, camera)
        network.ranging = self
        network.start()
    }

    // MARK: The network

    func connected(_ name: String) { add(name) { $0.begin() } }

    /// A connection counts again that another one had replaced: its other end has sent its token before.
    func resumed(_ name: String) { add(name) { $0.start() } }

    private func add(_ name: String, beginning: (NearbyPeer) -> Void) {
        let peer = NearbyPeer(name, in: self)
        peers.append(peer)
        if settings.startsByItself { beginning(peer) }
    }

    func disconnected(_ name: String) {
        for peer in peers where peer.name == name { peer.end() }
        peers.removeAll { $0.name == name }
    }

    /// Something that was sent may be lost.
    func resend(to name: String) { peers.last { $0.name == name }?.resend() }

    func received(_ data: Data, from name: String) {
        guard let message = TokenMessage(data) else { return }
        observe(
            .appReceived, of: name, Field("message", .text("discoveryToken")), message.token.told)
        peers.last { $0.name == name }?.received(message)
    }

    func send(_ message: TokenMessage, to name: String) {
        if let data = message.data { network.send(data, to: name) }
    }

    // MARK: The user

    func start(peer name: String?) { each(named: name) { $0.start() } }

    func stop(peer name: String?) { each(named: name) { $0.stop() } }

    private func each(named name: String?, _ body: (NearbyPeer) -> Void) {
        for peer in peers where name == nil || peer.name == name { body(peer) }
    }

    /// Notes for the trace how good the distances to another one are.
    func note(_ quality: QualityEstimator.Quality, of name: String) {
        observe(.appQuality, of: name, Field("quality", .text(quality.rawValue)))
    }

    private func observe(_ kind: EventKind, of name: String, _ fields: Field...) {
        Context.current.observe(kind, fields: [Field("peer", .text(name))] + fields)
    }
}

/// What two of these apps send each other: the token of a session, and whether one is wanted in return.
struct TokenMessage {
    let token: NIDiscoveryToken
    let wantsAnswer: Bool

    init(_ token: NIDiscoveryToken, wantsAnswer: Bool) {
        (self.token, self.wantsAnswer) = (token, wantsAnswer)
    }

    /// What another one has sent; nil for anything else.
    init?(_ data: Data) {
        guard let first = data.first, first < 2 else { return nil }
        let token = try? NSKeyedUnarchiver.unarchivedObject(
            ofClass: NIDiscoveryToken.self, from: Data(data.dropFirst()))
        guard let token else { return nil }
        self.init(token, wantsAnswer: first == 1)
    }

    var data: Data? {
        let archive = try? NSKeyedArchiver.archivedData(
            withRootObject: token, requiringSecureCoding: true)
        return archive.map { Data([wantsAnswer ? 1 : 0]) + $0 }
    }
}
