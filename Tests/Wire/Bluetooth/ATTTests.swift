import Bluetooth
import DeviceLink
import Testing

@Suite struct ATTTests {
    @Test(arguments: PDUVectors.all.indices)
    func aPDUIsItsBytes(_ index: Int) throws {
        let (pdu, bytes) = PDUVectors.all[index]
        #expect(pdu.bytes == bytes)
        #expect(try ATTPDU(bytes) == pdu)
    }

    @Test func everyKindHasAVector() {
        let kinds = PDUVectors.all.map(\.pdu.opcode)
        #expect(ATTOpcode.allCases.allSatisfy { kinds.contains($0) })
    }

    /// Cutting a PDU anywhere gives a shorter one of the same kind or a complaint, never a trap.
    @Test(arguments: PDUVectors.all.indices)
    func aPDUThatIsCutShortIsACleanComplaint(_ index: Int) {
        let (pdu, bytes) = PDUVectors.all[index]
        for count in 0..<bytes.count {
            do throws(MalformedBytes) {
                let shorter = try ATTPDU(bytes[..<count])
                #expect(shorter.opcode == pdu.opcode && shorter.bytes == Array(bytes[..<count]))
            } catch {
                #expect(error.offset <= count)
            }
        }
    }

    @Test func bytesEitherReadAndWriteBackOrComplain() {
        let key = Keyed(1)
        for index in 0..<20_000 as Range<UInt64> {
            let draw = key.with(index)
            let opcodes = ATTOpcode.allCases
            let opcode = opcodes[Int(draw.with("opcode").below(UInt64(opcodes.count)))]
            let bytes =
                [opcode.rawValue]
                + draw.with("bytes").bytes(Int(draw.with("count").below(24))).map { $0 % 24 }
            if let pdu = try? ATTPDU(bytes) { #expect(pdu.bytes == bytes) }
            _ = try? AdvertisingData(bytes)
            _ = try? SignallingPDU(bytes)
            _ = try? L2CAPFrame(bytes)
        }
    }

    @Test func aComplaintNamesTheFieldAndItsOffset() {
        let wrong: [([UInt8], String)] = [
            ([], "ATT PDU: expected a known opcode at byte 0"),
            ([0xFF], "ATT PDU: expected a known opcode at byte 0"),
            ([0x0A, 3], "read-request: expected handle (2 bytes) at byte 1"),
            ([0x0A, 3, 0, 9], "read-request: expected the end at byte 3"),
            ([0x0C, 3, 0, 9], "read-blob-request: expected offset (2 bytes) at byte 3"),
            ([0x0E, 3, 0], "read-multiple-request: expected second handle (2 bytes) at byte 3"),
            (
                [0x08, 1, 0, 9, 0, 3],
                "read-by-type-request: expected a UUID (2 or 16 bytes) at byte 5"
            ),
            ([0x18, 2], "execute-write-request: expected flags 0x00 or 0x01 at byte 1"),
            ([0x05, 3, 1, 0], "find-information-response: expected format 0x01 or 0x02 at byte 1"),
            ([0x09, 1, 0], "read-by-type-response: expected a length of at least 2 at byte 1"),
            ([0x09, 4, 1, 0, 7], "read-by-type-response: expected value (2 bytes) at byte 4"),
            ([0x1E, 0], "confirmation: expected the end at byte 1"),
            ([0x1B, 0], "notification: expected handle (2 bytes) at byte 1"),
        ]
        for (bytes, sentence) in wrong {
            #expect { try ATTPDU(bytes) } throws: { "\($0)" == sentence }
        }
    }

    @Test func everyRequestKnowsItsResponse() {
        for opcode in ATTOpcode.allCases {
            switch opcode.role {
            case .request: #expect(opcode.response?.role == .response)
            case .indication: #expect(opcode.response == .confirmation)
            case .response, .command, .notification, .confirmation:
                #expect(opcode.response == nil)
            }
        }
        #expect(ATTOpcode.writeRequest.response == .writeResponse)
        #expect(ATTOpcode.writeRequest.name == "write-request")
        #expect(Set(ATTOpcode.allCases.map(\.name)).count == ATTOpcode.allCases.count)
    }

    @Test func everyErrorCodeHasAName() {
        #expect(ATTErrorCode.invalidHandle.description == "invalid-handle")
        #expect(ATTErrorCode.insufficientEncryption.rawValue == 0x0F)
        #expect(ATTErrorCode.insufficientEncryption.description == "insufficient-encryption")
        #expect(ATTErrorCode.insufficientResources.description == "insufficient-resources")
        #expect(ATTErrorCode.valueNotAllowed.description == "value-not-allowed")
        #expect(ATTErrorCode(rawValue: 0x80).description == "application-error-0x80")
        #expect(ATTErrorCode(rawValue: 0xFF).description == "out-of-range")
        #expect(ATTErrorCode(rawValue: 0x42).description == "error-0x42")
        let names = (0...255).map { ATTErrorCode(rawValue: UInt8($0)).description }
        #expect(Set(names).count == 256)
    }
}
