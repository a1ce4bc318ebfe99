import Bluetooth
import BluetoothHost
import DeviceKit

/// A device that is nothing but a host, and notes what the host tells it.
final class Peer: Device, HostDelegate {
    let host: Host
    let context: Context
    var notes: [String] = []
    /// The key of all that it draws.
    var key: Keyed { Keyed(Self.seed(of: context.name)) }
    fileprivate static func seed(of name: String) -> UInt64 { Keyed(0).with(name).value }
    var logs: [String] { box.lines }
    var stored: [StoredPair] = []
    /// Whether the user agrees to a pairing as soon as asked.
    var answersAtOnce = true
    fileprivate var timers: [(name: String, due: VirtualTime)] = []
    fileprivate var work: (() -> Void)?
    fileprivate var uncompleted: UInt16 = 0
    private let box: LogBox

    convenience init(_ reset: Reset, in context: Context) throws(Refusal) {
        self.init(context, LogBox(), reset.stored, HostLimits())
    }

    fileprivate init(_ context: Context, _ box: LogBox, _ pairs: [StoredPair], _ limits: HostLimits)
    {
        self.context = context
        self.box = box
        stored = pairs
        let isPhone = context.name == "phone"
        host = Host(
            in: context, at: isPhone ? Wire.centralAddress : Wire.peripheralAddress, stored: pairs,
            limits: limits)
        host.delegate = self
    }

    static func make(
        _ name: String, stored: [StoredPair] = [], limits: HostLimits = HostLimits()
    ) -> Peer {
        let box = LogBox()
        let reset = Reset(name: name, model: "", key: seed(of: name))
        let context = Context(reset) { line in
            // The context puts the moment in front.
            box.lines.append(
                line.firstRange(of: "] ").map { String(line[$0.upperBound...]) } ?? line)
        }
        return Peer(context, box, stored, limits)
    }

    func handle(_ event: DeviceEvent) {
        if host.handle(event) { return }
        if case .command = event { work?() }
    }

    func host(_ host: Host, didReceive report: AdvertisingReport) {
        notes.append("heard \(report.peer) \(report.data.localName ?? "-")")
    }
    func host(_ host: Host, didConnect connection: Connection) { notes.append("connected") }
    func host(_ host: Host, didFailToConnect peer: Address, status: UInt8) {
        notes.append("failed to connect \(status)")
    }
    func host(_ host: Host, didDisconnect connection: Connection, reason: UInt8) {
        notes.append("disconnected \(reason)")
    }
    func host(_ host: Host, encryptionDidChange connection: Connection, status: UInt8) {
        notes.append("encryption \(status)")
    }
    func host(_ host: Host, parametersDidChange connection: Connection, status: UInt8) {
        notes.append("parameters \(status) \(connection.parameters.interval)")
    }
    func host(_ host: Host, bearerDidTimeOut connection: Connection) { notes.append("timed out") }
    func host(_ host: Host, isReadyToSendOn connection: Connection) { notes.append("ready") }
    func host(_ host: Host, asks question: Pairing.Question, of connection: Connection) {
        notes.append("asked \(question)")
        if answersAtOnce { connection.answerPairing(true) }
    }
    func host(
        _ host: Host, didPair connection: Connection, result: Result<Void, PairingFailure>
    ) {
        switch result {
        case .success: notes.append("paired")
        case .failure(let reason): notes.append("not paired \(reason.rawValue)")
        }
    }
}

private final class LogBox {
    var lines: [String] = []
}

/// A central and a peripheral on one wire, which delivers everything in order and at once.
///
/// It keeps a picture of every ATT PDU: `>` from the central, `<` from the peripheral.
final class Wire {
    static let centralAddress = Address(0xC0_0000_0000_01)
    static let peripheralAddress = Address(0xC0_0000_0000_02)
    static let parameters = ConnectionParameters(interval: 24, latency: 0, timeout: 72)

    let central: Peer
    let peripheral: Peer
    /// The ATT PDUs, as hexadecimal digits.
    var pdus: [String] = []
    /// Frames of other channels, as `cid: digits`.
    var others: [String] = []
    /// All commands but ACL data.
    var commands: [String] = []
    /// Whether the controllers complete packets.
    var completesPackets = true
    /// Whether the peripheral gets its frames; false is a long fade.
    var reachesPeripheral = true
    private(set) var now = VirtualTime.zero
    private let handle: UInt16 = 1
    private var pending: [(peer: Peer, event: BluetoothEvent)] = []

    init(central: Peer = .make("phone"), peripheral: Peer = .make("accessory")) {
        self.central = central
        self.peripheral = peripheral
    }

    /// A connected wire to a peripheral whose database `build` makes.
    static func connected(
        mtu: UInt16 = 247, bond: Bond? = nil, build: (GATTServer) -> Void = { _ in }
    ) -> Wire {
        func stored(_ address: Address) -> [StoredPair] {
            bond.map { [StoredPair("bond/\(address)", $0.stored)] } ?? []
        }
        let wire = Wire(
            central: .make("phone", stored: stored(peripheralAddress)),
            peripheral: .make(
                "accessory", stored: stored(centralAddress), limits: HostLimits(mtu: mtu)))
        build(wire.peripheral.host.server)
        wire.connect()
        return wire
    }

    var client: GATTClient { link.client }
    /// The connection at the central.
    var link: Connection { central.host.connections[0] }
    /// The connection at the peripheral.
    var back: Connection { peripheral.host.connections[0] }

    func connect() {
        let parameters = Self.parameters
        pending.append(
            (
                central,
                .connectionComplete(
                    status: 0, handle: handle, isCentral: true, peer: Self.peripheralAddress,
                    parameters)
            ))
        pending.append(
            (
                peripheral,
                .connectionComplete(
                    status: 0, handle: handle, isCentral: false, peer: Self.centralAddress,
                    parameters)
            ))
        settle()
    }

