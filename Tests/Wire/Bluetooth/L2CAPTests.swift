import Bluetooth
import Testing

@Suite struct SignallingTests {
    static let request = ConnectionParameterRequest(
        minimumInterval: 24, maximumInterval: 36, latency: 4, timeout: 500)
    static let vectors: [(pdu: SignallingPDU, bytes: [UInt8])] = [
        (.commandReject(identifier: 7, reason: 0), [0x01, 7, 2, 0, 0, 0]),
        (
            .parameterUpdateRequest(identifier: 1, request),
            [0x12, 1, 8, 0, 24, 0, 36, 0, 4, 0, 0xF4, 0x01]
        ),
        (.parameterUpdateResponse(identifier: 1, isAccepted: true), [0x13, 1, 2, 0, 0, 0]),
        (.parameterUpdateResponse(identifier: 1, isAccepted: false), [0x13, 1, 2, 0, 1, 0]),
    ]

    @Test(arguments: vectors.indices)
    func aSignallingPDUIsItsBytes(_ index: Int) throws {
        let (pdu, bytes) = Self.vectors[index]
        #expect(pdu.bytes == bytes)
        #expect(try SignallingPDU(bytes) == pdu)
        for count in 0..<bytes.count {
            #expect(throws: MalformedBytes.self) { try SignallingPDU(Array(bytes[..<count])) }
        }
        #expect(throws: MalformedBytes.self) { try SignallingPDU(bytes + [0]) }
    }

    @Test func anUnknownCommandKeepsItsCodeAndIdentifier() throws {
        #expect(try SignallingPDU([0x14, 9, 1, 0, 0xAA]) == .other(code: 0x14, identifier: 9))
    }

    @Test func aFrameIsLengthChannelPayload() throws {
        let frame = L2CAPFrame(channel: L2CAPChannel.attribute, payload: [0x0A, 3, 0])
        #expect(frame.bytes == [3, 0, 4, 0, 0x0A, 3, 0])
        #expect(try L2CAPFrame(frame.bytes) == frame)
        #expect { try L2CAPFrame([3, 0, 4, 0, 0x0A]) } throws: {
            "\($0)" == "L2CAP frame: expected payload (3 bytes) at byte 4"
        }
        #expect { try L2CAPFrame([0, 0, 4, 0, 0x0A]) } throws: {
            "\($0)" == "L2CAP frame: expected the end at byte 4"
        }
    }
}

@Suite struct AdvertisingTests {
    @Test func anAdvertisementIsItsStructures() throws {
        let data = AdvertisingData(
            flags: AdvertisingData.generalDiscoverable, services: [0x180F, 0x1800],
            localName: "Acc", txPower: -4)
        let bytes: [UInt8] = [
            2, 0x01, 6, 5, 0x03, 0x0F, 0x18, 0x00, 0x18, 4, 0x09, 0x41, 0x63, 0x63, 2, 0x0A, 0xFC,
        ]
        #expect(try data.encoded() == bytes)
        #expect(try AdvertisingData(bytes) == data)
    }

    @Test func longServicesAndDataOfServicesAndManufacturers() throws {
        let uart: BluetoothUUID = "6E400001-B5A3-F393-E0A9-E50E24DCCA9E"
        let long = AdvertisingData(flags: 6, services: [uart], localName: "Tag")
        #expect(try long.encoded().count == 26)
        #expect(try AdvertisingData(long.encoded()) == long)
        let data = AdvertisingData(
            manufacturer: .init(company: 0x004C, data: [1, 2]),
            serviceData: [.init(service: 0xFE9A, data: [7])])
        #expect(try data.encoded() == [4, 0x16, 0x9A, 0xFE, 7, 5, 0xFF, 0x4C, 0, 1, 2])
        #expect(try AdvertisingData(data.encoded()) == data)
    }

    @Test func thirtyTwoBytesAreOneTooMany() throws {
        #expect(
            try AdvertisingData(localName: String(repeating: "x", count: 29)).encoded().count == 31)
        #expect {
            try AdvertisingData(localName: String(repeating: "x", count: 30)).encoded()
        } throws: { "\($0)" == "advertising data: expected at most 31 bytes at byte 31" }
    }

    @Test func incompleteListsAndShortNamesAreReadToo() throws {
        let data = try AdvertisingData([3, 0x02, 0x0F, 0x18, 2, 0x08, 0x41, 3, 0x77, 1, 2, 0, 9, 9])
        var expected = AdvertisingData(services: [0x180F], localName: "A")
        expected.isNameShortened = true
        #expect(data == expected)
    }

    @Test func aStructureThatDoesNotFitIsAComplaint() {
        let wrong: [([UInt8], Int)] = [
            ([5, 0x09, 0x41], 2), ([1], 1), ([4, 0x03, 1, 2, 3], 1), ([2, 0x16, 1], 1),
            ([3, 0x0A, 1, 2], 1), ([2, 0xFF, 1], 1),
        ]
        for (bytes, offset) in wrong {
            #expect { try AdvertisingData(bytes) } throws: {
                ($0 as? MalformedBytes)?.offset == offset
            }
        }
    }

    @Test func aScanResponseAddsToItsAdvertisement() {
        let advertisement = AdvertisingData(flags: 6, services: [0x180F], localName: "A")
        let response = AdvertisingData(services: [0x180F, 0x1800], localName: "Accessory")
        #expect(
            advertisement.merged(with: response)
                == AdvertisingData(flags: 6, services: [0x180F, 0x1800], localName: "Accessory"))
    }
}
