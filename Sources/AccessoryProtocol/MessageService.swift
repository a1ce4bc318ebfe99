package import Bluetooth

/// A GATT service over which an accessory and its app exchange the messages of the protocol.
///
/// R4 2.4 leaves the data link to the manufacturer, so there is a service for each who has made one.
package struct MessageService: Equatable, Sendable {
    package let service: BluetoothUUID
    /// The characteristic that the app writes messages to.
    package let receive: BluetoothUUID
    /// The characteristic that notifies the accessory's messages.
    package let transmit: BluetoothUUID

    /// A service of these UUIDs.
    package init(service: BluetoothUUID, receive: BluetoothUUID, transmit: BluetoothUUID) {
        (self.service, self.receive, self.transmit) = (service, receive, transmit)
    }

    package static let qorvo = Self(
        service: QorvoService.service, receive: QorvoService.receive,
        transmit: QorvoService.transmit)
    package static let nordicUART = Self(
        service: NordicUARTService.service, receive: NordicUARTService.receive,
        transmit: NordicUARTService.transmit)

    /// The parameter by which a reference app learns of services that it does not know: their texts, with commas.
    package static let parameter = "services"
}

/// `SERVICE/RECEIVE/TRANSMIT`, as topologies store it and devices get it.
extension MessageService: LosslessStringConvertible, Codable {
    package var description: String { "\(service)/\(receive)/\(transmit)" }

    /// Reads the text; nil where it is not three UUIDs.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            .map { BluetoothUUID(String($0)) }
        guard parts.count == 3, let service = parts[0], let receive = parts[1],
            let transmit = parts[2]
        else { return nil }
        self.init(service: service, receive: receive, transmit: transmit)
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let service = Self(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "expected three UUIDs with / between them")
        }
        self = service
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
