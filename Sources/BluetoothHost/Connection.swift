import Bluetooth
import DeviceKit

/// One connection, from its beginning to its end; a new one with the same peer is a new object.
package final class Connection {
    /// The controller's handle: 0x0000 … 0x0EFF, unique while the connection lasts.
    package let handle: UInt16
    /// Which connection of this host it is, from 0; the names of its timers carry it.
    package let number: UInt32
    /// Whether this host is the central.
    package let isCentral: Bool
    /// The address of the other side.
    package let peer: Address
    /// Interval, latency and supervision timeout as the controller reported them last.
    package private(set) var parameters: ConnectionParameters
    /// Whether it is encrypted, and how good the key is.
    package private(set) var security: LinkSecurity = .open
    /// Whether anything can still be sent: false from `disconnect` on.
    package private(set) var isOpen = true
    /// What can be asked of the peer's attributes.
    package private(set) lazy var client = GATTClient(of: bearer)
    /// Its ATT bearer, which carries both the client's and the server's PDUs.
    package private(set) lazy var bearer = ATTBearer(of: self)
    /// What this host's server keeps for the peer.
    var session = ServerSession()
    unowned let host: Host
    private lazy var signalling = SignallingChannel(of: self)
    private var outbox: ACLOutbox
    /// Whether something was refused since there was room last.
    private var isAwaited = false

    init(
        of host: Host, handle: UInt16, number: UInt32, isCentral: Bool, peer: Address,
        parameters: ConnectionParameters
    ) {
        self.host = host
        self.handle = handle
        self.number = number
        self.isCentral = isCentral
        self.peer = peer
        self.parameters = parameters
        outbox = ACLOutbox(limit: host.limits.queue)
    }

    /// The longest ATT PDU on this connection: 23 until exchanged.
    package var mtu: UInt16 { bearer.mtu }

    /// The longest value of a notification or a write command.
    package var maximumValueLength: Int { Int(mtu) - 3 }

    /// Whether there is a key for the peer.
    package var isBonded: Bool { host.isBonded(to: peer) }

    /// Encrypts the link with the bond's key (central only); the delegate hears of the outcome.
    ///
    /// False where there is no bond or the connection has ended: nothing happens then.
    package func encrypt() -> Bool {
        precondition(isCentral, "only a central starts encryption")
        guard isOpen, let bond = host.bonds[bond: peer] else { return false }
        command(.encrypt(handle: handle, key: bond.key))
        return true
    }

    /// Ends the connection; the delegate hears of the end with reason 0x16.
    ///
    /// Nothing can be sent any more; what was asked before fails when the end is there.
    package func disconnect(reason: UInt8 = 0x13) {
        guard isOpen else { return }
        isOpen = false
        command(.disconnect(handle: handle, reason: reason))
    }

    /// Asks the central for other timing (peripheral only).
    ///
    /// Completes with whether the central accepts; the delegate hears of the change itself. Without an
    /// answer within 30 s it fails, and the connection stays as it is.
    package func requestParameters(
        _ request: ConnectionParameterRequest, completion: @escaping Completion<Bool>
    ) {
        precondition(!isCentral, "only a peripheral asks its central for timing")
        signalling.request(request, completion: completion)
    }

    /// Changes the timing (central only); the delegate hears of the change.
    package func updateParameters(_ parameters: ConnectionParameters) {
        precondition(isCentral, "only a central changes the timing")
        guard isOpen else { return }
        command(.updateConnection(handle: handle, parameters))
    }

    private func command(_ command: BluetoothCommand) { host.context.answer(.bluetooth(command)) }
}

// What the host and the channels of the connection use.
extension Connection {
    /// Whether a notification or a write command would be taken now.
    var hasRoom: Bool { isOpen && outbox.hasRoom }

    /// Keeps room for a frame that comes later.
    func reserve() { outbox.reserved += 1 }

    /// That frame comes now, or never.
    func endReservation() { outbox.reserved -= 1 }

