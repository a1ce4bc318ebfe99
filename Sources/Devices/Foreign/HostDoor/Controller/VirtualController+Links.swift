import Bluetooth
package import DeviceLink

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
    /// Whether the host waits for the end of an update, or of an encryption: there is one at a time.
    var isUpdating = false
    var isEncrypting = false
    /// Whether the host was asked for a key.
    var wantsKey = false
    /// Whether the host was reset since, and need not hear of it any more.
    var isForgotten = false
    /// Whether longer data than 27 bytes was agreed on.
    var hasLongData = false
    /// What the host has sent of a frame.
    var frame = FrameAssembly()
    /// How many frames of the host the air has not completed yet.
    var outstanding = 0
    /// Frames for which the air has no room yet.
    var waiting: [[UInt8]] = []
}

// Commands for one connection, whose handle comes first in them and in what is answered.
extension VirtualController {
    mutating func disconnect(_ fields: inout CommandFields) throws(HCIError) -> [UInt8] {
        let index = try link(&fields)
        let reason = try fields.uint8()
        guard BluetoothCommand.disconnectReasons.contains(reason) else { throw .invalidParameters }
        guard !links[index].isEnding else { throw .commandDisallowed }
        links[index].isEnding = true
        request(.disconnect(handle: links[index].handle, reason: reason))
        return answer(index)
    }

    mutating func updateConnection(_ fields: inout CommandFields) throws(HCIError) -> [UInt8] {
        let index = try link(&fields, ofCentral: true)
        let timing = try fields.timing()
        guard !links[index].isUpdating else { throw .commandDisallowed }
        links[index].isUpdating = true
        request(.updateConnection(handle: links[index].handle, timing))
        return answer(index)
    }

    mutating func encrypt(_ fields: inout CommandFields) throws(HCIError) -> [UInt8] {
        let index = try link(&fields, ofCentral: true)
        let random = try fields.number(of: 8)
        let diversifier = try fields.uint16()
        let key = try fields.take(16)
        guard !links[index].isEncrypting else { throw .commandDisallowed }
        links[index].isEncrypting = true
        request(
            .encrypt(
                handle: links[index].handle, key: key, random: random, diversifier: diversifier))
        return answer(index)
    }

    mutating func replyWithKey(_ fields: inout CommandFields) throws(HCIError) -> [UInt8] {
        try reply(toLink: link(&fields), try fields.take(16))
    }

    mutating func replyWithoutKey(_ fields: inout CommandFields) throws(HCIError) -> [UInt8] {
        try reply(toLink: link(&fields), nil)
    }

    /// A host that was not asked answers nothing.
    private mutating func reply(
        toLink index: Int, _ key: [UInt8]?
    ) throws(HCIError) -> [UInt8] {
        guard links[index].wantsKey else { throw .commandDisallowed }
        links[index].wantsKey = false
        request(.longTermKey(handle: links[index].handle, key))
        return answer(index)
    }

    func readRSSI(_ fields: inout CommandFields) throws(HCIError) -> [UInt8] {
        // 127: not available.
        answer(try link(&fields)) + [127]
    }

    // What two link layers agree on: the air has one radio for all, and carries frames whole.

    mutating func readRemoteVersion(_ fields: inout CommandFields) throws(HCIError) -> [UInt8] {
        let answer = answer(try link(&fields))
        tell(.readRemoteVersionInformationComplete) {
            $0 += [0] + answer
            $0 += [9, 0xFF, 0xFF, 0, 0]
        }
        return answer
    }

    mutating func readRemoteFeatures(_ fields: inout CommandFields) throws(HCIError) -> [UInt8] {
        let answer = answer(try link(&fields))
        let features = features
        tell(.readRemoteFeaturesComplete) {
            $0 += [0] + answer
            $0.append(littleEndian: features)
        }
        return answer
    }

    mutating func setDataLength(_ fields: inout CommandFields) throws(HCIError) -> [UInt8] {
        let index = try link(&fields)
        let answer = answer(index)
        let length = try fields.uint16()
        _ = try fields.uint16()
        guard length >= 27 else { throw .invalidParameters }
        guard length > 27, !links[index].hasLongData else { return answer }
        links[index].hasLongData = true
        tell(.dataLengthChange) {
            $0 += answer + ControllerLink.longestDataAndTime + ControllerLink.longestDataAndTime
        }
        return answer
    }

    func readPHY(_ fields: inout CommandFields) throws(HCIError) -> [UInt8] {
        answer(try link(&fields)) + [1, 1]
    }

    mutating func setPHY(_ fields: inout CommandFields) throws(HCIError) -> [UInt8] {
        let answer = answer(try link(&fields))
        fields.skipRest()
        tell(.phyUpdateComplete) { $0 += [0] + answer + [1, 1] }
        return answer
    }

    private func link(
        _ fields: inout CommandFields, ofCentral: Bool = false
    ) throws(HCIError) -> Int {
        let handle = try fields.uint16() & 0x0FFF
        guard let index = links.firstIndex(where: { $0.handle == handle && !$0.isForgotten })
        else { throw .unknownConnection }
        guard !ofCentral || links[index].isCentral else { throw .commandDisallowed }
        return index
    }

    private func answer(_ index: Int) -> [UInt8] {
        var octets: [UInt8] = []
        octets.append(handle: links[index].handle)
        return octets
    }
}

// What the air tells.
extension VirtualController {
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
            sendWaiting(onLink: index)
        case .longTermKeyRequest(let handle, _, _):
            guard let index = link(handle) else { return }
            links[index].wantsKey = true
            if masks.show(.longTermKeyRequest) { pass(event) }
        case .encryptionChange(let status, let handle, let isEncrypted):
            guard let index = link(handle) else { return }
            encryptionChanged(status, to: isEncrypted, onLink: index, event)
        case .connectionUpdateComplete(_, let handle, _):
            guard let index = link(handle) else { return }
            links[index].isUpdating = false
            if masks.show(.connectionUpdateComplete) { pass(event) }
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
        links[index].isEncrypting = false
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
