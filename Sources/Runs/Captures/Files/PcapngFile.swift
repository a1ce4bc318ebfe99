package import Bluetooth
package import DeviceLink

/// A capture of several hosts in pcapng, which Wireshark opens: an interface for each, with its name.
///
/// Written piece by piece, as ``BtsnoopFile`` is: `header`, then `packet` after `packet`. Simulated time begins
/// at midnight of 1 January 2000 here as well, and keeps its nanoseconds.
package enum PcapngFile {
    /// Nanoseconds from the beginning of 1970 to that of 2000.
    package static let epoch: UInt64 = 946_684_800_000_000_000

    /// The beginning: who wrote it, the hosts and, behind them, the UWB chips that speak UCI.
    package static func header(
        _ hosts: [CapturedHost], chips: [CapturedHost] = [], by application: String
    ) -> [UInt8] {
        var section: [UInt8] = []
        section.append(littleEndian: Pcapng.byteOrderMagic)
        section.append(littleEndian: UInt16(1))
        section.append(littleEndian: UInt16(0))
        section.append(littleEndian: Pcapng.unknownLength)
        section.append(option: Pcapng.Option.application, Array(application.utf8))
        section.append(option: Pcapng.Option.end, [])
        return block(Pcapng.Block.section, section)
            + hosts.flatMap { interface($0, Pcapng.linkType) }
            + chips.flatMap { interface($0, Pcapng.uciLinkType) }
    }

    private static func interface(_ host: CapturedHost, _ linkType: UInt16) -> [UInt8] {
        var body: [UInt8] = []
        body.append(littleEndian: linkType)
        body.append(littleEndian: UInt16(0))
        body.append(littleEndian: UInt32(0))
        if let name = host.name { body.append(option: Pcapng.Option.name, Array(name.utf8)) }
        if let address = host.address {
            let bytes = stride(from: UInt64(40), through: 0, by: -8).map {
                UInt8(truncatingIfNeeded: address >> $0)
            }
            body.append(option: Pcapng.Option.address, bytes)
        }
        body.append(option: Pcapng.Option.resolution, [9])
        body.append(option: Pcapng.Option.end, [])
        return block(Pcapng.Block.interface, body)
    }

    /// One packet of a host.
    package static func packet(
        _ packet: HCIPacket, of host: Int, at time: VirtualTime
    ) -> [UInt8] {
        // The direction, the most significant byte first, before the packet type.
        let direction: [UInt8] = [0, 0, 0, packet.direction == .toHost ? 1 : 0]
        return Self.packet(direction, packet.bytes, of: host, at: time)
    }

    /// One packet between a UWB chip and its host: a UCI control packet, or a segment of one.
    ///
    /// The chips' interfaces stand behind those of the hosts: with three hosts, the first chip's is 3.
    package static func packet(
        uci bytes: [UInt8], of interface: Int, at time: VirtualTime
    ) -> [UInt8] {
        packet([], bytes, of: interface, at: time)
    }

    private static func packet(
        _ head: [UInt8], _ bytes: [UInt8], of interface: Int, at time: VirtualTime
    ) -> [UInt8] {
        let count = UInt32(truncatingIfNeeded: head.count + bytes.count)
        let (ticks, overflow) = epoch.addingReportingOverflow(time.nanoseconds)
        let moment = overflow ? UInt64.max : ticks
        var body: [UInt8] = []
        body.reserveCapacity(40 + bytes.count)
        body.append(littleEndian: UInt32(truncatingIfNeeded: interface))
        body.append(littleEndian: UInt32(truncatingIfNeeded: moment >> 32))
        body.append(littleEndian: UInt32(truncatingIfNeeded: moment))
        body.append(littleEndian: count)
        body.append(littleEndian: count)
        body += head
        body += bytes
        body.fillWord()
        return block(Pcapng.Block.enhancedPacket, body)
    }

    /// The block of a packet of ours, with a comment for each of these texts behind it.
    package static func block(_ block: [UInt8], commented texts: [String]) -> [UInt8] {
        var body = Array(block[8..<block.count - 4])
        for text in texts { body.append(option: Pcapng.Option.comment, Array(text.utf8)) }
        body.append(option: Pcapng.Option.end, [])
        return Self.block(Pcapng.Block.enhancedPacket, body)
    }

    /// How long the block is that begins with these eight bytes of ours; nil where none of ours does.
    package static func length(ofBlock head: ArraySlice<UInt8>) -> Int? {
        var cursor = CaptureCursor(Array(head), at: 4, isBigEndian: false)
        guard let length = try? cursor.number("the length"), length >= Pcapng.frame else {
            return nil
        }
        return Int(length)
    }

    /// The packet of a block of ours, with its host and its time; nil where it has none.
    package static func content(
        of block: [UInt8]
    ) -> (packet: HCIPacket, host: Int, time: VirtualTime)? {
        var cursor = CaptureCursor(block, isBigEndian: false)
        guard (try? cursor.number("the type")) == Pcapng.Block.enhancedPacket,
            let words = try? (0..<6).map({ _ in UInt64(try cursor.number("a word")) }),
            var data = try? cursor.part(Int(words[4]), as: "the packet"),
            let found = try? HCIEncapsulation.h4WithDirection.packet(in: &data, flags: nil)
        else { return nil }
        let ticks = words[2] << 32 | words[3]
        return (found.packet, Int(words[1]), VirtualTime(nanoseconds: ticks - min(ticks, epoch)))
    }

    private static func block(_ type: UInt32, _ body: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(body.count + Pcapng.frame)
        bytes.append(littleEndian: type)
        bytes.append(littleEndian: UInt32(truncatingIfNeeded: body.count + Pcapng.frame))
        bytes += body
        bytes.append(littleEndian: UInt32(truncatingIfNeeded: body.count + Pcapng.frame))
        return bytes
    }
}

extension [UInt8] {
    fileprivate mutating func append(option code: UInt16, _ value: [UInt8]) {
        let value = value.prefix(Int(UInt16.max))
        append(littleEndian: code)
        append(littleEndian: UInt16(value.count))
        self += value
        fillWord()
    }

    fileprivate mutating func fillWord() {
        self += repeatElement(0, count: Pcapng.padded(count) - count)
    }
}
