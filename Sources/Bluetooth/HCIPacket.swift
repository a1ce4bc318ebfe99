import DeviceLink

/// One HCI packet with its H4 packet type byte in front (Core Specification Vol 4 Part A 2).
package struct HCIPacket: Equatable, Sendable {
    /// Which way a packet goes.
    package enum Direction: Sendable {
        /// From the host to the controller.
        case toController
        /// From the controller to the host.
        case toHost
    }

    /// Which way it goes.
    package var direction: Direction
    /// The bytes, packet type first.
    package var bytes: [UInt8]

    /// Whether it is a command or an event, and not data.
    package var isCommandOrEvent: Bool { bytes.first != PacketType.acl }

    /// The packets of a request, in the order in which a host would send them.
    ///
    /// `advertise` and `scan` take several commands. The commands are the legacy ones, which know no
    /// period for duplicates: any period but 0 becomes Filter_Duplicates 1.
    package static func packets(for command: BluetoothCommand) -> [HCIPacket] {
        switch command {
        case .advertise, .stopAdvertising: advertising(command)
        case .scan, .stopScan: scanning(command)
        case .connect, .cancelConnect, .disconnect, .updateConnection: [connecting(command)]
        case .acl(let handle, let frame): [acl(handle, frame, .toController)]
        case .encrypt, .longTermKey: [security(command)]
        }
    }

    /// The packet of an event.
    package static func packets(for event: BluetoothEvent) -> [HCIPacket] {
        if case .acl(let handle, let frame) = event { return [acl(handle, frame, .toHost)] }
        return [HCIPacket(direction: .toHost, bytes: eventBytes(event))]
    }

    enum PacketType {
        static let command: UInt8 = 0x01
        static let acl: UInt8 = 0x02
        static let event: UInt8 = 0x04
    }

    /// One L2CAP frame, unfragmented (Core Specification Vol 4 Part E 5.4.2).
    ///
    /// The packet boundary flag says that it begins here: 0b00 from the host, 0b10 from the
    /// controller.
    private static func acl(
        _ handle: UInt16, _ frame: [UInt8], _ direction: Direction
    ) -> HCIPacket {
        let boundary: UInt16 = direction == .toController ? 0b00 : 0b10
        var bytes = [PacketType.acl]
        bytes.append(littleEndian: handle & 0x0FFF | boundary << 12)
        bytes.append(littleEndian: UInt16(truncatingIfNeeded: frame.count))
        return HCIPacket(direction: direction, bytes: bytes + frame)
    }
}

extension [UInt8] {
    mutating func append(_ address: Address) {
        append(address.isRandom ? 1 : 0)
        for shift in stride(from: UInt64(0), to: 48, by: 8) {
            append(UInt8(truncatingIfNeeded: address.value >> shift))
        }
    }

    mutating func append(handle: UInt16) { append(littleEndian: handle & 0x0FFF) }

    /// Exactly `count` bytes: cut, or filled with zeros.
    mutating func append(_ bytes: [UInt8], count: Int) {
        self += bytes.prefix(count)
        self += repeatElement(0, count: Swift.max(0, count - bytes.count))
    }
}
