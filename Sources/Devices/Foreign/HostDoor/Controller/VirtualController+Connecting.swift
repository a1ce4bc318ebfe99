import Bluetooth
import DeviceLink

/// Attempts to connect.
struct Initiator: Sendable {
    /// Whom the air looks for: one peer, or all of the accept list.
    var pending: [Address] = []
    var usesAcceptList = false
    /// Attempts that end without a word to the host.
    var hidden: [Address] = []
}

extension VirtualController {
    mutating func connect(_ command: HCICommand, _ fields: inout CommandFields) throws(HCIError) {
        guard initiator.pending.isEmpty else { throw .commandDisallowed }
        let policy: UInt8
        let ownAddressType: UInt8
        let peer: Address
        if command == .leCreateConnection {
            _ = try fields.take(4)
            policy = try fields.uint8()
            peer = try fields.address()
            ownAddressType = try fields.uint8()
        } else {
            policy = try fields.uint8()
            ownAddressType = try fields.uint8()
            peer = try fields.address()
            guard try fields.uint8() & 1 == 1 else { throw .unsupportedFeature }
            // Scan interval and window on LE 1M; of other radios nothing is read.
            _ = try fields.take(4)
        }
        let timing = try fields.timing()
        fields.skipRest()
        guard policy <= 1 else { throw .invalidParameters }
        guard policy == 0 || !acceptList.isEmpty else { throw .invalidParameters }
        try use(ownAddressType: ownAddressType, random: ownRandomAddress)
        initiator.usesAcceptList = policy == 1
        initiator.pending = policy == 1 ? acceptList : [peer]
        for peer in initiator.pending { request(.connect(peer: peer, timing)) }
    }

    mutating func cancelConnection() throws(HCIError) {
        guard !initiator.pending.isEmpty else { throw .commandDisallowed }
        for peer in initiator.pending { request(.cancelConnect(peer: peer)) }
        // Of an attempt by the accept list the host hears one end.
        initiator.hidden += initiator.pending.dropFirst()
        initiator.pending.removeSubrange(1...)
    }

    /// An attempt has ended, or a central has connected.
    mutating func connectionComplete(
        status: UInt8, handle: UInt16, isCentral: Bool, peer: Address,
        _ timing: ConnectionParameters
    ) {
        if status != 0, let index = initiator.hidden.firstIndex(of: peer) {
            initiator.hidden.remove(at: index)
            return
        }
        if isCentral {
            for other in initiator.pending where status == 0 && other != peer {
                request(.cancelConnect(peer: other))
                initiator.hidden.append(other)
            }
            initiator.pending = []
        }
        if status == 0 {
            links.append(ControllerLink(handle: handle, isCentral: isCentral))
        }
        tellConnectionComplete(
            status: status, handle: handle, isCentral: isCentral, peer: peer, timing)
        if status == 0, !isCentral { advertisingEnded(by: handle) }
    }

    /// In the form that the host wants; the enhanced one has private addresses of which there are none.
    private mutating func tellConnectionComplete(
        status: UInt8, handle: UInt16, isCentral: Bool, peer: Address,
        _ timing: ConnectionParameters
    ) {
        let isEnhanced = masks.show(.enhancedConnectionComplete)
        tell(isEnhanced ? .enhancedConnectionComplete : .connectionComplete) {
            $0.append(status)
            $0.append(handle: handle)
            $0.append(isCentral ? 0 : 1)
            $0.append(peer)
            if isEnhanced { $0.append([], count: 12) }
            $0.append(timing)
            // The central's clock is good to 500 ppm.
            $0.append(0)
        }
    }
}
