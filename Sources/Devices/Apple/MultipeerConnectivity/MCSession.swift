import DeviceKit

/// The most participants of a session, the local one among them.
public let kMCSessionMaximumNumberOfPeers = 8

/// Where a participant is in a session.
public enum MCSessionState: Int, Sendable {
    case notConnected = 0
    case connecting = 1
    case connected = 2
}

/// Whether what is sent may be lost.
public enum MCSessionSendDataMode: Int, Sendable {
    /// It arrives, in sequence.
    case reliable = 0
    /// It may be lost, and may overtake.
    case unreliable = 1
}

/// Whether a session wants encryption, which changes nothing here.
public enum MCEncryptionPreference: Int, Sendable {
    case optional = 0
    case required = 1
    case none = 2
}

/// Why something could not be done.
public struct MCError: Error, Equatable, Sendable {
    public enum Code: Int, Sendable {
        case unknown = 0
        case notConnected = 1
        case invalidParameter = 2
        case unsupported = 3
        case timedOut = 4
        case cancelled = 5
        case unavailable = 6
    }

    public let code: Code

    public init(_ code: Code) { self.code = code }
}

/// Hears of a session, on a queue of its own.
public protocol MCSessionDelegate: AnyObject {
    func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState)
    func session(_ session: MCSession, didReceive data: Data, fromPeer peerID: MCPeerID)
    /// Never called here.
    func session(
        _ session: MCSession, didReceive stream: InputStream, withName streamName: String,
        fromPeer peerID: MCPeerID)
    /// Never called here.
    func session(
        _ session: MCSession, didStartReceivingResourceWithName resourceName: String,
        fromPeer peerID: MCPeerID, with progress: Progress)
    /// Never called here.
    func session(
        _ session: MCSession, didFinishReceivingResourceWithName resourceName: String,
        fromPeer peerID: MCPeerID, at localURL: URL?, withError error: (any Error)?)
    func session(
        _ session: MCSession, didReceiveCertificate certificate: [Any]?, fromPeer peerID: MCPeerID,
        certificateHandler: @escaping (Bool) -> Void)
}

extension MCSessionDelegate {
    /// Trusts everybody, as a session does whose delegate does not have it.
    public func session(
        _ session: MCSession, didReceiveCertificate certificate: [Any]?, fromPeer peerID: MCPeerID,
        certificateHandler: @escaping (Bool) -> Void
    ) {
        certificateHandler(true)
    }
}

/// Up to eight participants who send each other data.
///
/// Its delegate is called on a serial queue of the session's own, never on the main queue.
public final class MCSession {
    public weak var delegate: (any MCSessionDelegate)?
    public let myPeerID: MCPeerID
    public let securityIdentity: [Any]?
    public let encryptionPreference: MCEncryptionPreference

    private struct Member {
        let peer: MCPeerID
        let connection: NetworkConnection
        let inviter: String
        var state: MCSessionState
    }

    private var members: [Member] = []
    private let queue = DispatchQueue(label: "com.apple.MCSession.callback")

    public init(
        peer myPeerID: MCPeerID, securityIdentity identity: [Any]? = nil,
        encryptionPreference: MCEncryptionPreference = .optional
    ) {
        self.myPeerID = myPeerID
        securityIdentity = identity
        self.encryptionPreference = encryptionPreference
        MultipeerSystem.current.add(self)
    }

    deinit { for member in members { member.connection.close() } }

    /// Those with whom data can be exchanged.
    public var connectedPeers: [MCPeerID] {
        members.filter { $0.state == .connected }.map(\.peer)
    }

