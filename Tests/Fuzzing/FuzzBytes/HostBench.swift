import Bluetooth
import BluetoothHost
import DeviceKit

/// A device that is nothing but a host, with one connection and a controller that believes it.
///
/// Whatever the peer does, the host keeps to its own part: every frame can be read, none is longer than
/// the peer allowed, and no more are under way than the controller has buffers for.
final class HostBench {
    static let bond = Bond(key: Array(1...16))
    private static let peer = Address(0xC0_0000_0000_02)
    private static let handle: UInt16 = 1

    private let device: HostOnly
    private let isCentral: Bool
    private var now = VirtualTime.zero
    private var timers: [(name: String, due: VirtualTime)] = []
    private var underway = 0
    /// Requests of the peer that have no response yet.
    private var responsesOwed = 0

    init(isCentral: Bool, build: (GATTServer) -> Void = { _ in }) {
        self.isCentral = isCentral
        device = HostOnly(bonds: [StoredPair("bond/\(Self.peer)", Self.bond.stored)])
        build(device.host.server)
        tell(
            .connectionComplete(
                status: 0, handle: Self.handle, isCentral: isCentral, peer: Self.peer,
                ConnectionParameters(interval: 24, latency: 0, timeout: 72)))
    }

    /// The connection; nil once it has ended.
    var connection: Connection? { device.host.connections.first }
    var server: GATTServer { device.host.server }

    func tell(_ event: BluetoothEvent) { turn(.bluetooth(event)) }

    /// An L2CAP frame of the peer.
    func receive(_ bytes: [UInt8]) {
        if let frame = try? L2CAPFrame(bytes), frame.channel == L2CAPChannel.attribute,
            let first = frame.payload.first, ATTOpcode.wantsResponse(first)
        {
            responsesOwed += 1
        }
        tell(.acl(handle: Self.handle, bytes))
    }

    /// A PDU of the peer on a channel.
    func receive(_ pdu: [UInt8], on channel: UInt16) {
        receive(L2CAPFrame(channel: channel, payload: pdu).bytes)
    }

    /// The device does something of its own accord.
    func act(_ work: @escaping () -> Void) {
        device.work = work
        turn(.command(name: "work", arguments: []))
        device.work = nil
    }

    /// The controller is done with so many packets.
    func complete(_ count: Int) {
        let done = min(count, underway)
        underway -= done
        tell(.completedPackets(handle: Self.handle, count: UInt16(done)))
    }

    /// The controller says that it is done with what nobody sent.
    func completeTooMany(_ count: UInt16) {
        underway = max(0, underway - Int(count))
        tell(.completedPackets(handle: Self.handle, count: count))
    }

    /// The next timer comes due.
    func passTime() {
        guard let next = timers.min(by: { $0.due < $1.due }) else { return }
        timers.removeAll { $0.name == next.name }
        now = max(now, next.due)
        turn(.timer(name: next.name))
    }

    /// The link is lost.
    func lose() {
        tell(.disconnectionComplete(handle: Self.handle, reason: 0x08))
        demand(timers.isEmpty, "a timer of a link that has ended: \(timers)")
    }

    private func turn(_ event: DeviceEvent) {
        let mtu = connection?.mtu ?? 23
        let answers = device.context.turn(of: device, at: now, event)
        for answer in answers {
            switch answer {
            case .bluetooth(.acl(_, let frame)): check(frame, max(mtu, connection?.mtu ?? mtu))
            case .setTimer(let name, let after, _):
                timers.removeAll { $0.name == name }
                timers.append((name, now + after))
            case .cancelTimer(let name): timers.removeAll { $0.name == name }
            case .bluetooth, .uwb, .network, .camera, .store, .post, .observe: break
            }
        }
    }

    private func check(_ bytes: [UInt8], _ mtu: UInt16) {
        underway += 1
        demand(underway <= aclBufferCount, "more packets than the controller has buffers for")
        guard let frame = try? L2CAPFrame(bytes) else { fatalError("a frame that nobody can read") }
        guard frame.channel == L2CAPChannel.attribute else { return }
        demand(frame.payload.count <= Int(mtu), "a PDU longer than the peer allowed")
        guard let pdu = try? ATTPDU(frame.payload) else { fatalError("a PDU that nobody can read") }
        demand(pdu.bytes == frame.payload, "a PDU that is written in two ways")
        if case .response = pdu.opcode.role {
            responsesOwed -= 1
            demand(responsesOwed >= 0, "a response to no request")
        }
    }
}

extension ATTOpcode {
    /// Whether a peer that sends this waits for a response: all that are even and no commands.
    fileprivate static func wantsResponse(_ opcode: UInt8) -> Bool {
        if let known = ATTOpcode(rawValue: opcode) {
            if case .request = known.role { return true }
            return false
        }
        return opcode & 0x40 == 0 && opcode.isMultiple(of: 2)
    }
}

/// A device that is nothing but a host.
private final class HostOnly: Device {
    let host: Host
    let context: Context
    var work: (() -> Void)?

    init(_ reset: Reset, in context: Context) throws(Refusal) {
        self.context = context
        host = Host(in: context, stored: reset.stored)
    }

    init(bonds: [StoredPair]) {
        context = Context(Reset(name: "host", model: "")) { _ in }
        host = Host(in: context, stored: bonds)
        host.pairing = .init()
    }

    func handle(_ event: DeviceEvent) {
        if host.handle(event) { return }
        if case .command = event { work?() }
    }
}
