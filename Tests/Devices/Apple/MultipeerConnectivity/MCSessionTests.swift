import AppleFoundation
import DeviceKit
import Testing

@testable import MultipeerConnectivity

/// Participants who find, invite and hear one another.
struct MCSessionTests {
    @Test func whoAdvertisesIsFoundWithWhatItSaysOfItself() throws {
        let room = try Room(["ben", "amy"])
        room.app(1) { $0.begin(info: ["team": "red"]) }
        room.app(0) { $0.begin() }
        room.wait()
        #expect(room.heard() == [#"found amy ["team": "red"]"#])
        room.app(1) { $0.advertiser?.stopAdvertisingPeer() }
        room.wait()
        #expect(room.heard() == ["lost amy"])
    }

    @Test func whoIsInvitedAndAcceptsIsConnectedAtBothEnds() throws {
        let room = try Self.met(["ben", "amy"])
        room.app(0) { $0.invite() }
        room.wait()
        #expect(room.heard(0) == ["amy connecting", "amy connected"])
        #expect(room.heard(1) == ["invited by ben", "ben connecting", "ben connected"])
    }

    @Test func twoWhoInviteEachOtherAreConnectedOnce() throws {
        let room = try Self.met(["ben", "amy"])
        room.everyApp { $0.invite() }
        room.wait()
        for (phone, other) in [(0, "amy"), (1, "ben")] {
            #expect(
                room.heard(phone).filter { $0 != "invited by \(other)" }
                    == ["\(other) connecting", "\(other) connected"])
            #expect(room.phones[phone].session?.connectedPeers.map(\.displayName) == [other])
        }
    }

    /// Which this side learns of only later, for example a phone that was frozen.
    @Test func whoInvitesAnewHasLostTheConnection() throws {
        let room = try Self.connected(["ben", "amy"])
        _ = room.heard()
        room.app(0) { ben in
            guard let session = ben.session, let amy = session.connectedPeers.first else { return }
            let connection = NetworkHost.current.open(
                NetworkService(type: "_a-room._tcp", name: "amy"))
            // Before every identifier comes the empty one.
            #expect(session.begin(amy, on: connection, invitedBy: "") == .begun)
            session.complete(amy, on: connection)
        }
        #expect(room.heard() == ["amy notConnected", "amy connecting", "amy connected"])
    }

    @Test func dataArrivesInSequence() throws {
        let room = try Self.connected(["ben", "amy"])
        room.app(0) { phone in
            guard let session = phone.session else { return }
            for word in ["one", "two"] {
                try? session.send(
                    Data(word.utf8), toPeers: session.connectedPeers, with: .reliable)
            }
        }
        room.wait()
        #expect(room.heard(1) == ["ben says one", "ben says two"])
    }

    @Test func itsDelegateIsCalledOnAQueueOfItsOwn() throws {
        let room = try Self.connected(["ben", "amy"])
        let queues = room.chamber.answers.compactMap {
            if case .post(let queue, _) = $0.answer { queue } else { nil }
        }
        #expect(queues.contains { $0.hasPrefix("queue com.apple.MCSession.callback") })
    }

    @Test func whatCannotBeSentIsAnError() throws {
        let room = try Self.connected(["ben", "amy"])
        var errors: [MCError.Code] = []
        room.app(0) { phone in
            guard let session = phone.session else { return }
            func attempt(_ data: Data, to peers: [MCPeerID]) {
                do { try session.send(data, toPeers: peers, with: .reliable) } catch {
                    if let error = error as? MCError { errors.append(error.code) }
                }
            }
            attempt(Data([1]), to: [])
            attempt(Data([1]), to: [MCPeerID(displayName: "nobody")])
            attempt(Data(count: 65_535), to: session.connectedPeers)
        }
        #expect(errors == [.invalidParameter, .notConnected, .invalidParameter])
    }

    @Test func whoDeclinesIsNotConnected() throws {
        let room = try Self.met(["ben", "amy"])
        room.phones[1].accepts = false
        room.app(0) { $0.invite() }
        room.wait()
        #expect(room.heard(0) == ["amy connecting", "amy notConnected"])
        #expect(room.heard(1) == ["invited by ben"])
    }

    @Test func eightAreConnectedAndTheNinthIsNot() throws {
        let names = (1...9).map { "phone\($0)" }
        let room = try Self.met(names)
        room.app(0) { $0.invite() }
        room.wait()
        #expect(room.phones[0].session?.connectedPeers.count == 7)
        #expect(kMCSessionMaximumNumberOfPeers == 8)
    }

    @Test func whoLeavesIsNotConnectedForTheOthers() throws {
        let room = try Self.connected(["ben", "amy", "tom"])
        room.app(0) { $0.session?.disconnect() }
        room.wait()
        #expect(room.heard(1) == ["ben notConnected"])
        #expect(room.heard(2) == ["ben notConnected"])
    }

    @Test func inTheBackgroundAllEndsAndInTheForegroundItIsFoundAgain() throws {
        let room = try Self.connected(["ben", "amy"])
        room.app(0) { $0.multipeer.setForeground(false) }
        room.wait()
        #expect(room.heard(0) == ["amy notConnected"])
        #expect(Set(room.heard(1)) == ["ben notConnected", "lost ben"])
        room.app(0) { $0.multipeer.setForeground(true) }
        room.wait()
        #expect(room.heard(0) == ["found amy [:]"])
        #expect(room.heard(1) == ["found ben [:]"])
    }

    @Test func withoutTheLocalNetworkNothingStarts() throws {
        let room = try Room(["ben"], isAllowed: false)
        room.app(0) { $0.begin() }
        room.wait()
        #expect(room.heard() == ["advertising: -72008", "browsing: -72008"])
    }

    @Test func aParticipantSurvivesAnArchive() throws {
        let room = try Room(["ben"])
        var isSame = false
        room.app(0) { _ in
            let peer = MCPeerID(displayName: "ben")
            let data = try? NSKeyedArchiver.archivedData(
                withRootObject: peer, requiringSecureCoding: true)
            let back = data.flatMap {
                try? NSKeyedUnarchiver.unarchivedObject(ofClass: MCPeerID.self, from: $0)
            }
            isSame = back == peer && MCPeerID(displayName: "ben") != peer
        }
        #expect(isSame)
    }

    // MARK: Rooms

    /// Phones that have found one another.
    private static func met(_ names: [String]) throws -> Room {
        let room = try Room(names)
        room.everyApp { $0.begin() }
        room.wait()
        for phone in names.indices { _ = room.heard(phone) }
        return room
    }

    /// Phones that the first one has invited.
    private static func connected(_ names: [String]) throws -> Room {
        let room = try met(names)
        room.app(0) { $0.invite() }
        room.wait()
        for phone in names.indices { _ = room.heard(phone) }
        return room
    }
}

/// A connection and those who hear of it.
struct ConnectionTests {
    private static func host() -> NetworkHost {
        NetworkHost(in: Context(Reset(name: "ben", model: "")) { _ in })
    }

    /// Opens a connection that whoever hears of it holds on to.
    private static func connection(on host: NetworkHost) -> NetworkConnection {
        let connection = host.open(NetworkService(type: "_post._tcp", name: "amy"))
        connection.didOpen = { _ = connection.service }
        return connection
    }

    @Test func aConnectionIsLetGoOfWhenItIsOver() {
        let host = Self.host()
        weak var connection: NetworkConnection?
        do {
            let open = Self.connection(on: host)
            connection = open
            open.close()
        }
        #expect(connection == nil)
    }

    @Test func andWithItsHost() {
        weak var connection: NetworkConnection?
        do { connection = Self.connection(on: Self.host()) }
        #expect(connection == nil)
    }
}
