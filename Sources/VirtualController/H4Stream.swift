import Bluetooth

/// Takes a host's HCI packets off a stream of bytes (Core Specification Vol 4 Part A 2).
package struct H4Stream: Sendable {
    private var bytes: [UInt8] = []
    private var start = 0

    package init() {}

    /// How many bytes of a packet have come that is not whole yet.
    package var unread: Int { bytes.count - start }

    /// Takes what came next.
    package mutating func append(_ more: some Sequence<UInt8>) {
        if start > 0 {
            bytes.removeFirst(start)
            start = 0
        }
        bytes += more
    }

    /// The next packet that is all there, its type in front; nil where there is none.
    ///
    /// - Throws: `MalformedBytes` where a packet is neither a command nor data: a stream has no mark by which
    ///   another packet could be found.
    package mutating func next() throws(MalformedBytes) -> [UInt8]? {
        guard let type = bytes[start...].first else { return nil }
        let length: Int
        switch type {
        case HCIPacket.PacketType.command:
            guard unread >= 4 else { return nil }
            length = 4 + Int(bytes[start + 3])
        case HCIPacket.PacketType.acl:
            guard unread >= 5 else { return nil }
            length = 5 + (Int(bytes[start + 3]) | Int(bytes[start + 4]) << 8)
        default:
            throw MalformedBytes(
                "H4 packet", offset: 0,
                expected: "a packet type of 0x01 (command) or 0x02 (ACL data), and not \(type),")
        }
        guard unread >= length else { return nil }
        defer { start += length }
        return Array(bytes[start..<start + length])
    }
}
