/// A 128-bit UUID of an accessory's service or characteristic.
package struct AccessoryUUID: Equatable, Hashable, Sendable {
    /// The text form, in upper case.
    package let text: String
    /// The 16 bytes on the air, least significant first.
    package let littleEndian: [UInt8]

    /// A UUID from its 32 digits; the two halves are written in the order of the text form.
    fileprivate init(_ text: String, _ high: UInt64, _ low: UInt64) {
        self.text = text
        var bytes: [UInt8] = []
        bytes.append(littleEndian: low)
        bytes.append(littleEndian: high)
        littleEndian = bytes
    }
}

/// The Nearby Interaction Service (R4 4.2.5, 4.3.1).
///
/// Apps cannot discover it; the system reads it.
package enum NearbyInteractionService {
    /// The service.
    package static let service = AccessoryUUID(
        "48FE3E40-0817-4BB2-8633-3073689C2DBA", 0x48FE_3E40_0817_4BB2, 0x8633_3073_689C_2DBA)
    /// Accessory Single Configuration Data.
    package static let singleConfigurationData = AccessoryUUID(
        "95E8D9D5-D8EF-4721-9A4E-807375F53328", 0x95E8_D9D5_D8EF_4721, 0x9A4E_8073_75F5_3328)
    /// Accessory Multiple Configuration Data.
    package static let multipleConfigurationData = AccessoryUUID(
        "1176CF7B-BED2-4690-BD69-5F34001E820C", 0x1176_CF7B_BED2_4690, 0xBD69_5F34_001E_820C)
}

/// Qorvo's service for the messages of the accessory protocol (QNIS).
package enum QorvoService {
    /// The service.
    package static let service = AccessoryUUID(
        "2E938FD0-6A61-11ED-A1EB-0242AC120002", 0x2E93_8FD0_6A61_11ED, 0xA1EB_0242_AC12_0002)
    /// SC: reading it takes an encrypted link, so it makes a phone pair.
    package static let secure = AccessoryUUID(
        "2E93941C-6A61-11ED-A1EB-0242AC120002", 0x2E93_941C_6A61_11ED, 0xA1EB_0242_AC12_0002)
    /// RX: the app writes messages here.
    package static let receive = AccessoryUUID(
        "2E93998A-6A61-11ED-A1EB-0242AC120002", 0x2E93_998A_6A61_11ED, 0xA1EB_0242_AC12_0002)
    /// TX: the accessory notifies messages here.
    package static let transmit = AccessoryUUID(
        "2E939AF2-6A61-11ED-A1EB-0242AC120002", 0x2E93_9AF2_6A61_11ED, 0xA1EB_0242_AC12_0002)
}

/// The Nordic UART service (NUS), which Apple's accessory sample uses for the messages.
package enum NordicUARTService {
    /// The service.
    package static let service = AccessoryUUID(
        "6E400001-B5A3-F393-E0A9-E50E24DCCA9E", 0x6E40_0001_B5A3_F393, 0xE0A9_E50E_24DC_CA9E)
    /// RX: the app writes messages here.
    package static let receive = AccessoryUUID(
        "6E400002-B5A3-F393-E0A9-E50E24DCCA9E", 0x6E40_0002_B5A3_F393, 0xE0A9_E50E_24DC_CA9E)
    /// TX: the accessory notifies messages here.
    package static let transmit = AccessoryUUID(
        "6E400003-B5A3-F393-E0A9-E50E24DCCA9E", 0x6E40_0003_B5A3_F393, 0xE0A9_E50E_24DC_CA9E)
}
