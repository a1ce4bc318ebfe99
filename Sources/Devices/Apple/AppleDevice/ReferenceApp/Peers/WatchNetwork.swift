import WatchConnectivity

/// A phone and its watch, by Watch Connectivity.
final class WatchNetwork: PeerNetwork {
    weak var ranging: PeerRanging?
    private let name: String
    /// The name of the other one, once it has said it.
    private var counterpart: String?

    init(named name: String) { self.name = name }

    func start() {
        WCSession.default.delegate = self
        WCSession.default.activate()
    }

    func send(_ data: Data, to peer: String) {
        guard peer == counterpart else { return }
        WCSession.default.sendMessageData(data, replyHandler: nil)
    }

    private static let nameKey = "name"

    private func changed(isReachable: Bool) {
        if isReachable {
            WCSession.default.sendMessage([Self.nameKey: name], replyHandler: nil)
        } else if let counterpart {
            self.counterpart = nil
            ranging?.disconnected(counterpart)
        }
    }

    private func met(_ name: String) {
        // Who says it again was out of reach, and this app not told before it was there again.
        guard counterpart == nil else { return ranging?.resend(to: name) ?? () }
        counterpart = name
        ranging?.connected(name)
    }
}

// Called on a queue of the session's own, while all else is of the main queue.
extension WatchNetwork: WCSessionDelegate {
    func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState,
        error: (any Error)?
    ) {}

    func sessionReachabilityDidChange(_ session: WCSession) {
        let isReachable = session.isReachable
        DispatchQueue.main.post { [weak self] in self?.changed(isReachable: isReachable) }
    }

    func session(_ session: WCSession, didReceiveMessage message: [String: Any]) {
        guard let name = message[Self.nameKey] as? String else { return }
        DispatchQueue.main.post { [weak self] in self?.met(name) }
    }

    func session(_ session: WCSession, didReceiveMessageData messageData: Data) {
        DispatchQueue.main.post { [weak self] in
            guard let self, let counterpart else { return }
            ranging?.received(messageData, from: counterpart)
        }
    }
}