    /// Sends data to some who are connected.
    ///
    /// - Throws: `MCError` where one of them is not connected, or there is nobody or too much to send: more than 65,534
    ///   bytes.
    public func send(_ data: Data, toPeers peerIDs: [MCPeerID], with mode: MCSessionSendDataMode)
        throws
    {
        guard !peerIDs.isEmpty, data.count < LinkLimits.block else {
            throw MCError(.invalidParameter)
        }
        let targets = peerIDs.map { peer in
            members.first { $0.peer == peer && $0.state == .connected }
        }
        guard !targets.contains(where: { $0 == nil }) else { throw MCError(.notConnected) }
        for target in targets {
            target?.connection.send(
                Wire.message(.data, Array(data)), isReliable: mode == .reliable)
        }
    }

    /// Leaves the session: everybody else sees that.
    public func disconnect() {
        let all = members
        members = []
        for member in all {
            member.connection.close()
            tell(member.peer, .notConnected)
        }
    }

    // MARK: Members

    var hasRoom: Bool { members.count < kMCSessionMaximumNumberOfPeers - 1 }

    /// What becomes of an invitation.
    enum Beginning {
        /// The connection is the one.
        case begun
        /// Both have invited each other, and the other invitation counts.
        case crossed
        case full
    }

    /// Somebody is about to be connected.
    ///
    /// Where two have invited each other, the invitation of the one with the smaller identifier counts, at both ends.
    func begin(
        _ peer: MCPeerID, on connection: NetworkConnection, invitedBy inviter: String
    ) -> Beginning {
        if let place = members.firstIndex(where: { $0.peer == peer }) {
            guard inviter < members[place].inviter else { return .crossed }
            members[place].connection.close()
            // Whoever invites anew has lost the connection, of whose end nothing was heard here yet.
            if members[place].state == .connected {
                tell(peer, .notConnected)
                tell(peer, .connecting)
            }
            members[place] = Member(
                peer: peer, connection: connection, inviter: inviter, state: .connecting)
        } else {
            guard hasRoom else { return .full }
            members.append(
                Member(peer: peer, connection: connection, inviter: inviter, state: .connecting))
            tell(peer, .connecting)
        }
        connection.didReceive = { [weak self] in self?.received($0, from: peer, on: connection) }
        connection.didEnd = { [weak self] _ in self?.end(peer, on: connection) }
        return .begun
    }

    /// Both want it: data can be exchanged.
    func complete(_ peer: MCPeerID, on connection: NetworkConnection) {
        guard let place = place(of: peer, on: connection), members[place].state != .connected else {
            return
        }
        members[place].state = .connected
        tell(peer, .connected)
    }

    /// A connection is no more, or was not wanted.
    func end(_ peer: MCPeerID, on connection: NetworkConnection) {
        guard let place = place(of: peer, on: connection) else { return }
        members.remove(at: place)
        connection.close()
        tell(peer, .notConnected)
    }

    /// An invitation was not answered in time.
    func giveUp(_ peer: MCPeerID, on connection: NetworkConnection) {
        guard let place = place(of: peer, on: connection), members[place].state != .connected else {
            return
        }
        end(peer, on: connection)
    }

    private func place(of peer: MCPeerID, on connection: NetworkConnection) -> Int? {
        members.firstIndex { $0.peer == peer && $0.connection === connection }
    }

    private func received(_ bytes: [UInt8], from peer: MCPeerID, on connection: NetworkConnection) {
        switch bytes.first.flatMap(Wire.Kind.init) {
        case .acceptance: complete(peer, on: connection)
        case .refusal: end(peer, on: connection)
        case .data:
            let data = Data(bytes.dropFirst())
            queue.post { [weak self] in
                guard let self else { return }
                delegate?.session(self, didReceive: data, fromPeer: peer)
            }
        case .invitation, nil: break
        }
    }

    private func tell(_ peer: MCPeerID, _ state: MCSessionState) {
        queue.post { [weak self] in
            guard let self else { return }
            delegate?.session(self, peer: peer, didChange: state)
        }
    }
}

extension MCSession: MultipeerUser {
    /// What is disconnected in the background stays so: the app has to invite again.
    func multipeerChanged(isRunning: Bool) { if !isRunning { disconnect() } }
}
