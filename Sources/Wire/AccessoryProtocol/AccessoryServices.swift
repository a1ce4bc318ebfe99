package import Bluetooth

/// The Nearby Interaction Service (R4 4.2.5, 4.3.1).
///
/// Apps cannot discover it; the system reads it.
package enum NearbyInteractionService {
    package static let service: BluetoothUUID = "48FE3E40-0817-4BB2-8633-3073689C2DBA"
    package static let singleConfigurationData: BluetoothUUID =
        "95E8D9D5-D8EF-4721-9A4E-807375F53328"
    package static let multipleConfigurationData: BluetoothUUID =
        "1176CF7B-BED2-4690-BD69-5F34001E820C"
}

/// Qorvo's service for the messages of the accessory protocol (QNIS).
package enum QorvoService {
    package static let service: BluetoothUUID = "2E938FD0-6A61-11ED-A1EB-0242AC120002"
    /// SC: reading it takes an encrypted link, so it makes a phone pair.
    package static let secure: BluetoothUUID = "2E93941C-6A61-11ED-A1EB-0242AC120002"
    /// RX: the app writes messages here.
    package static let receive: BluetoothUUID = "2E93998A-6A61-11ED-A1EB-0242AC120002"
    /// TX: the accessory notifies messages here.
    package static let transmit: BluetoothUUID = "2E939AF2-6A61-11ED-A1EB-0242AC120002"
}

/// The Nordic UART service (NUS), which Apple's accessory sample uses for the messages.
package enum NordicUARTService {
    package static let service: BluetoothUUID = "6E400001-B5A3-F393-E0A9-E50E24DCCA9E"
    /// RX: the app writes messages here.
    package static let receive: BluetoothUUID = "6E400002-B5A3-F393-E0A9-E50E24DCCA9E"
    /// TX: the accessory notifies messages here.
    package static let transmit: BluetoothUUID = "6E400003-B5A3-F393-E0A9-E50E24DCCA9E"
}
