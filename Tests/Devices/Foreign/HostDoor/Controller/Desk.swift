import Bluetooth
import DeviceLink
import TestSupport

@testable import HostDoor

/// A virtual controller between a host and an air that a test plays; what it says is written down as hexadecimal.
struct Desk {
    static let own = Address(0xC0FF_EE00_0102)
    static let phone = Address(0xC0FF_EE00_0A0A)
    static let timing = ConnectionParameters(interval: 24, latency: 0, timeout: 72)

    var controller: VirtualController

    init(extended: Bool = false) {
        var options = VirtualController.Options()
        options.hasExtendedAdvertising = extended
        controller = VirtualController(address: Self.own, options: options) {
            0x0807_0605_0403_0201
        }
        // Every event is shown; those of LE are not after a reset.
        _ = host("01 01 0C 08 FF FF FF FF FF FF FF 3F")
    }

    /// What the host is told, packet by packet, after it has sent packets.
    mutating func host(_ packets: String...) -> [String] {
        for packet in packets { controller.receive(bytes(packet)) }
        return told()
    }

    /// What the host is told after something has happened on the air.
    mutating func air(_ events: BluetoothEvent...) -> [String] {
        for event in events { controller.receive(event) }
        return told()
    }

    mutating func told() -> [String] {
        controller.takePackets().map { packet in
            packet.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
                .joined(separator: " ")
        }
    }

    /// What the controller wants of the air.
    mutating func wants() -> [BluetoothCommand] { controller.takeRequests() }

    /// A link, whose host has heard of it and to which nothing else has happened.
    mutating func connect(_ handle: UInt16 = 0x40, isCentral: Bool = false) {
        _ = air(
            .connectionComplete(
                status: 0, handle: handle, isCentral: isCentral, peer: Self.phone, Self.timing))
        _ = wants()
    }
}
