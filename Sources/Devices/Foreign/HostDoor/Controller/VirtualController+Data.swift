import Bluetooth
import DeviceLink

/// How much the host has room for (Core Specification Vol 4 Part E 7.3.38 to 7.3.40).
struct HostBuffers: Sendable {
    var isControlled = false
    var longest = Int(ControllerLink.longestData)
    /// How many packets; as many as there are, unless the host says so.
    var free = Int.max
    /// Which packets wait for room, with their connections.
    var waiting: [(handle: UInt16, packet: HCIPacket)] = []
    /// How many packets of a connection the host has not completed.
    var unfinished: [UInt16: Int] = [:]

    /// A connection has ended, and what it held is free.
    mutating func forget(_ handle: UInt16) {
        waiting.removeAll { $0.handle == handle }
        if free < .max { free += unfinished.removeValue(forKey: handle) ?? 0 }
    }
}

extension VirtualController {
    /// How many packets it has room for, on all connections together.
    static let bufferCount = 64

    // MARK: From the host

    /// Takes a packet of data, without its type.
    mutating func receiveData(_ packet: ArraySlice<UInt8>) {
        let bytes = Array(packet)
        let word = UInt16(bytes[0]) | UInt16(bytes[1]) << 8
        guard let index = links.firstIndex(where: { $0.handle == word & 0x0FFF }) else {
            return remark("HCI: the host sends data on a connection that it does not have")
        }
        let kept = links.reduce(0) { $0 + $1.outstanding + $1.waiting.count }
        guard kept < Self.bufferCount, bytes.count - 4 <= Int(ControllerLink.longestData) else {
            remark(
                "HCI: the host sends more data than there are buffers (\(Self.bufferCount) of "
                    + "\(ControllerLink.longestData) bytes); the packet is lost")
            return tell(.dataBufferOverflow) { $0.append(1) }
        }
        let handle = links[index].handle
        let isFirst = word >> 12 & 0b11 != 0b01
        guard let frame = links[index].frame.take(Array(bytes[4...]), isFirst: isFirst) else {
            // It waits for the rest of its frame somewhere else.
            return complete(1, on: handle)
        }
        guard frame[2] != 0 || frame[3] != 0 else {
            remark(
                "HCI: the host sends an L2CAP frame on channel 0, which there is not; it is lost")
            return complete(1, on: handle)
        }
        links[index].waiting.append(frame)
        sendWaiting(onLink: index)
    }

    /// Gives the air as much as it takes of one connection.
    mutating func sendWaiting(onLink index: Int) {
        while links[index].outstanding < aclBufferCount, !links[index].waiting.isEmpty {
            let frame = links[index].waiting.removeFirst()
            links[index].outstanding += 1
            if !links[index].isEnding {
                request(.acl(handle: links[index].handle, frame))
            }
        }
    }

    private mutating func complete(_ count: UInt16, on handle: UInt16) {
        for packet in HCIPacket.packets(for: .completedPackets(handle: handle, count: count)) {
            hand(packet)
        }
    }

    // MARK: To the host

    /// Hands the host a frame, in as many packets as it needs.
    mutating func hand(_ frame: [UInt8], from handle: UInt16) {
        for start in stride(from: 0, to: frame.count, by: toHost.longest) {
            let part = frame[start..<min(start + toHost.longest, frame.count)]
            var bytes = [HCIPacket.PacketType.acl]
            bytes.append(littleEndian: handle | (start == 0 ? 0b10 : 0b01) << 12)
            bytes.append(littleEndian: UInt16(part.count))
            toHost.waiting.append((handle, HCIPacket(direction: .toHost, bytes: bytes + part)))
        }
        handWaiting()
    }

    private mutating func handWaiting() {
        var sent = 0
        while sent < toHost.waiting.count, !toHost.isControlled || toHost.free > 0 {
            let (handle, packet) = toHost.waiting[sent]
            sent += 1
            if toHost.isControlled {
                toHost.free -= 1
                toHost.unfinished[handle, default: 0] += 1
            }
            hand(packet)
        }
        toHost.waiting.removeFirst(sent)
    }

    mutating func setFlowControl(_ fields: inout CommandFields) throws(HCIError) {
        // 1 is for ACL data; 2 and 3 are for what BR/EDR has.
        toHost.isControlled = try fields.uint8() & 1 == 1
        handWaiting()
    }

    mutating func setHostBuffers(_ fields: inout CommandFields) throws(HCIError) {
        let longest = try fields.uint16()
        _ = try fields.uint8()
        let count = try fields.uint16()
        _ = try fields.uint16()
        guard longest >= 27, count > 0 else { throw .invalidParameters }
        toHost.longest = min(Int(longest), Int(ControllerLink.longestData))
        toHost.free = Int(count)
    }

    mutating func completeByHost(_ fields: inout CommandFields) throws(HCIError) {
        for _ in 0..<(try fields.uint8()) {
            let handle = try fields.uint16() & 0x0FFF
            let count = Int(try fields.uint16())
            let unfinished = toHost.unfinished[handle] ?? 0
            // No more than it has: a host that counts wrongly would get what it has no room for.
            toHost.unfinished[handle] = unfinished - min(count, unfinished)
            if toHost.free < .max { toHost.free += min(count, unfinished) }
        }
        handWaiting()
    }
}
