import Basics
package import Bluetooth
package import BluetoothHost
package import DeviceKit
import Vocabulary

/// The Security Manager below firmware of somebody else's, as a chip's Bluetooth stack has it: phones pair with it, and
/// the firmware keeps the bonds.
///
/// It is a host of which channel 6, the controller's question for a key and the state of each link are all that is heard.
/// Bonds stand in the device's own storage, under `bond/` and the peer's address: whatever the firmware erases there
/// is gone. It draws by the key of the device's reset.
package final class SecurityManager: Device {
    private let context: Context
    private let host: Host
    private let asksForSecurity: Bool
    /// What it has done in the turn whose answers the device still owes, and what leaves ahead of these.
    private var own: [Answer] = []
    private var ahead: [Answer] = []
    private var buffers: [UInt16: SharedBuffers] = [:]
    /// Who has paired, and the device has yet to hear of it.
    private var paired: [Address] = []

    /// What its timers and its queue begin with.
    private static let prefix = "smp/"
    private static let queue = "smp/paired"
    /// The command by which a device hears that a phone has paired.
    private static let command = "paired"

    /// One for an incarnation, with the accessory's parameters for pairing.
    package convenience init(_ parameters: [Pair], below reset: Reset) throws(Refusal) {
        var mine = reset
        mine.model = AccessoryProfile.qorvo.rawValue
        mine.defects = []
        mine.parameters = parameters
        mine.stored = reset.stored.filter { Self.isKept(under: $0.key) }
        try self.init(mine, in: Context(mine) { _ in })
    }

    package init(_ reset: Reset, in context: Context) throws(Refusal) {
        let parameters = try AccessoryParameters.read(reset)
        self.context = context
        asksForSecurity = parameters.requestsSecurity
        host = Host(in: context, at: reset.address, stored: reset.stored)
        host.pairing = parameters.pairingPolicy
        host.delegate = self
    }

    package func handle(_ event: DeviceEvent) { host.handle(event) }

    /// Takes an event; gives what of it is the device's, which is nothing where it is about pairing alone.
    package func take(_ event: DeviceEvent, at now: VirtualTime) -> DeviceEvent? {
        own = []
        switch event {
        case .queue(Self.queue, _): return heardOfPairing
        case .timer(let name) where name.hasPrefix(Self.prefix): break
        case .bluetooth(.connectionComplete(0, let handle, false, let peer, let timing)):
            own = context.turn(of: self, at: now, event)
            buffers[handle] = SharedBuffers()
            return .bluetooth(
                .connectionComplete(
                    status: 0, handle: handle, isCentral: false, peer: host.identity(of: peer),
                    timing))
        case .bluetooth(.longTermKeyRequest(let handle, _, _)) where buffers[handle] != nil: break
        case .bluetooth(.acl(let handle, let frame)) where buffers[handle] != nil:
            guard (try? L2CAPFrame.channel(of: frame)) == L2CAPChannel.security else {
                return event
            }
        case .bluetooth(.encryptionChange(_, let handle, _)) where buffers[handle] != nil:
            own = context.turn(of: self, at: now, event)
            return event
        case .bluetooth(.disconnectionComplete(let handle, _)) where buffers[handle] != nil:
            own = context.turn(of: self, at: now, event)
            buffers[handle] = nil
            return event
        case .bluetooth(.completedPackets(let handle, let count)) where buffers[handle] != nil:
            return completed(count, on: handle, at: now)
        case .boot, .timer, .queue, .command, .bluetooth, .uwb, .camera, .network: return event
        }
        own = context.turn(of: self, at: now, event)
        return nil
    }

    /// The answers of the turn: those of the device, and what the manager has done.
    package func answers(with answers: [Answer]) -> [Answer] {
        var all = ahead
        for answer in answers {
            switch answer {
            case .store(let key, let value) where Self.isKept(under: key):
                host.note(value, under: key)
            case .bluetooth(.setAddress(let address)): host.address = address
            default: break
            }
            add(answer, ofDevice: true, to: &all)
        }
        for answer in own { add(answer, ofDevice: false, to: &all) }
        (own, ahead) = ([], [])
        return all
    }

    private static func isKept(under key: String) -> Bool {
        key.hasPrefix(BondKey.prefix) || key == Host.identityKey
    }
}

extension SecurityManager: HostDelegate {
    package func host(_ host: Host, didConnect connection: Connection) {
        if asksForSecurity { connection.requestSecurity() }
    }

    package func host(
        _ host: Host, didPair connection: Connection, result: Result<Void, PairingFailure>
    ) {
        guard case .success = result, connection.isBonded else { return }
        paired.append(connection.identity)
        context.answer(.post(queue: Self.queue, item: 0))
    }

    private var heardOfPairing: DeviceEvent {
        let peer = paired.removeFirst()
        let bond = host.storedBond(with: peer).map { String(hexadecimalPairs: $0) } ?? ""
        return .command(
            name: Self.command, arguments: [Pair("peer", peer.description), Pair("bond", bond)])
    }
}

// The buffers of the controller, which device and manager share.
extension SecurityManager {
    private func add(_ answer: Answer, ofDevice isOfDevice: Bool, to all: inout [Answer]) {
        if case .bluetooth(.acl(let handle, let frame)) = answer,
            buffers[handle]?.take(frame, ofDevice: isOfDevice) == false
        {
            return
        }
        all.append(answer)
    }

    private func completed(
        _ count: UInt16, on handle: UInt16, at now: VirtualTime
    ) -> DeviceEvent? {
        let ofDevice = buffers[handle]?.complete(count) ?? 0
        own = context.turn(
            of: self, at: now,
            .bluetooth(.completedPackets(handle: handle, count: count - ofDevice)))
        ahead = (buffers[handle]?.release() ?? []).map { .bluetooth(.acl(handle: handle, $0)) }
        return ofDevice == 0
            ? nil : .bluetooth(.completedPackets(handle: handle, count: ofDevice))
    }
}
