package import DeviceLink

/// A capture in the btsnoop format, which Wireshark opens (RFC 1761, with microseconds).
///
/// Simulated time begins at midnight of 1 January 2000. A capture that is too large to keep is written
/// piece by piece: `header`, then `record` after `record`.
package struct BtsnoopFile: Equatable, Sendable {
    package private(set) var bytes = Self.header

    package init() {}

    /// Adds a packet; `time` counts from the beginning of the run.
    package mutating func append(_ packet: HCIPacket, at time: VirtualTime) {
        bytes += Self.record(packet, at: time)
    }

    /// The beginning of every capture: version 1, HCI UART (H4).
    package static let header: [UInt8] =
        Array("btsnoop\0".utf8) + [0, 0, 0, 1] + [0, 0, 0x03, 0xEA]

    package static func record(_ packet: HCIPacket, at time: VirtualTime) -> [UInt8] {
        let count = UInt32(packet.bytes.count)
        var flags: UInt32 = packet.direction == .toHost ? 1 : 0
        if packet.isCommandOrEvent { flags |= 2 }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(24 + packet.bytes.count)
        bytes.append(bigEndian: count)
        bytes.append(bigEndian: count)
        bytes.append(bigEndian: flags)
        bytes.append(bigEndian: UInt32(0))
        bytes.append(bigEndian: epoch + time.nanoseconds / 1000)
        return bytes + packet.bytes
    }

    /// Microseconds from the beginning of the year 0 to that of the year 2000.
    private static let epoch: UInt64 = 0x00E0_3AB4_4A67_6000
}
