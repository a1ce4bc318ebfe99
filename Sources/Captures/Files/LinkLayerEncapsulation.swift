/// A packet that a sniffer has heard on air and its checksum confirms (Core Specification Vol 6 Part B 2.1).
struct LinkLayerPacket: Equatable, Sendable {
    /// The link that it belongs to; `advertising` for one of none.
    var accessAddress: UInt32
    /// Who sent it on a link; nil where the sniffer does not say.
    var isFromCentral: Bool?
    /// Whether the sniffer has decrypted it.
    var isDecrypted: Bool
    /// The first byte of its header, and what follows the second, which is the length.
    var header: UInt8
    var payload: [UInt8]

    static let advertising: UInt32 = 0x8E89_BED6
}

/// How a capture carries packets of the link layer (https://www.tcpdump.org/linktypes.html).
enum LinkLayerEncapsulation: Equatable, Sendable {
    /// LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR: Ubertooth, Sniffle, and most that write pcapng themselves.
    case withHeader
    /// LINKTYPE_NORDIC_BLE: the nRF Sniffer, from version 1 of its protocol on.
    case nordic

    static let linkTypes: [UInt16: LinkLayerEncapsulation] = [256: .withHeader, 272: .nordic]

    /// The packet; nil for one that was not received as it was sent, and for what is none.
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
        let way: Bool? =
            switch flags >> 7 & 0b111 {
            case 2: true
            case 3: false
            default: nil
            }
        guard !isWhite, !isDamaged else { return nil }
        return try packet(&cursor, isFromCentral: way, isDecrypted: flags & 0x0008 != 0)
    }

    private static func nordic(
        _ cursor: inout CaptureCursor
    ) throws(CaptureError) -> LinkLayerPacket? {
        _ = try cursor.take(8, as: "board, packet header, and the length of the next header")
        let flags = try cursor.number("flags", as: UInt8.self)
        _ = try cursor.take(8, as: "channel, power, event counter and time")
        guard flags & 1 != 0 else { return nil }
        return try packet(
            &cursor, isFromCentral: flags & 2 != 0, isDecrypted: flags & 0b1100 == 0b1100)
    }

    private static func packet(
        _ cursor: inout CaptureCursor, isFromCentral: Bool?, isDecrypted: Bool
    ) throws(CaptureError) -> LinkLayerPacket {
        let accessAddress = try cursor.number("the access address")
        let header = try cursor.number("the header", as: UInt8.self)
        let length = Int(try cursor.number("the length", as: UInt8.self))
        let payload = try cursor.take(length, as: "the payload")
        return LinkLayerPacket(
            accessAddress: accessAddress, isFromCentral: isFromCentral, isDecrypted: isDecrypted,
            header: header, payload: Array(payload))
    }
}
