import Bluetooth

/// Reads the files of Apple's PacketLogger (.pklg), which iOS' Bluetooth logging profile leaves behind.
///
/// Apple has not published the format; what is known of it is in Wireshark's `wiretap/packetlogger.c`. A
/// record is its length, seconds, microseconds, a type and the packet; newer files have the least significant
/// byte first.
struct PacketLoggerReader: CaptureReader {
    let hosts = [CapturedHost()]
    private let isBigEndian: Bool

    /// Time and type, which the length of a record counts.
    private static let head: UInt32 = 9
    private static let longest: UInt32 = 1 << 16

    fileprivate enum Kind: UInt8 {
        case command = 0x00, event = 0x01, dataToController = 0x02, dataToHost = 0x03
    }

    /// What else a record may hold: voice, isochronous data, notes, and news of the controller.
    private static let others: Set<UInt8> = [
        0x07, 0x08, 0x09, 0x0B, 0x0C, 0x0D, 0x0E, 0x12, 0x13, 0xF7, 0xF8, 0xF9, 0xFA, 0xFB, 0xFC,
        0xFD, 0xFE, 0xFF,
    ]

    /// Whether a file can be one: it has no magic, so its first record has to make sense.
    static func recognises(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 4 + Int(head) else { return false }
        let isKnown = Kind(rawValue: bytes[12]) != nil || others.contains(bytes[12])
        return isKnown && [true, false].contains { hasLength(bytes, isBigEndian: $0) }
    }

    private static func hasLength(_ bytes: [UInt8], isBigEndian: Bool) -> Bool {
        var cursor = CaptureCursor(bytes, isBigEndian: isBigEndian)
        return (try? cursor.number("the length")).map { (head..<longest).contains($0) } ?? false
    }

    init(_ bytes: [UInt8]) { isBigEndian = Self.hasLength(bytes, isBigEndian: true) }

    /// The next packet; nil for a record that has none of LE.
    func next(
        _ cursor: inout CaptureCursor, number: inout Int
    ) throws(CaptureError) -> CapturedPacket? {
        number += 1
        cursor.isBigEndian = isBigEndian
        let place = cursor.offset
        let length = try cursor.number("the length of a record")
        guard (Self.head..<Self.longest).contains(length) else {
            throw CaptureError(
                at: place, expected: "a length from \(Self.head) to \(Self.longest - 1)")
        }
        var part = try cursor.part(Int(length), as: "the record")
        let seconds = UInt64(try part.number("the seconds"))
        let micros = UInt64(try part.number("the microseconds"))
        let type = try part.number("the type", as: UInt8.self)
        let bytes = try part.take(part.remaining, as: "the packet")
        guard let kind = Kind(rawValue: type) else {
            guard Self.others.contains(type) else {
                throw CaptureError(
                    at: place + 12, expected: "a type of PacketLogger's, not \(type)")
            }
            return nil
        }
        return CapturedPacket(
            host: 0, time: seconds * 1_000_000_000 + micros * 1_000, packet: kind.packet(bytes),
            number: number, isCut: false)
    }
}

extension PacketLoggerReader.Kind {
    fileprivate func packet(_ bytes: ArraySlice<UInt8>) -> HCIPacket {
        switch self {
        case .command: HCIPacket(direction: .toController, bytes: [1] + bytes)
        case .event: HCIPacket(direction: .toHost, bytes: [4] + bytes)
        case .dataToController: HCIPacket(direction: .toController, bytes: [2] + bytes)
        case .dataToHost: HCIPacket(direction: .toHost, bytes: [2] + bytes)
        }
    }
}
