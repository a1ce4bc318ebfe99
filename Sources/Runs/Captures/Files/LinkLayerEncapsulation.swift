import Bluetooth

/// A packet that a sniffer has heard on air and its checksum confirms (Core Specification Vol 6 Part B 2.1).
struct LinkLayerPacket: Equatable, Sendable {
    /// The link that it belongs to; `advertising` for one of none.
    var accessAddress: UInt32
    /// Who sent it on a link; nil where the sniffer does not say.
    var sender: Side?
    var secrecy: Secrecy
    /// The first byte of its header, and what follows the second, which is the length.
    var header: UInt8
    var payload: [UInt8]

    /// What a sniffer says of encryption.
    enum Secrecy: Sendable {
        /// It has decrypted the packet.
        case decrypted
        /// The packet is encrypted.
        case unreadable
        /// Nothing: the packet is as it was sent.
        case asSent
    }

    static let advertising: UInt32 = 0x8E89_BED6
}

// The header of a packet on a link (Core Specification Vol 6 Part B 2.4).
extension LinkLayerPacket {
    var isControl: Bool { header & 0b11 == 0b11 }
    /// Whether it goes on with an L2CAP frame.
    var isContinued: Bool { header & 0b11 == 0b01 }
    /// Its sequence number.
    var number: Bool { header & 0b1000 != 0 }
    /// The sequence number that its sender expects.
    var expected: Bool { header & 0b0100 != 0 }
    /// What it carries, whatever it acknowledges.
    var content: [UInt8] { [header & 0b11] + payload }
}

/// How a capture carries packets of the link layer (https://www.tcpdump.org/linktypes.html).
enum LinkLayerEncapsulation: Equatable, Sendable {
    /// LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR: most sniffers.
    case withHeader
    /// LINKTYPE_NORDIC_BLE: the nRF Sniffer, from version 1 of its protocol on.
    case nordic

    static let linkTypes: [UInt16: LinkLayerEncapsulation] = [256: .withHeader, 272: .nordic]

    /// The packet; nil for one that was not received as it was sent, and for what belongs to no link.
    func packet(in cursor: inout CaptureCursor) throws(CaptureError) -> LinkLayerPacket? {
        cursor.isBigEndian = false
        return switch self {
        case .withHeader: try Self.headed(&cursor)
        case .nordic: try Self.nordic(&cursor)
        }
    }

    private static func headed(
        _ cursor: inout CaptureCursor
    ) throws(CaptureError) -> LinkLayerPacket? {
        _ = try cursor.take(8, as: "channel, powers, offenses and reference access address")
        let flags = try cursor.number("flags", as: UInt16.self)
        let isWhite = flags & 0x0001 == 0
        let isDamaged = flags & 0x0C00 == 0x0400
        // Advertising or data, auxiliary advertising, data of each end; the rest is isochronous.
        let senders: [Side?] = [nil, nil, .central, .peripheral]
        let type = Int(flags >> 7 & 0b111)
        guard !isWhite, !isDamaged, senders.indices.contains(type) else { return nil }
        let isUnconfirmed = flags & 0x3000 == 0x1000
        return try packet(
            &cursor, from: senders[type], isCoded: flags >> 14 == 2,
            isUnconfirmed ? .unreadable : flags & 0x0008 != 0 ? .decrypted : .asSent)
    }

    private static func nordic(
        _ cursor: inout CaptureCursor
    ) throws(CaptureError) -> LinkLayerPacket? {
        _ = try cursor.take(8, as: "board, packet header, and the length of the next header")
        let flags = try cursor.number("flags", as: UInt8.self)
        _ = try cursor.take(8, as: "channel, power, event counter and time")
        guard flags & 1 != 0 else { return nil }
        let secrecy: LinkLayerPacket.Secrecy =
            switch flags & 0b1100 {
            case 0b1100: .decrypted
            case 0b0100: .unreadable
            default: .asSent
            }
        return try packet(
            &cursor, from: flags & 2 != 0 ? .central : .peripheral,
            isCoded: flags >> 4 & 0b111 == 2, secrecy)
    }

    private static func packet(
        _ cursor: inout CaptureCursor, from sender: Side?, isCoded: Bool,
        _ secrecy: LinkLayerPacket.Secrecy
    ) throws(CaptureError) -> LinkLayerPacket {
        let accessAddress = try cursor.number("the access address")
        if isCoded { _ = try cursor.take(1, as: "the coding indicator") }
        let header = try cursor.number("the header", as: UInt8.self)
        let length = Int(try cursor.number("the length", as: UInt8.self))
        let hasTone = accessAddress != LinkLayerPacket.advertising && header & 0x20 != 0
        if hasTone { _ = try cursor.take(1, as: "CTEInfo") }
        let payload = try cursor.take(length, as: "the payload")
        return LinkLayerPacket(
            accessAddress: accessAddress, sender: sender, secrecy: secrecy, header: header,
            payload: Array(payload))
    }
}
