import Bluetooth
import DeviceLink
import Foundation
import TestSupport
import Testing

/// Every packet that `DeviceLink` can lead to, and what Wireshark is to call it.
@Suite struct CaptureTests {
    static let peer = Address(0xC011_2233_4455)
    static let timing = ConnectionParameters(interval: 24, latency: 4, timeout: 500)
    static let key = [UInt8](1...16)
    static let advertisement: [UInt8] = [2, 1, 6, 4, 9, 0x41, 0x63, 0x63]

    static let commands: [BluetoothCommand] = [
        .advertise(interval: 32, data: advertisement, scanResponse: [2, 0x0A, 4]),
        .stopAdvertising,
        .scan(active: true, period: 0),
        .scan(active: false, period: 4),
        .stopScan,
        .connect(peer: peer, timing),
        .cancelConnect(peer: peer),
        .acl(handle: 1, L2CAPFrame(channel: 4, payload: [0x0A, 3, 0]).bytes),
        .disconnect(handle: 1, reason: 0x13),
        .encrypt(handle: 1, key: key),
        .longTermKey(handle: 1, key),
        .longTermKey(handle: 1, nil),
        .updateConnection(handle: 1, timing),
    ]

    static let events: [BluetoothEvent] = [
        .advertisingReport(
            peer: peer, isScanResponse: false, isConnectable: true, rssi: -60, data: advertisement),
        .advertisingReport(
            peer: peer, isScanResponse: true, isConnectable: true, rssi: -61, data: [2, 0x0A, 4]),
        .advertisingReport(
            peer: peer, isScanResponse: false, isConnectable: false, rssi: -62, data: []),
        .connectionComplete(status: 0, handle: 1, isCentral: true, peer: peer, timing),
        .connectionComplete(status: 2, handle: 0, isCentral: true, peer: peer, timing),
        .acl(handle: 1, L2CAPFrame(channel: 4, payload: [0x0B, 1, 2]).bytes),
        .completedPackets(handle: 1, count: 4),
        .longTermKeyRequest(handle: 1),
        .encryptionChange(status: 0, handle: 1, isEncrypted: true),
        .encryptionChange(status: 6, handle: 1, isEncrypted: false),
        .connectionUpdateComplete(status: 0, handle: 1, timing),
        .disconnectionComplete(handle: 1, reason: 0x08),
    ]

    /// ATT PDUs of every kind, with lists of one and several elements.
    static let pdus: [ATTPDU] = PDUVectors.all.map(\.pdu)

