import DeviceLink
import TestSupport
import Testing

let qnis = part("D08F")
let nearbyInteraction = "BA2D9C68 7330 3386 B24B 1708 403EFE48"

/// A UUID of Qorvo's service, of which one part differs, as it stands in a PDU.
func part(_ part: String) -> String { "0200 12AC4202 EBA1 ED11 616A \(part) 932E" }

/// The accessory's configuration data with an address (R4 3.4): its bytes as they stand in a PDU.
func configuration(_ address: String) -> String {
    "0100 0000 14 00000000000000000000 15"
        + "0100 0100 3FF50300 B80B0000 00000101 01 \(address) 1900"
}

/// What an accessory receives and what it answers, in ATT PDUs.
struct Phone {
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

    /// Starts an accessory that is called lock, finds it by its service and its name, and looks at all that it has.
    ///
    /// - Returns: How it advertises.
    mutating func looksAround() throws -> Answer {
        let advertise = Answer.bluetooth(
            .advertise(
                interval: 32, data: bytes("02 01 06  11 07" + qnis),
                scanResponse: bytes("05 09 6C 6F 63 6B")))
        #expect(try turn(.boot) == [advertise])
        #expect(try connect() == [])

        // MTU, services, characteristics, descriptors; what is secure is refused.
        #expect(try says("02 B900") == ["03 6400"])
        #expect(try says("10 0100 FFFF 0028") == ["11 06  0100 0500 0018  0600 0600 0118"])
        #expect(
            try says("10 0700 FFFF 0028")
                == ["11 14  0700 0E00 \(qnis)  0F00 1100 \(nearbyInteraction)"])
        #expect(try says("10 1200 FFFF 0028") == ["01 10 1200 0A"])
        #expect(try says("06 0100 FFFF 0028 \(qnis)") == ["07 0700 0E00"])
        #expect(
            try says("08 0700 0E00 0328")
                == [
                    """
                    09 15  0800 02 0900 \(part("1C94"))  0A00 0C 0B00 \(part("8A99"))
                    0C00 10 0D00 \(part("F29A"))
                    """
                ])
        #expect(try says("04 0E00 0E00") == ["05 01  0E00 0229"])
        #expect(try says("0A 0300") == ["0B 6C6F636B"])
        #expect(try says("0C 0300 0200") == ["0D 636B"])
        #expect(try says("0A 1100") == ["01 0A 1100 0F"])
        #expect(try says("0A 9900") == ["01 0A 9900 01"])
        #expect(try says("18 01") == ["01 18 0000 06"])
        return advertise
    }

    /// All answers to a PDU.
    mutating func writes(_ pdu: String) throws -> [Answer]? {
        guard case .bluetooth(.acl(let handle, let frame)) = frame(pdu) else { return nil }
        return try turn(.bluetooth(.acl(handle: handle, frame)))
    }

    /// The PDUs that answer a PDU; it may store something besides, and do nothing else.
    mutating func says(_ pdu: String) throws -> [Bytes]? {
        try writes(pdu)?.filter {
            if case .store = $0 { false } else { true }
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
struct Bytes: Equatable, ExpressibleByStringInterpolation, CustomStringConvertible {
    let bytes: [UInt8]

    init(bytes: [UInt8]) { self.bytes = bytes }
    init(stringLiteral hex: String) { bytes = TestSupport.bytes(hex) }

    var description: String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