    /// Remembers that something was refused, so that the owner hears when there is room again.
    func refuse() { isAwaited = isOpen }

    /// Tells the owner, once, that there is room again for what was refused.
    func announceRoom() {
        guard isAwaited, bearer.hasRoom else { return }
        isAwaited = false
        host.delegate?.host(host, isReadyToSendOn: self)
    }

    /// Sends one L2CAP frame, as soon as the controller has room for it.
    func send(_ payload: [UInt8], on channel: UInt16) {
        send(L2CAPFrame(channel: channel, payload: payload).bytes)
    }

    /// Sends one ATT PDU, as soon as the controller has room for it.
    func send(_ pdu: ATTPDU) { send(pdu.frame) }

    private func send(_ frame: [UInt8]) {
        guard isOpen else { return }
        outbox.append(frame)
        flush()
    }

    /// Runs `body`, then sends what it returns, and only then what it sent itself.
    ///
    /// So a response leaves before a notification that its handler has caused.
    func answering(_ body: () -> ATTPDU?) {
        outbox.hold()
        let response = body()
        outbox.release(first: response?.frame)
        flush()
    }

    /// The controller has sent so many frames.
    func complete(_ count: Int) {
        outbox.complete(count)
        flush()
        announceRoom()
    }

    private func flush() {
        while isOpen, let frame = outbox.next() { command(.acl(handle: handle, frame)) }
    }

    /// Takes one frame; what is malformed or on an unknown channel is dropped.
    func receive(_ bytes: [UInt8]) {
        let channel: UInt16
        do { channel = try L2CAPFrame.channel(of: bytes) } catch { return drop("\(error)") }
        let payload = bytes[4...]
        switch channel {
        case L2CAPChannel.attribute: bearer.receive(payload)
        case L2CAPChannel.signalling: signalling.receive(Array(payload))
        case L2CAPChannel.security: receiveSecurity(payload)
        default: drop("no channel \(channel)")
        }
    }

    /// A line in the log about a frame that was dropped.
    func drop(_ reason: String) { host.context.log("connection \(number): \(reason)") }

    func handleTimer(_ name: String) -> Bool {
        bearer.handleTimer(name) || signalling.handleTimer(name)
    }

    /// The connection has ended: everything that was asked fails.
    func close(_ reason: UInt8) {
        isOpen = false
        session = ServerSession()
        bearer.close(reason)
        signalling.close(reason)
    }
}

// Security and timing, as the controller reports them.
extension Connection {
    func sendLongTermKey() {
        command(.longTermKey(handle: handle, host.bonds[bond: peer]?.key))
    }

    func encryptionDidChange(status: UInt8, isEncrypted: Bool) {
        if status == 0 {
            let security = host.bonds[bond: peer]?.security
            self.security =
                isEncrypted ? security ?? .encrypted(keySize: 16, isAuthenticated: false) : .open
            if isEncrypted { host.server.restoreSubscriptions(of: self) }
        }
        host.delegate?.host(host, encryptionDidChange: self, status: status)
    }

    func parametersDidChange(to parameters: ConnectionParameters, status: UInt8) {
        if status == 0 { self.parameters = parameters }
        host.delegate?.host(host, parametersDidChange: self, status: status)
    }

    /// Pairing is refused; a bonded peripheral that asks for security gets it
    /// (Core Specification Vol 3 Part H 3.5).
    private func receiveSecurity(_ payload: ArraySlice<UInt8>) {
        let pairingRequest: UInt8 = 0x01
        let securityRequest: UInt8 = 0x0B
        let pairingFailedNotSupported: [UInt8] = [0x05, 0x05]
        switch payload.first {
        case securityRequest? where isCentral && security.isEncrypted: return
        case securityRequest? where isCentral && encrypt(): return
        case pairingRequest?, securityRequest?:
            send(pairingFailedNotSupported, on: L2CAPChannel.security)
        default: drop("a security PDU that is no request")
        }
    }
}
