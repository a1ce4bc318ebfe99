import Bluetooth
import DeviceLink

/// A connection, as the controller has it.
struct ControllerLink: Sendable {
    /// The longest data of a packet, either way, in bytes.
    static let longestData: UInt16 = 251
    /// That, and the microseconds that it takes at 1 Mbit/s (Core Specification Vol 6 Part B 4.5.10).
    static let longestDataAndTime: [UInt8] = [0xFB, 0x00, 0x48, 0x08]

    let handle: UInt16
    let isCentral: Bool
    var isEncrypted = false
    /// Whether the host has asked for its end.
    var isEnding = false
    /// Whether the host was reset since, and need not hear of it any more.
    var isForgotten = false
    /// Whether longer data than 27 bytes was agreed on.
    var hasLongData = false
    /// What the host has sent of a frame.
    var frame = FrameAssembly()
    /// How many packets of the host have not been completed yet.
    var outstanding = 0
}

extension VirtualController {
    /// A command for one connection, whose handle comes first.
    mutating func useLink(
        _ command: HCICommand, _ fields: inout CommandFields
    ) throws(HCIError) -> [UInt8] {
        let handle = try fields.uint16() & 0x0FFF
        guard let index = links.firstIndex(where: { $0.handle == handle && !$0.isForgotten })
        else { throw .unknownConnection }
        let isCentral = links[index].isCentral
        var values: [UInt8] = []
        values.append(handle: handle)
        switch command {
        case .disconnect:
            let reason = try fields.uint8()
            guard [0x05, 0x13, 0x14, 0x15, 0x1A, 0x29, 0x3B].contains(reason)
            else { throw .invalidParameters }
            links[index].isEnding = true
            request(.disconnect(handle: handle, reason: reason))
        case .leConnectionUpdate:
            guard isCentral else { throw .commandDisallowed }
            request(.updateConnection(handle: handle, try fields.timing()))
        case .leEnableEncryption:
            guard isCentral else { throw .commandDisallowed }
            let random = try fields.number(of: 8)
            let diversifier = try fields.uint16()
            let key = try fields.take(16)
            request(.encrypt(handle: handle, key: key, random: random, diversifier: diversifier))
        case .leLongTermKeyRequestReply:
            request(.longTermKey(handle: handle, try fields.take(16)))
        case .leLongTermKeyRequestNegativeReply:
            request(.longTermKey(handle: handle, nil))
        case .readRSSI:
            // 127: not available.
            values.append(127)
        case .leReadPHY: values += [1, 1]
        default: try exchange(command, &fields, onLink: index)
        }
        return values
    }

    /// What two link layers agree on; the air has one radio for all, and carries frames whole.
    private mutating func exchange(
        _ command: HCICommand, _ fields: inout CommandFields, onLink index: Int
    ) throws(HCIError) {
        let handle = links[index].handle
        switch command {
        case .readRemoteVersionInformation:
            tell(.readRemoteVersionInformationComplete) {
                $0.append(0)
                $0.append(handle: handle)
                $0 += [9, 0xFF, 0xFF, 0, 0]
            }
        case .leReadRemoteFeatures:
            let features = features
            tell(.readRemoteFeaturesComplete) {
                $0.append(0)
                $0.append(handle: handle)
                $0.append(littleEndian: features)
            }
        case .leSetDataLength:
            let length = try fields.uint16()
            _ = try fields.uint16()
            guard length >= 27 else { throw .invalidParameters }
            guard length > 27, !links[index].hasLongData else { return }
            links[index].hasLongData = true
            tell(.dataLengthChange) {
                $0.append(handle: handle)
                $0 += ControllerLink.longestDataAndTime + ControllerLink.longestDataAndTime
            }
        case .leSetPHY:
            fields.skipRest()
            tell(.phyUpdateComplete) {
                $0.append(0)
                $0.append(handle: handle)
                $0 += [1, 1]
            }
        default: preconditionFailure("\(command) is no command of a connection")
        }
    }
}

// What the air tells.
extension VirtualController {
    /// Takes an event of the air.
    package mutating func receive(_ event: BluetoothEvent) {
        switch event {
        case .advertisingReport: heard(event)
        case .connectionComplete(let status, let handle, let isCentral, let peer, let timing):
            connectionComplete(
                status: status, handle: handle, isCentral: isCentral, peer: peer, timing)
        case .disconnectionComplete(let handle, _): disconnected(handle, event)
        case .acl(let handle, let frame):
            guard link(handle) != nil else { return }
            hand(frame, from: handle)
        case .completedPackets(let handle, let count):
            guard let index = link(handle) else { return }
            links[index].outstanding = max(0, links[index].outstanding - Int(count))
            pass(event)
        case .longTermKeyRequest(let handle, _, _):
            if link(handle) != nil, masks.show(.longTermKeyRequest) { pass(event) }
        case .encryptionChange(let status, let handle, let isEncrypted):
            guard let index = link(handle) else { return }
            encryptionChanged(status, to: isEncrypted, onLink: index, event)
        case .connectionUpdateComplete(_, let handle, _):
            if link(handle) != nil, masks.show(.connectionUpdateComplete) { pass(event) }
        }
    }

    private func link(_ handle: UInt16) -> Int? {
        links.firstIndex { $0.handle == handle && !$0.isForgotten }
    }

    /// Hands the host an event as it is.
    private mutating func pass(_ event: BluetoothEvent) {
        for packet in HCIPacket.packets(for: event) { hand(packet) }
    }

    private mutating func disconnected(_ handle: UInt16, _ event: BluetoothEvent) {
        guard let index = links.firstIndex(where: { $0.handle == handle }) else { return }
        let link = links.remove(at: index)
        toHost.forget(handle)
        if !link.isForgotten, masks.show(.disconnectionComplete) { pass(event) }
    }

    /// A link that was encrypted already has its key refreshed.
    private mutating func encryptionChanged(
        _ status: UInt8, to isEncrypted: Bool, onLink index: Int, _ event: BluetoothEvent
    ) {
        let wasEncrypted = links[index].isEncrypted
        if status == 0 { links[index].isEncrypted = isEncrypted }
        guard status == 0, wasEncrypted, isEncrypted else {
            if masks.show(.encryptionChange) { pass(event) }
            return
        }
        let handle = links[index].handle
        tell(.encryptionKeyRefreshComplete) {
            $0.append(0)
            $0.append(handle: handle)
        }
    }
}
