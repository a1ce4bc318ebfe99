package import Bluetooth

package struct CapturedPacket: Equatable, Sendable {
    /// The host that it went to or came from: its place among those of the capture.
    package var host: Int
    /// When, in nanoseconds since the beginning of 1970.
    package var time: UInt64
    /// Which way, and what; its packet type is in front.
    package var packet: HCIPacket
    /// The number that Wireshark shows for it, from 1.
    package var number: Int
    /// Whether the capture has a part of it alone.
    package var isCut: Bool
}

/// A host whose packets a capture has: an interface of Wireshark's, an adapter of Linux'.
package struct CapturedHost: Equatable, Sendable {
    /// What the capture calls it; nil where it does not say.
    package var name: String?
    /// Its Bluetooth address, as in `Address.value`; nil where the capture does not say.
    package var address: UInt64?
    /// Whether a sniffer has heard it on air, and nobody has looked into it.
    package var isSniffed = false

    package init(name: String? = nil, address: UInt64? = nil, isSniffed: Bool = false) {
        self.name = name
        self.address = address
        self.isSniffed = isSniffed
    }
}

/// What is wrong with the bytes of a capture, and where.
package struct CaptureError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Where, in bytes from the beginning of the file, or of the packet.
    package var offset: Int
    /// The number of the packet, where the file is right and the packet in it is not.
    package var packet: Int?
    /// What should have stood there.
    package var expected: String

    package init(at offset: Int, ofPacket packet: Int? = nil, expected: String) {
        self.offset = offset
        self.packet = packet
        self.expected = expected
    }

    package var description: String {
        "expected \(expected) at byte \(offset)" + (packet.map { " of packet \($0)" } ?? "")
    }
}
