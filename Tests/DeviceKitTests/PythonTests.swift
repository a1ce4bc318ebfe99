import DeviceLink
import Foundation
import TestSupport
import Testing

/// DEVICE-LINK.md is enough: devices that know nothing else.
///
/// They need `python3`, and nothing but its standard library.
@Suite struct PythonTests {
    @Test(arguments: Child.Transport.allCases)
    func anAccessoryInPythonIsFoundConnectedAndRanges(over transport: Child.Transport) throws {
        let child = try Child(
            "/usr/bin/env", ["python3", "-B", root + "/Tests/Strangers/accessory.py"],
            over: transport
        )
        #expect(try child.next() == .hello(Hello(program: "accessory.py", minor: 0)))
        try child.send(.reset(Reset(name: "lock", model: "qorvo", key: 42)))
        #expect(try child.next() == .ready)
        var phone = Phone(child)

        // It advertises its service, and its name to whom asks.
        let advertise = Answer.bluetooth(
            .advertise(
                interval: 32, data: bytes("02 01 06  11 07" + qnis),
                scanResponse: bytes("05 09 6C 6F 63 6B")))
        #expect(try phone.turn(.boot) == [advertise])
        #expect(try phone.connect() == [])

        // MTU, services, characteristics, descriptors; what is secure is refused.
        #expect(try phone.says("02 B900") == ["03 6400"])
        #expect(
            try phone.says("10 0100 FFFF 0028") == ["11 06  0100 0500 0018  0600 0600 0118"])
        #expect(
            try phone.says("10 0700 FFFF 0028")
                == ["11 14  0700 0E00 \(qnis)  0F00 1100 \(nearbyInteraction)"])
        #expect(try phone.says("10 1200 FFFF 0028") == ["01 10 1200 0A"])
        #expect(try phone.says("06 0100 FFFF 0028 \(qnis)") == ["07 0700 0E00"])
        #expect(
            try phone.says("08 0700 0E00 0328")
                == [
                    """
                    09 15  0800 02 0900 \(part("1C94"))  0A00 0C 0B00 \(part("8A99"))
                    0C00 10 0D00 \(part("F29A"))
                    """
                ])
        #expect(try phone.says("04 0E00 0E00") == ["05 01  0E00 0229"])
        #expect(try phone.says("0A 0300") == ["0B 6C6F636B"])
        #expect(try phone.says("0A 1100") == ["01 0A 1100 0F"])
        #expect(try phone.says("0A 9900") == ["01 0A 9900 01"])
        #expect(try phone.says("18 01") == ["01 18 0000 06"])

        // Without a subscription nothing is notified; with one, each session has new data.
        #expect(try phone.says("52 0B00 0A") == [])
        #expect(try phone.says("12 0E00 0100") == ["13"])
        #expect(try phone.says("52 0B00 0A") == ["1B 0D00 01 \(configuration("F2B7"))"])
        #expect(try phone.says("12 0B00 0A") == ["13", "1B 0D00 01 \(configuration("2956"))"])

        // The shareable data of a real phone starts the radio with its parameters.
        let shareable =
            "01000100 19 4555 A85F0000 0B 09 0600 100E C600 03 397B28D4B8D7 87B4 6400"
        let start = Answer.uwb(
            .start(
                session: 3,
                UWBParameters(
                    sessionID: 0x5FA8, address: 0x5629, peer: 0xB487, channel: 9, preamble: 11,
                    stsIV: bytes("397B28D4B8D7"), slotsPerRound: 6, slotDuration: 3_600,
                    interval: 198, isInitiator: true)))
        #expect(try phone.writes("52 0B00 0B" + shareable) == [start])
        #expect(try phone.hears(.uwb(.started(session: 3, status: 0))) == ["1B 0D00 02"])
        #expect(try phone.turn(.uwb(.round(session: 3, nil))) == [])
        #expect(
            try phone.writes("52 0B00 0C")
                == [.uwb(.stop(session: 3)), phone.frame("1B 0D00 03")])

        // A link that ends takes the radio with it, and it can be found again.
        #expect(try phone.writes("52 0B00 0B" + shareable) == [start])
        #expect(
            try phone.turn(.bluetooth(.disconnectionComplete(handle: 0x40, reason: 0x08)))
                == [.uwb(.stop(session: 3)), advertise])
        try child.send(.farewell)
        #expect(child.status() == 0)
        #expect(try child.logged() == "")
    }

    @Test func aBondedPhoneMayReadTheConfiguration() throws {
        let child = try Child(
            "/usr/bin/env", ["python3", "-B", root + "/Tests/Strangers/accessory.py"])
        let key = [UInt8](1...16)
        try child.send(
            .reset(
                Reset(
                    name: "lock", model: "qorvo", key: 42,
                    stored: [StoredPair("bond/C0:FF:EE:00:01:02", key + [16, 0])])))
        _ = (try child.next(), try child.next())
        var phone = Phone(child)
        #expect(try phone.connect() == [])
        #expect(
            try phone.turn(.bluetooth(.longTermKeyRequest(handle: 0x40)))
                == [.bluetooth(.longTermKey(handle: 0x40, key))])
        _ = try phone.turn(
            .bluetooth(.encryptionChange(status: 0, handle: 0x40, isEncrypted: true)))
        _ = try phone.says("12 0E00 0100")
        _ = try phone.says("02 B900")
        #expect(try phone.says("52 0B00 0A") == ["1B 0D00 01 \(configuration("BB19"))"])
        #expect(try phone.says("0A 1100") == ["0B \(configuration("BB19"))"])
    }

    @Test func anAccessoryInPythonRefusesWhatItDoesNotKnow() throws {
        let child = try Child(
            "/usr/bin/env", ["python3", "-B", root + "/Tests/Strangers/accessory.py"])
        _ = try child.next()
        try child.send(
            .reset(Reset(name: "x", model: "multi", parameters: [Pair("mtu", "23")])))
        #expect(
            try child.next()
                == .refused(
                    "this is a \"qorvo\" without parameters and defects, not multi, mtu"))
    }

    @Test(arguments: Child.Transport.allCases)
    func theDocumentsOwnDeviceHoldsTheDocumentsConversation(
        over transport: Child.Transport
    ) throws {
        let document = try text(of: "Sources/DeviceLink/DEVICE-LINK.md")
        let program = try #require(fenced("python", in: document))
        let child = try Child(
            "/usr/bin/env", ["python3", "-B", "-c", program], over: transport)
        for line in try #require(fenced("hex conversation", in: document)).split(separator: "\n") {
            let frame = bytes(line.dropFirst(2))
            if line.hasPrefix(">") {
                child.write(frame)
            } else {
                var said: [UInt8] = []
                try child.next()?.encode(into: &said)
                #expect(said == frame, "\(line)")
            }
        }
        #expect(child.status() == 0)
    }

    /// The first block of a document with these words behind its fence.
    private func fenced(_ words: String, in document: String) -> String? {
        let parts = document.components(separatedBy: "```\(words)\n")
        return parts.count > 1 ? parts[1].components(separatedBy: "```")[0] : nil
    }
}

