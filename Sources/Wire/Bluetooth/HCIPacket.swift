package import DeviceLink

/// One HCI packet with its H4 packet type byte in front (Core Specification Vol 4 Part A 2).
package struct HCIPacket: Equatable, Sendable {
    package enum Direction: Sendable {
        case toController
        case toHost
    }

    package var direction: Direction
    /// The bytes, packet type first.
    package var bytes: [UInt8]

    /// A packet that somebody else has made, packet type first.
    package init(direction: Direction, bytes: [UInt8]) {
        self.direction = direction
        self.bytes = bytes
    }

    /// Whether it is a command or an event, and not data.
    package var isCommandOrEvent: Bool { bytes.first != PacketType.acl }

    package enum PacketType {
        package static let command: UInt8 = 0x01
        package static let acl: UInt8 = 0x02
        package static let event: UInt8 = 0x04
    }

    /// One L2CAP frame, unfragmented (Core Specification Vol 4 Part E 5.4.2).
    ///
    /// The packet boundary flag says that it begins here: 0b00 from the host, 0b10 from the
    /// controller.
    static func acl(_ frame: [UInt8], on handle: UInt16, going direction: Direction) -> HCIPacket {
        let boundary: UInt16 = direction == .toController ? 0b00 : 0b10
        var bytes = [PacketType.acl]
        bytes.append(littleEndian: handle & 0x0FFF | boundary << 12)
        bytes.append(littleEndian: UInt16(truncatingIfNeeded: frame.count))
        return HCIPacket(direction: direction, bytes: bytes + frame)
    }
}

extension [UInt8] {
    package mutating func append(_ address: Address) {
        append(address.isRandom ? 1 : 0)
        append(valueOf: address)
    }

    /// An address without its kind.
    package mutating func append(valueOf address: Address) {
        for shift in stride(from: UInt64(0), to: 48, by: 8) {
            append(UInt8(truncatingIfNeeded: address.value >> shift))
        }
    }

    package mutating func append(handle: UInt16) { append(littleEndian: handle & 0x0FFF) }

    /// Exactly `count` bytes: cut, or filled with zeros.
    package mutating func append(_ bytes: [UInt8], count: Int) {
        self += bytes.prefix(count)
        self += repeatElement(0, count: Swift.max(0, count - bytes.count))
    }
}
