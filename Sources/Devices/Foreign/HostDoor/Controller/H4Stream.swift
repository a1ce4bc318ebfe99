package import Bluetooth

/// Takes a host's HCI packets off a stream of bytes (Core Specification Vol 4 Part A 2).
package struct H4Stream: Sendable {
    private var bytes = StreamBytes()

    package init() {}

    /// Takes what came next.
    package mutating func append(_ more: some Sequence<UInt8>) { bytes.append(more) }

    /// The next packet that is all there, its type in front; nil where there is none.
    ///
    /// - Throws: `MalformedBytes` where a packet is neither a command nor data: a stream has no mark by which
    ///   another packet could be found.
    package mutating func next() throws(MalformedBytes) -> [UInt8]? {
        guard let type = bytes.first else { return nil }
        let length: Int
        switch type {
        case HCIPacket.PacketType.command:
            guard bytes.count >= 4 else { return nil }
            length = 4 + Int(bytes[3])
        case HCIPacket.PacketType.acl:
            guard bytes.count >= 5 else { return nil }
            length = 5 + (Int(bytes[3]) | Int(bytes[4]) << 8)
        default:
            throw MalformedBytes(
                "H4 packet", offset: 0,
                expected: "a packet type of 0x01 (command) or 0x02 (ACL data), and not \(type),")
        }
        return bytes.take(length)
    }
}
