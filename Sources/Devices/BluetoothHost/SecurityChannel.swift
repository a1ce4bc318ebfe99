import Basics
import Bluetooth
import DeviceKit

/// The Security Manager of one connection: it runs at most one pairing at a time, on a fixed channel.
final class SecurityChannel {
    private unowned let connection: Connection
    private let timer: String
    private var pairing: Pairing?
    /// Whether a pairing has timed out: nothing more may be sent then (Core Specification Vol 3 Part H 3.4).
    private var isDead = false

    init(of connection: Connection) {
        self.connection = connection
        timer = String(joining: "smp/", String(connection.number))
    }

    private var host: Host { connection.host }

    /// Whether a pairing is under way.
    var isBusy: Bool { pairing != nil }

    /// The key with which the peripheral's controller is to encrypt the link now; nil where no pairing has made one.
    var key: [UInt8]? { pairing?.key }

    /// How good the key of the pairing under way is.
    var security: LinkSecurity? {
        // The optimiser of Swift 6.3 ends the compiler on a chain of optionals here, with -enable-testing.
        guard let pairing, let quality = pairing.quality else { return nil }
        return .encrypted(keySize: quality.keySize, isAuthenticated: quality.isAuthenticated)
    }

    /// Begins a pairing (central only); false where this host does not pair, or cannot any more.
    func pair() -> Bool {
        guard connection.isOpen, !isDead, !isBusy, let made = makePairing() else { return isBusy }
        pairing = made
        perform(made.begin())
        return true
    }

    /// Takes a PDU of the peer.
    func receive(_ payload: ArraySlice<UInt8>) {
        guard !isDead else { return connection.drop("a security PDU after a timeout") }
        if !isBusy, !begins(with: payload) { return }
        step { $0.receive(payload) }
    }

    func answer(_ accepts: Bool) { step { $0.answer(accepts) } }

    /// The link is encrypted, or could not be.
    func encryptionDidChange(isEncrypted: Bool) {
        step { $0.encryptionDidChange(isEncrypted: isEncrypted) }
    }

    func handleTimer(_ name: String) -> Bool {
        guard name == timer else { return false }
        isDead = true
        step { $0.timeOut() }
        return true
    }

    /// The connection has ended: a pairing with it.
    func close() {
        guard isBusy else { return }
        host.context.cancelTimer(timer)
        finish(.failure(.unspecifiedReason))
    }

    /// What comes while nobody pairs: a request begins a pairing, or asks the central to secure the link; true where
    /// a pairing has to be told.
    private func begins(with payload: ArraySlice<UInt8>) -> Bool {
        let pdu: SMPPDU
        do throws(PairingFailure) {
            pdu = try SMPPDU(payload)
        } catch {
            refuse(with: error)
            return false
        }
        switch pdu {
        case .pairingRequest where !connection.isCentral:
            guard let made = makePairing() else { break }
            pairing = made
            return true
        case .securityRequest where connection.isCentral:
            guard !connection.secure() else { return false }
        case .pairingFailed: return false
        // These come late, where a pairing has failed meanwhile.
        case .pairingRequest, .securityRequest, .pairingResponse, .pairingConfirm, .pairingRandom,
            .encryptionInformation, .centralIdentification, .identityInformation, .identityAddress,
            .signingInformation, .publicKey, .keyCheck, .keypress:
            connection.drop("a security PDU of no pairing")
            return false
        }
        refuse(with: .pairingNotSupported)
        return false
    }

    private func refuse(with reason: PairingFailure) { send(.pairingFailed(reason)) }

    private func send(_ pdu: SMPPDU) { connection.send(pdu.bytes, on: L2CAPChannel.security) }

    /// Lets the pairing take a step, and does what it wants.
    private func step(_ body: (inout Pairing) -> [Pairing.Action]) {
        guard var pairing else { return }
        let actions = body(&pairing)
        self.pairing = pairing
        perform(actions)
    }

    private func perform(_ actions: [Pairing.Action]) {
        for action in actions {
            switch action {
            case .send(let pdu):
                send(pdu)
                host.context.setTimer(timer, after: .seconds(30))
            case .ask(let question): host.delegate?.host(host, asks: question, of: connection)
            case .encrypt(let key): connection.encrypt(with: LongTermKey(key: key))
            case .end(let result):
                host.context.cancelTimer(timer)
                finish(result)
            }
        }
    }

    private func finish(_ result: Result<PairedKeys, PairingFailure>) {
        pairing = nil
        if case .success(let keys) = result { host.keep(keys, of: connection) }
        host.delegate?.host(host, didPair: connection, result: result.map { _ in })
    }

    /// What this host brings into a pairing; all of it is drawn anew.
    private func makePairing() -> Pairing? {
        guard let policy = host.pairing else { return nil }
        let sides = PairingSides(
            isCentral: connection.isCentral, own: connection.own, peer: connection.peer)
        return Pairing(policy: policy, sides: sides, secrets: host.drawSecrets())
    }
}

extension Host {
    /// What is new in each pairing, and who this device is.
    fileprivate func drawSecrets() -> PairingSecrets {
        var pair: PairingKeyPair?
        repeat { pair = PairingKeyPair(private: draw(32)) } while pair == nil
        guard let pair else { preconditionFailure("a loop ended too early") }
        return PairingSecrets(
            nonce: draw(16), pair: pair,
            longTermKey: LongTermKey(
                key: draw(16), random: UInt64(littleEndian: draw(8)),
                diversifier: UInt16(truncatingIfNeeded: context.random("smp").value)),
            identity: identity)
    }

    private func draw(_ count: Int) -> [UInt8] { context.random("smp").bytes(count) }

    /// Who this device is behind private addresses; the key is drawn once, and kept.
    package var identity: Identity {
        if let key = bonds.ownResolvingKey { return Identity(key: key, address: ownAddress) }
        let key = context.random("irk").bytes(16)
        bonds.ownResolvingKey = key
        return Identity(key: key, address: ownAddress)
    }

    /// Keeps what a pairing has brought, under the address that the peer really has.
    fileprivate func keep(_ keys: PairedKeys, of connection: Connection) {
        guard let key = keys.longTermKey else { return }
        let peer = keys.identity?.address ?? connection.peer
        bonds[bond: peer] = Bond(
            key: key.key, keySize: keys.keySize, isAuthenticated: keys.isAuthenticated,
            random: key.random, diversifier: key.diversifier,
            resolvingKey: keys.identity?.resolvingKey)
        connection.identity = peer
        // What the peer has found and subscribed to before there was a bond belongs to it now.
        server.keepSubscriptions(of: connection)
        server.keepAwareness(of: connection)
    }
}
