import AccessoryProtocol
import Testing

/// Bytes captured from devices, as published.
enum Captures {
    /// From an accessory; the short address, which the publication leaves out, is CD AB.
    static let accessory: [UInt8] = [
        0x01, 0x00, 0x01, 0x00, 0x3F, 0xF5, 0x03, 0x00, 0xB8, 0x0B, 0x00, 0x00, 0x00, 0x00, 0x01,
        0x01, 0x01, 0xCD, 0xAB, 0x19, 0x00,
    ]
    /// From an iPhone.
    static let phone: [UInt8] = [
        0x01, 0x00, 0x01, 0x00, 0x19, 0x45, 0x55, 0xA8, 0x5F, 0x00, 0x00, 0x0B, 0x09, 0x06, 0x00,
        0x10, 0x0E, 0xC6, 0x00, 0x03, 0x39, 0x7B, 0x28, 0xD4, 0xB8, 0xD7, 0x87, 0xB4, 0x64, 0x00,
    ]
}

@Suite struct ConfigurationTests {
    @Test func theAccessoryCaptureIsReadAndWrittenToTheByte() throws {
        let data = try UWBConfigData(Captures.accessory)
        #expect(
            data
                == UWBConfigData(
                    version: .v1_1(clockDrift: 25), manufacturer: 0x0003_F53F, chipset: 0x0BB8,
                    middleware: 0x0101_0000, role: .initiator, address: 0xABCD))
        #expect(data.bytes == Captures.accessory)
    }

    @Test func thePhoneCaptureIsReadAndWrittenToTheByte() throws {
        let data = try AppleUWBConfigData(Captures.phone)
        #expect(
            data
                == AppleUWBConfigData(
                    version: .v1_1(clockDrift: 100), country: Array("EU".utf8), sessionID: 0x5FA8,
                    preamble: 11, channel: 9, slotsPerRound: 6, slotDuration: 3600, interval: 198,
                    roundControl: 0x03, stsIV: [0x39, 0x7B, 0x28, 0xD4, 0xB8, 0xD7],
                    destination: 0xB487))
        #expect(data.bytes == Captures.phone)
    }

    @Test func eachVersionOfAccessoryDataHasItsLength() throws {
        let versions: [(UWBConfigData.Version, Int)] = [
            (.v1_0, 19), (.v1_1(clockDrift: 25), 21), (.v2_0(clockDrift: 25, .init()), 32),
        ]
        for (version, length) in versions {
            let data = UWBConfigData(
                version: version, manufacturer: 1, chipset: 2, middleware: 3, role: .responder,
                address: 4)
            #expect(data.bytes.count == length)
            #expect(try UWBConfigData(data.bytes) == data)
            #expect(throws: ProtocolError.self) { try UWBConfigData(data.bytes.dropLast()) }
            #expect(throws: ProtocolError.overlong(kind: "UWBConfigData", offset: length)) {
                try UWBConfigData(data.bytes + [0])
            }
        }
    }

    @Test func eachVersionOfShareableDataHasItsLength() throws {
        let versions: [(AppleUWBConfigData.Version, Int, UInt8)] = [
            (.v1_0, 28, 23), (.v1_1(clockDrift: 100), 30, 25),
            (.v2_0(clockDrift: 100, .init(mode: 1)), 35, 30),
        ]
        for (version, length, inner) in versions {
            let data = AppleUWBConfigData(
                version: version, sessionID: 7, stsIV: [1, 2, 3, 4, 5, 6], destination: 8)
            #expect(data.bytes.count == length)
            #expect(data.bytes[4] == inner)
            #expect(try AppleUWBConfigData(data.bytes) == data)
        }
    }

    @Test func impossibleFieldsAreRefusedWithTheirPlace() {
        func corrupted(_ bytes: [UInt8], _ offset: Int, _ byte: UInt8) -> [UInt8] {
            var bytes = bytes
            bytes[offset] = byte
            return bytes
        }
        let phone = "AppleUWBConfigData"
        let wrong: [(Int, UInt8, Int, String)] = [
            (0, 3, 0, "version 1.0, 1.1 or 2.0"), (4, 24, 4, "configDataLength 25"),
            (11, 8, 11, "preamble id 9 … 12"),
            (12, 7, 12, "channel 5, 6, 8, 9, 10, 12, 13 or 14"),
        ]
        for (place, byte, offset, expected) in wrong {
            #expect(
                throws: ProtocolError.invalid(kind: phone, offset: offset, expected: expected)
            ) { try AppleUWBConfigData(corrupted(Captures.phone, place, byte)) }
        }
        #expect(
            throws: ProtocolError.invalid(
                kind: "UWBConfigData", offset: 16, expected: "ranging role 0, 1, 5, 6, 7 or 8")
        ) { try UWBConfigData(corrupted(Captures.accessory, 16, 2)) }
    }

    @Test func accessoryConfigurationDataChecksEveryFieldOfTable32() throws {
        let data = try AccessoryConfigurationData(
            preferredUpdateRate: .infrequent, uwbConfigData: [0xAA, 0xBB])
        let bytes: [UInt8] = [
            1, 0, 0, 0, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0xAA, 0xBB,
        ]
        #expect(data.bytes == bytes)
        #expect(try AccessoryConfigurationData(bytes) == data)
        let wrong: [(Int, UInt8, Int, String)] = [
            (0, 2, 0, "MajorVersion 1"), (2, 1, 2, "MinorVersion 0"),
            (4, 11, 4, "PreferredUpdateRate 0, 10 or 20"),
            (15, 0, 15, "UWBConfigDataLength above 0"),
        ]
        for (place, byte, offset, expected) in wrong {
            var corrupted = bytes
            corrupted[place] = byte
            #expect(
                throws: ProtocolError.invalid(
                    kind: "accessory configuration data", offset: offset, expected: expected)
            ) { try AccessoryConfigurationData(corrupted) }
        }
        #expect(throws: ProtocolError.self) { try AccessoryConfigurationData(bytes + [0]) }
        #expect(throws: ProtocolError.self) { try AccessoryConfigurationData(bytes.dropLast()) }
        #expect(throws: ProtocolError.self) { try AccessoryConfigurationData(uwbConfigData: []) }
    }

    @Test func reservedBytesAreKeptAndNotJudged() throws {
        var bytes = try AccessoryConfigurationData(uwbConfigData: [1]).bytes
        bytes[7] = 0x55
        #expect(try AccessoryConfigurationData(bytes).bytes == bytes)
    }

    @Test func severalConfigurationsAreCountedAndMeasured() throws {
        let several = try MultipleConfigurationData(configurations: [[1, 2, 3], [4]])
        #expect(several.bytes == [2, 3, 1, 2, 3, 1, 4])
        #expect(try MultipleConfigurationData(several.bytes) == several)
        #expect(try MultipleConfigurationData([0]).configurations.isEmpty)
        #expect(
            throws: ProtocolError.truncated(
                kind: "multiple configuration data", offset: 5, field: "Config[1].Length")
        ) { try MultipleConfigurationData([2, 3, 1, 2, 3]) }
        #expect(throws: ProtocolError.overlong(kind: "multiple configuration data", offset: 3)) {
            try MultipleConfigurationData([1, 1, 9, 9])
        }
        #expect(throws: ProtocolError.self) {
            try MultipleConfigurationData(configurations: [Array(repeating: 0, count: 256)])
        }
    }
}