private let qnis = part("D08F")
private let nearbyInteraction = "BA2D9C68 7330 3386 B24B 1708 403EFE48"

/// A UUID of Qorvo's service, of which one part differs, as it stands in a PDU.
private func part(_ part: String) -> String { "0200 12AC4202 EBA1 ED11 616A \(part) 932E" }

/// The accessory's configuration data with an address (R4 3.4): its bytes as they stand in a PDU.
private func configuration(_ address: String) -> String {
    "0100 0000 14 00000000000000000000 15"
        + "0100 0100 3FF50300 B80B0000 00000101 01 \(address) 1900"
}

/// What an accessory receives and what it answers, in ATT PDUs.
private struct Phone {
    private let child: Child
    private var turns: UInt32 = 0

    init(_ child: Child) { self.child = child }

    mutating func turn(_ event: DeviceEvent) throws -> [Answer]? {
        turns += 1
        return try child.turn(turns, event)
    }

    mutating func connect() throws -> [Answer]? {
        try turn(
            .bluetooth(
                .connectionComplete(
                    status: 0, handle: 0x40, isCentral: false, peer: Address(0xC0FF_EE00_0102),
                    ConnectionParameters(interval: 24, latency: 0, timeout: 72))))
    }

    /// All answers to a PDU.
    mutating func writes(_ pdu: String) throws -> [Answer]? {
        guard case .bluetooth(.acl(let handle, let frame)) = frame(pdu) else { return nil }
        return try turn(.bluetooth(.acl(handle: handle, frame)))
    }

    /// The PDUs that answer a PDU; it may count its sessions besides, and do nothing else.
    mutating func says(_ pdu: String) throws -> [Bytes]? {
        try writes(pdu)?.filter {
            if case .store("sessions", _) = $0 { false } else { true }
        }.map(self.pdu)
    }

    /// The PDUs that answer an event; nothing else may.
    mutating func hears(_ event: DeviceEvent) throws -> [Bytes]? { try turn(event)?.map(pdu) }

    /// An L2CAP frame with a PDU of the attribute protocol, on the way out.
    func frame(_ pdu: String) -> Answer {
        let pdu = bytes(pdu)
        return .bluetooth(.acl(handle: 0x40, [UInt8(pdu.count), 0, 4, 0] + pdu))
    }

    private func pdu(_ answer: Answer) -> Bytes {
        guard case .bluetooth(.acl(0x40, let frame)) = answer, frame.count >= 4,
            Array(frame[0..<4]) == [UInt8(frame.count - 4), 0, 4, 0]
        else { return "" }
        return Bytes(bytes: Array(frame[4...]))
    }
}

/// Bytes that a test writes as hexadecimal digits.
private struct Bytes: Equatable, ExpressibleByStringInterpolation, CustomStringConvertible {
    let bytes: [UInt8]

    init(bytes: [UInt8]) { self.bytes = bytes }
    init(stringLiteral hex: String) { bytes = TestSupport.bytes(hex) }

    var description: String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