    @Test func aCommandIsItsPacketToTheByte() {
        #expect(
            HCIPacket.packets(for: .disconnect(handle: 0x0123, reason: 0x13)).map(\.bytes)
                == [[0x01, 0x06, 0x04, 3, 0x23, 0x01, 0x13]])
        #expect(
            HCIPacket.packets(for: BluetoothCommand.acl(handle: 0x0123, [0xAA, 0xBB])).map(\.bytes)
                == [[0x02, 0x23, 0x01, 2, 0, 0xAA, 0xBB]])
        #expect(
            HCIPacket.packets(for: .advertise(interval: 32, data: [], scanResponse: [])).count == 4)
    }

    @Test func anEventIsItsPacketToTheByte() {
        let event = BluetoothEvent.connectionComplete(
            status: 0, handle: 1, isCentral: false, peer: Self.peer, Self.timing)
        #expect(
            HCIPacket.packets(for: event).map(\.bytes) == [
                [
                    0x04, 0x3E, 19, 0x01, 0, 1, 0, 1, 1, 0x55, 0x44, 0x33, 0x22, 0x11, 0xC0, 24, 0,
                    4, 0, 0xF4, 0x01, 0,
                ]
            ])
        #expect(
            HCIPacket.packets(for: BluetoothEvent.acl(handle: 0x0123, [0xAA])).first?.bytes
                == [0x02, 0x23, 0x21, 1, 0, 0xAA])
    }

    @Test func aCaptureBeginsWithTheYear2000() {
        var file = BtsnoopFile()
        let event = BluetoothEvent.disconnectionComplete(handle: 1, reason: 0x13)
        for packet in HCIPacket.packets(for: event) {
            file.append(packet, at: VirtualTime(nanoseconds: 1_500_999))
        }
        #expect(
            file.bytes == [
                0x62, 0x74, 0x73, 0x6E, 0x6F, 0x6F, 0x70, 0, 0, 0, 0, 1, 0, 0, 0x03, 0xEA,
                0, 0, 0, 7, 0, 0, 0, 7, 0, 0, 0, 3, 0, 0, 0, 0,
                0x00, 0xE0, 0x3A, 0xB4, 0x4A, 0x67, 0x65, 0xDC,
                0x04, 0x05, 4, 0, 1, 0, 0x13,
            ])
    }

    @Test func wiresharkReadsEveryPacket() throws {
        var expected: [String] = []
        var file = BtsnoopFile()
        var time = VirtualTime.zero
        func append(_ packets: [HCIPacket]) {
            for packet in packets {
                file.append(packet, at: time)
                expected.append(String(packet.bytes[0]))
                time = time + .microseconds(1250)
            }
        }
        for command in Self.commands { append(HCIPacket.packets(for: command)) }
        for event in Self.events { append(HCIPacket.packets(for: event)) }
        for pdu in Self.pdus {
            let frame = L2CAPFrame(channel: 4, payload: pdu.bytes).bytes
            append(HCIPacket.packets(for: BluetoothCommand.acl(handle: 1, frame)))
            append(HCIPacket.packets(for: BluetoothEvent.acl(handle: 1, frame)))
        }
        for pdu in SignallingTests.vectors.map(\.pdu) {
            let frame = L2CAPFrame(channel: 5, payload: pdu.bytes).bytes
            append(HCIPacket.packets(for: BluetoothCommand.acl(handle: 1, frame)))
        }
        let lines = try dissect(
            file, fields: ["hci_h4.type", "_ws.malformed"])
        #expect(lines.count == expected.count)
        for (line, type) in zip(lines, expected) {
            #expect(line[0] == "0x0\(type)")
            #expect(line[1].isEmpty, "malformed: \(line)")
        }
        let opcodes = try dissect(file, fields: ["btatt.opcode"]).map { $0[0] }
        for opcode in ATTOpcode.allCases {
            let text = "0x" + String(format: "%02x", opcode.rawValue)
            #expect(opcodes.count { $0 == text } >= 2, "\(opcode.name)")
        }
    }

    @Test func wiresharkSeesWhatWasMeant() throws {
        var file = BtsnoopFile()
        for event in Self.events {
            for packet in HCIPacket.packets(for: event) { file.append(packet, at: .zero) }
        }
        let report = try dissect(
            file,
            fields: ["bthci_evt.bd_addr", "btcommon.eir_ad.entry.device_name", "bthci_evt.rssi"])
        #expect(report[0] == ["c0:11:22:33:44:55", "Acc", "-60"])
        let connection = try dissect(
            file,
            fields: ["bthci_evt.le_con_interval", "bthci_evt.le_con_latency", "frame.time_epoch"])
        #expect(connection[3] == ["24", "4", "946684800.000000000"])
    }

    /// What tshark says about each packet.
    private func dissect(_ file: BtsnoopFile, fields: [String]) throws -> [[String]] {
        let place = try Place()
        try Data(file.bytes).write(to: URL(filePath: place.path + "/it.btsnoop"))
        let outcome = try place.run(
            ["tshark", "-r", "it.btsnoop", "-T", "fields", "-E", "occurrence=f"]
                + fields.flatMap { ["-e", $0] })
        try #require(
            outcome.status != 127, "tshark is needed for this test: apt-get install tshark")
        #expect(outcome.status == 0)
        return outcome.output.split(separator: "\n").map { line in
            line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
    }
}
