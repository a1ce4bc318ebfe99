import Bluetooth

/// Reads btsnoop (RFC 1761, with the Bluetooth link types): what Android, BlueZ, Bumble and we write.
struct BtsnoopReader: CaptureReader {
    private let link: Link
    /// The hosts, by their places; one unless Linux' monitor tells of more.
    private(set) var hosts = [CapturedHost()]

    private enum Link: Sendable {
        case hci(HCIEncapsulation)
        /// Linux' monitor: adapter and opcode are the flags (link type 2001).
        case monitor
    }

    static let magic = Array("btsnoop\0".utf8)
    /// Microseconds from the beginning of the year 0 to that of 1970.
    private static let epoch: UInt64 = 0x00DC_DDB3_0F2F_8000
    /// So long is the fixed part of a record.
    private static let longest = 1 << 24

    init(_ cursor: inout CaptureCursor) throws(CaptureError) {
        cursor.isBigEndian = true
        _ = try cursor.take(Self.magic.count, as: "btsnoop's magic")
        let place = cursor.offset
        guard try cursor.number("the version") == 1 else {
            throw CaptureError(at: place, expected: "version 1 of btsnoop")
        }
        switch try cursor.number("the link type") {
        case 1001: link = .hci(.bare)
        case 1002: link = .hci(.h4)
        case 2001: link = .monitor
        case let other:
            throw CaptureError(
                at: place + 4,
                expected: "link type 1001, 1002 (HCI) or 2001 (Linux' monitor), not \(other)")
        }
    }

    /// The next packet; nil for a record that has none of LE.
    mutating func next(
        _ cursor: inout CaptureCursor, number: inout Int
    ) throws(CaptureError) -> CapturedPacket? {
        number += 1
        let original = try cursor.number("the original length")
        let place = cursor.offset
        let included = Int(try cursor.number("the included length"))
        guard included <= Self.longest, included <= original else {
            throw CaptureError(
                at: place, expected: "an included length up to \(min(Int(original), Self.longest))")
        }
        let flags = try cursor.number("the flags")
        _ = try cursor.number("the number of lost packets")
        let micros = try cursor.number("the time", as: UInt64.self)
        var part = try cursor.part(included, as: "the packet")
        guard let (packet, adapter) = try packet(in: &part, flags: flags) else { return nil }
        while hosts.count <= adapter { hosts.append(CapturedHost()) }
        return CapturedPacket(
            host: adapter, time: micros > Self.epoch ? (micros - Self.epoch).scaled(by: 1_000) : 0,
            packet: packet, number: number, isCut: included < original)
    }

    private func packet(
        in part: inout CaptureCursor, flags: UInt32
    ) throws(CaptureError) -> (packet: HCIPacket, adapter: Int)? {
        switch link {
        case .hci(let encapsulation):
            let meaning = HCIEncapsulation.Flags(
                isToHost: flags & 1 == 1, isCommandOrEvent: flags & 2 == 2)
            return try encapsulation.packet(in: &part, flags: meaning)
        case .monitor:
            let bytes = Array(try part.take(part.remaining, as: "the packet"))
            return HCIEncapsulation.monitored(UInt16(flags & 0xFFFF), bytes)
                .map { ($0, Int(flags >> 16)) }
        }
    }
}

extension UInt64 {
    /// So many times this number; the greatest where that is out of range.
    func scaled(by factor: UInt64) -> UInt64 {
        let (product, overflow) = multipliedReportingOverflow(by: factor)
        return overflow ? .max : product
    }
}
