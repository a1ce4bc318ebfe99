import Bluetooth

/// How a capture says which way an HCI packet went, and of what type it is.
///
/// The numbers are those of btsnoop (RFC 1761 and its Bluetooth link types), and Wireshark's link types
/// (https://www.tcpdump.org/linktypes.html).
enum HCIEncapsulation: Equatable, Sendable {
    /// No packet type in front: flags say all (btsnoop 1001).
    case bare
    /// The packet type in front, and the way in the flags (btsnoop 1002; LINKTYPE_BLUETOOTH_HCI_H4).
    case h4
    /// The way in four bytes before the packet type (LINKTYPE_BLUETOOTH_HCI_H4_WITH_PHDR).
    case h4WithDirection
    /// Adapter and opcode in four bytes (LINKTYPE_BLUETOOTH_LINUX_MONITOR), or in the flags of btsnoop 2001.
    case monitor

    /// Flags of a packet: from the controller, and neither data.
    struct Flags {
        let isToHost: Bool
        let isCommandOrEvent: Bool
    }

    static let linkTypes: [UInt16: HCIEncapsulation] = [
        187: .h4, 201: .h4WithDirection, 254: .monitor,
    ]

    /// H4's packet types that have HCI of LE in them (Core Specification Vol 4 Part A 2).
    private static let command: UInt8 = 1
    private static let data: UInt8 = 2
    private static let event: UInt8 = 4

    /// The packet without its encapsulation, and the adapter; nil for what is none of these types.
    func packet(
        in cursor: inout CaptureCursor, flags: Flags?
    ) throws(CaptureError) -> (packet: HCIPacket, adapter: Int)? {
        switch self {
        case .bare:
            guard let flags else { return nil }
            let type =
                !flags.isCommandOrEvent ? Self.data : flags.isToHost ? Self.event : Self.command
            return (Self.packet([type] + Self.rest(&cursor), isToHost: flags.isToHost), 0)
        case .h4: return try Self.typed(&cursor, isToHost: flags?.isToHost).map { ($0, 0) }
        case .h4WithDirection:
            cursor.isBigEndian = true
            let isToHost = try cursor.number("the direction") & 1 == 1
            return try Self.typed(&cursor, isToHost: isToHost).map { ($0, 0) }
        case .monitor:
            cursor.isBigEndian = true
            let adapter = try cursor.number("the adapter", as: UInt16.self)
            let opcode = try cursor.number("the opcode", as: UInt16.self)
            return Self.monitored(opcode, Self.rest(&cursor)).map { ($0, Int(adapter)) }
        }
    }

    /// A packet of Linux' monitor, by its opcode (`doc/btmon.rst` of BlueZ); nil for what is no HCI of LE.
    static func monitored(_ opcode: UInt16, _ bytes: [UInt8]) -> HCIPacket? {
        switch opcode {
        case 2: packet([command] + bytes, isToHost: false)
        case 3: packet([event] + bytes, isToHost: true)
        case 4: packet([data] + bytes, isToHost: false)
        case 5: packet([data] + bytes, isToHost: true)
        default: nil
        }
    }

    private static func typed(
        _ cursor: inout CaptureCursor, isToHost: Bool?
    ) throws(CaptureError) -> HCIPacket? {
        let type = try cursor.number("the packet type", as: UInt8.self)
        let bytes = rest(&cursor)
        switch type {
        case command: return packet([type] + bytes, isToHost: false)
        case event: return packet([type] + bytes, isToHost: true)
        case data:
            // On LE the host begins a frame with 0b00, and the controller with 0b10 (Core Specification
            // Vol 4 Part E 5.4.2); of what goes on nothing tells the way.
            let boundary = bytes.count > 1 ? bytes[1] >> 4 & 0b11 : 0b01
            guard let way = isToHost ?? (boundary == 0b01 ? nil : boundary == 0b10) else {
                return nil
            }
            return packet([type] + bytes, isToHost: way)
        default: return nil
        }
    }

    private static func rest(_ cursor: inout CaptureCursor) -> [UInt8] {
        let all = (try? cursor.take(cursor.remaining, as: "the packet")) ?? []
        return Array(all)
    }

    private static func packet(_ bytes: [UInt8], isToHost: Bool) -> HCIPacket {
        HCIPacket(direction: isToHost ? .toHost : .toController, bytes: bytes)
    }
}
