import Bluetooth
import Captures
import DeviceLink
import TestSupport

/// A phone's host connects to an accessory and loses it, in any of the formats.
enum Story {
    static let packets: [(isToHost: Bool, bytes: [UInt8])] = [
        // LE Set Random Address c0:00:00:00:00:01.
        (false, bytes("01 05 20 06 01 00 00 00 00 c0")),
        // LE Connection Complete: handle 0x40, central, peer c0:00:00:00:00:02, 30 ms, 0, 720 ms.
        (true, bytes("04 3e 13 01 00 40 00 00 01 02 00 00 00 00 c0 18 00 00 00 48 00 00")),
        // Exchange MTU Request 185, in two fragments.
        (false, bytes("02 40 00 05 00 03 00 04 00 02")),
        (false, bytes("02 40 10 02 00 b9 00")),
        // Disconnection Complete: connection timeout.
        (true, bytes("04 05 04 00 40 00 08")),
    ]

    static var btsnoop: [UInt8] {
        packets.enumerated().reduce(BtsnoopFile.header) { file, next in
            file
                + BtsnoopFile.record(
                    packet(next.element), at: .zero + .milliseconds(UInt64(next.offset)))
        }
    }

    static var pcapng: [UInt8] {
        packets.enumerated().reduce(PcapngFile.header([CapturedHost()], by: "test")) {
            $0
                + PcapngFile.packet(
                    packet($1.element), of: 0, at: .zero + .milliseconds(UInt64($1.offset)))
        }
    }

    /// PacketLogger: length, seconds, microseconds, type, and the packet without its H4 type.
    static func packetLogger(isBigEndian: Bool) -> [UInt8] {
        packets.enumerated().flatMap { offset, packet in
            let type: UInt8 =
                switch (packet.bytes[0], packet.isToHost) {
                case (1, _): 0x00
                case (4, _): 0x01
                case (_, false): 0x02
                default: 0x03
                }
            let numbers = [UInt32(packet.bytes.count + 8), 946_684_800, UInt32(offset * 1_000)]
            let head = numbers.flatMap { number in
                [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
            }
            let ordered =
                isBigEndian
                ? head
                : stride(from: 0, to: 12, by: 4).flatMap { head[$0..<$0 + 4].reversed() }
            return ordered + [type] + packet.bytes.dropFirst()
        }
    }

    private static func packet(_ packet: (isToHost: Bool, bytes: [UInt8])) -> HCIPacket {
        HCIPacket(direction: packet.isToHost ? .toHost : .toController, bytes: packet.bytes)
    }

    /// What the trace of a capture says: time in ms, kind, device and one field.
    static func trace(_ capture: [UInt8]) throws(CaptureError) -> [String] {
        var trace = try CaptureTrace(capture, named: "story")
        var lines: [String] = []
        while let events = try trace.next() {
            lines += events.map { event in
                let detail =
                    event.text("pdu") ?? event.number("reason").map { "\($0)" }
                    ?? event.text("reason") ?? ""
                return
                    "\(event.time.nanoseconds / 1_000_000) \(event.name) \(event.device) \(detail)"
            }
        }
        return lines
    }

    static let told = [
        "0 run.started  ",
        "1 device.started phone ",
        "1 device.started accessory ",
        "1 air.connected phone ",
        "1 link.up accessory ",
        "1 link.up phone ",
        "3 att.sent phone exchange-mtu-request",
        "3 att.received accessory exchange-mtu-request",
        "4 air.disconnected phone 8",
        "4 link.down phone 8",
        "4 link.down accessory 8",
        "4 run.ended  cut",
    ]
}
