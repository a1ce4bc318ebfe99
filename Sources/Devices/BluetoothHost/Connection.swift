package import Bluetooth
package import DeviceKit

/// One connection, from its beginning to its end; a new one with the same peer is a new object.
package final class Connection {
    /// The controller's handle: 0x0000 … 0x0EFF, unique while the connection lasts.
    package let handle: UInt16
    /// Which connection of this host it is, from 0; the names of its timers carry it.
    package let number: UInt32
    package let isCentral: Bool
    /// The addresses of this side and of the other one when it began.
    package let own: Address
    package let peer: Address
    /// The address that the other side really has: a known private one is resolved.
    package internal(set) var identity: Address
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
    /// Made when there is something to pair for: most connections never do.
    private var securityChannel: SecurityChannel?
    /// Whether the controller has been asked to encrypt, and has not yet answered.
    private var isEncrypting = false
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
        own = host.address
        self.peer = peer
        identity = host.bonds.identity(of: peer)
        self.parameters = parameters
        outbox = ACLOutbox(limit: host.limits.queue)
    }

    /// The longest ATT PDU on this connection: 23 until exchanged.
    package var mtu: UInt16 { bearer.mtu }

    /// The longest value of a notification or a write command.
    package var maximumValueLength: Int { Int(mtu) - 3 }

    /// Whether there is a key for the peer.
    package var isBonded: Bool { host.bonds[bond: identity] != nil }

    /// Encrypts the link with the bond's key (central only); the delegate hears of the outcome.
    ///
    /// False where there is no bond or the connection has ended: nothing happens then.
    package func encrypt() -> Bool {
        precondition(isCentral, "only a central starts encryption")
        guard isOpen, let bond = host.bonds[bond: identity] else { return false }
        if !isEncrypting { encrypt(with: bond.longTermKey) }
        return true
    }

    func encrypt(with key: LongTermKey) {
        isEncrypting = true
        command(
            .encrypt(
                handle: handle, key: key.key, random: key.random, diversifier: key.diversifier))
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
        case L2CAPChannel.security: security(making: true)?.receive(payload)
        default: drop("no channel \(channel)")
        }
    }

    /// A line in the log about a frame that was dropped.
    func drop(_ reason: String) { host.context.log("connection \(number): \(reason)") }

    func handleTimer(_ name: String) -> Bool {
        bearer.handleTimer(name) || signalling.handleTimer(name)
            || securityChannel?.handleTimer(name) == true
    }

    /// The connection has ended: everything that was asked fails.
    func close(_ reason: UInt8) {
        isOpen = false
        session = ServerSession()
        securityChannel?.close()
        bearer.close(reason)
        signalling.close(reason)
    }
}

// Security and timing, as the controller reports them.
extension Connection {
    /// Which key? That of the pairing under way, or that of the bond by the numbers that its maker gave it.
    func sendLongTermKey(random: UInt64, diversifier: UInt16) {
        let isMadeNow = random == 0 && diversifier == 0
        let bond = host.bonds[bond: identity].flatMap {
            $0.random == random && $0.diversifier == diversifier ? $0.key : nil
        }
        command(
            .longTermKey(handle: handle, isMadeNow ? securityChannel?.key ?? bond : bond))
    }

    /// What the key in use is worth: that of the pairing under way, or that of the bond.
    private var securityOfKey: LinkSecurity {
        securityChannel?.security ?? host.bonds[bond: identity]?.security
            ?? .encrypted(keySize: 16, isAuthenticated: false)
    }

    func encryptionDidChange(status: UInt8, isEncrypted: Bool) {
        isEncrypting = false
        if status == 0 { security = isEncrypted ? securityOfKey : .open }
        securityChannel?.encryptionDidChange(isEncrypted: status == 0 && isEncrypted)
        if status == 0, isEncrypted {
            host.server.restoreSubscriptions(of: self)
            host.server.compareDatabase(with: self)
        }
        host.delegate?.host(host, encryptionDidChange: self, status: status)
    }

    func parametersDidChange(to parameters: ConnectionParameters, status: UInt8) {
        if status == 0 { self.parameters = parameters }
        host.delegate?.host(host, parametersDidChange: self, status: status)
    }
}

// Pairing (Core Specification Vol 3 Part H).
extension Connection {
    /// Whether a pairing is under way.
    package var isPairing: Bool { securityChannel?.isBusy == true }

    /// Begins to pair (central only); the delegate hears of the outcome.
    ///
    /// False where this host does not pair, a pairing has timed out, or the connection has ended. One that is under way
    /// goes on.
    package func pair() -> Bool {
        precondition(isCentral, "only a central begins a pairing")
        return security(making: host.pairing != nil)?.pair() == true
    }

    /// The user has answered what the delegate was asked.
    package func answerPairing(_ accepts: Bool) { securityChannel?.answer(accepts) }

    /// Asks the central to encrypt the link, or to pair (peripheral only).
    package func requestSecurity() {
        precondition(!isCentral, "only a peripheral asks for security")
        guard let policy = host.pairing else { return }
        send(SMPPDU.securityRequest(policy.authentication).bytes, on: L2CAPChannel.security)
    }

    /// A peripheral wants security: the bond's key does, or a pairing; false where this host does not pair.
    ///
    /// It asks in vain where the link is encrypted or about to be (Vol 3 Part H 2.4.6).
    func secure() -> Bool { security.isEncrypted || isEncrypting || encrypt() || pair() }

    private func security(making: Bool) -> SecurityChannel? {
        if securityChannel == nil, making { securityChannel = SecurityChannel(of: self) }
        return securityChannel
    }
}
