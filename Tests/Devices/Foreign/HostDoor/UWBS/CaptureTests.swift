import Bluetooth
import Captures
import DeviceLink
import Foundation
import HostDoor
import TestSupport
import Testing

struct CaptureTests {
    /// What went between host and chip, a millisecond apart, behind a Bluetooth host's interface.
    private static func capture() throws -> [UInt8] {
        var timeline = Timeline()
        for line in Timeline.steps(of: SessionTests.active) { try timeline.play(line) }
        let header = PcapngFile.header(
            [CapturedHost(name: "lock", address: 0xC000_0000_0001)],
            chips: [CapturedHost(name: "lock UCI")], by: "test")
        return timeline.packets.flatMap(\.segments).enumerated().reduce(header) { file, next in
            file
                + PcapngFile.packet(
                    uci: next.element, of: 1,
                    at: .zero + .milliseconds(UInt64(next.offset)))
        }
    }

    /// Debian's tshark 4.0 does not take UCI apart; it reads the file, packet by packet, with its octets.
    @Test func wiresharkReadsTheFile() throws {
        let place = try Place()
        try Data(Self.capture()).write(to: URL(filePath: "\(place.path)/uci.pcapng"))
        let outcome = try place.run(
            [
                "tshark", "-n", "-r", "uci.pcapng", "-T", "fields", "-E", "separator=,",
                "-e", "frame.interface_name", "-e", "frame.time_epoch", "-e", "frame.len",
            ])
        try #require(
            outcome.status != 127, "tshark is needed for this test: apt-get install tshark")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(
            outcome.output == """
                lock UCI,946684800.000000000,5
                lock UCI,946684800.001000000,9
                lock UCI,946684800.002000000,5
                lock UCI,946684800.003000000,10
                lock UCI,946684800.004000000,63
                lock UCI,946684800.005000000,6
                lock UCI,946684800.006000000,10
                lock UCI,946684800.007000000,8
                lock UCI,946684800.008000000,5
                lock UCI,946684800.009000000,10
                lock UCI,946684800.010000000,5

                """)
        let dump = try place.run(["tshark", "-n", "-r", "uci.pcapng", "-x", "-c", "1"])
        #expect(dump.output.contains("60 01 00 01 01"))
    }

    /// Section, then an interface of HCI and one of UCI (LINKTYPE_FIRA_UCI), then a packet: 5 octets, filled up.
    @Test func theChipsInterfaceHasItsLinkType() throws {
        let file = try Self.capture()
        let blocks = Self.blocks(of: file)
        #expect(blocks[0..<4].map { $0[0] } == [0x0A, 1, 1, 6])
        #expect(blocks[1][8..<10] == [201, 0])
        #expect(blocks[2][8..<10] == [0x2B, 0x01])
        #expect(Array(blocks[3][8..<12]) == [1, 0, 0, 0])
        #expect(
            Array(blocks[3][20...])
                == bytes("05 00 00 00 05 00 00 00 60 01 00 01 01 00 00 00 28 00 00 00"))
    }

    /// What judges Bluetooth passes over the chip.
    @Test func aReaderOfBluetoothPassesOverTheChip() throws {
        let reset = HCIPacket(direction: .toController, bytes: bytes("01 03 0C 00"))
        let hci = PcapngFile.packet(reset, of: 0, at: .zero)
        var file = try CaptureFile(Self.capture() + hci)
        var packets: [HCIPacket] = []
        while let next = try file.next() { packets.append(next.packet) }
        #expect(packets == [reset])
        #expect(file.hosts.map(\.name) == ["lock"])
    }

    private static func blocks(of file: [UInt8]) -> [[UInt8]] {
        var blocks: [[UInt8]] = []
        var rest = file[...]
        while let length = PcapngFile.length(ofBlock: rest.prefix(8)), rest.count >= length {
            blocks.append(Array(rest.prefix(length)))
            rest = rest.dropFirst(length)
        }
        return blocks
    }
}