    /// Runs `work` in a turn of the central, then delivers until nothing is left.
    func inCentral(_ work: @escaping () -> Void) { run(work, in: central) }
    /// Runs `work` in a turn of the peripheral, then delivers until nothing is left.
    func inPeripheral(_ work: @escaping () -> Void) { run(work, in: peripheral) }

    /// Brings a PDU to the peripheral as if the central had sent it.
    func inject(_ bytes: [UInt8]) {
        pending.append(
            (peripheral, .acl(handle: handle, L2CAPFrame(channel: 4, payload: bytes).bytes)))
        settle()
    }

    /// Gives an event to a peer, then delivers until nothing is left.
    func deliver(_ event: BluetoothEvent, to peer: Peer) {
        pending.append((peer, event))
        settle()
    }

    /// Lets time pass, and timers come due in their order.
    func advance(seconds: UInt64) {
        let end = now + .seconds(seconds)
        while let next = nextTimer(), next.due <= end {
            now = next.due
            next.peer.timers.removeAll { $0.name == next.name }
            take(next.peer.context.turn(of: next.peer, at: now, .timer(name: next.name)), next.peer)
            settle()
        }
        now = end
    }

    /// The timers that are set, in the order of their setting.
    func timers(of peer: Peer) -> [String] { peer.timers.map(\.name) }

    /// The link is lost without a word.
    func lose() {
        pending = []
        for peer in [central, peripheral] {
            pending.append((peer, .disconnectionComplete(handle: handle, reason: 0x08)))
        }
        settle()
    }

    private func nextTimer() -> (peer: Peer, name: String, due: VirtualTime)? {
        let all = [central, peripheral].flatMap { peer in
            peer.timers.map { (peer: peer, name: $0.name, due: $0.due) }
        }
        return all.min { $0.due < $1.due }
    }

    private func run(_ work: @escaping () -> Void, in peer: Peer) {
        peer.work = work
        let event = DeviceEvent.command(name: "work", arguments: [])
        take(peer.context.turn(of: peer, at: now, event), peer)
        peer.work = nil
        settle()
    }

    private func settle() {
        while true {
            if !pending.isEmpty {
                let next = pending.removeFirst()
                take(
                    next.peer.context.turn(of: next.peer, at: now, .bluetooth(next.event)),
                    next.peer)
            } else if !completeRest() {
                return
            }
        }
    }

    /// Completes packets that did not make up a lot; false where there are none.
    private func completeRest() -> Bool {
        for peer in [central, peripheral] where completesPackets && peer.uncompleted > 0 {
            pending.append((peer, .completedPackets(handle: handle, count: peer.uncompleted)))
            peer.uncompleted = 0
            return true
        }
        return false
    }

    private func take(_ answers: [Answer], _ peer: Peer) {
        for answer in answers {
            switch answer {
            case .bluetooth(let command): take(command, peer)
            case .setTimer(let name, let after, _):
                peer.timers.removeAll { $0.name == name }
                peer.timers.append((name, now + after))
            case .cancelTimer(let name): peer.timers.removeAll { $0.name == name }
            case .store(let key, let value):
                peer.stored.removeAll { $0.key == key }
                if let value { peer.stored.append(StoredPair(key, value)) }
            case .uwb, .network, .camera, .post, .observe: break
            }
        }
    }

    private func take(_ command: BluetoothCommand, _ peer: Peer) {
        let other = peer === central ? peripheral : central
        if case .acl(_, let bytes) = command { return carry(bytes, from: peer, to: other) }
        commands.append("\(peer.context.name): \(command)")
        switch command {
        case .disconnect(_, let reason):
            pending.append((other, .disconnectionComplete(handle: handle, reason: reason)))
            pending.append((peer, .disconnectionComplete(handle: handle, reason: 0x16)))
        case .encrypt(_, let key, let random, let diversifier):
            keyOfCentral = key
            pending.append(
                (
                    other,
                    .longTermKeyRequest(handle: handle, random: random, diversifier: diversifier)
                ))
        case .longTermKey(_, let key):
            let status: UInt8 = key == nil || key != keyOfCentral ? 0x06 : 0
            for peer in [central, peripheral] {
                pending.append(
                    (
                        peer,
                        .encryptionChange(
                            status: status, handle: handle, isEncrypted: status == 0)
                    ))
            }
        case .updateConnection(_, let parameters):
            for peer in [central, peripheral] {
                pending.append(
                    (
                        peer,
                        .connectionUpdateComplete(status: 0, handle: handle, parameters)
                    ))
            }
        default: break
        }
    }
    private(set) var keyOfCentral: [UInt8] = []

    private func carry(_ bytes: [UInt8], from peer: Peer, to other: Peer) {
        let digits = bytes[4...].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(
            separator: " ")
        if bytes[2] == 4 {
            pdus.append((peer === central ? "> " : "< ") + digits)
        } else {
            others.append("\(peer.context.name) \(bytes[2]): \(digits)")
        }
        peer.uncompleted += 1
        if completesPackets && peer.uncompleted == UInt16(aclBufferCount / 2) {
            pending.append((peer, .completedPackets(handle: handle, count: peer.uncompleted)))
            peer.uncompleted = 0
        }
        if other === central || reachesPeripheral {
            pending.append((other, .acl(handle: handle, bytes)))
        }
    }
}

/// Keeps what a completion says.
final class Box<Value> {
    var results: [Result<Value, GATTError>] = []
    var value: Value? { try? results.first?.get() }
    var error: GATTError? {
        guard case .failure(let error)? = results.first else { return nil }
        return error
    }
    func take(_ result: Result<Value, GATTError>) { results.append(result) }
}
