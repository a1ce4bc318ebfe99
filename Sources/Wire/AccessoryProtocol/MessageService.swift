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
    /// The first byte of each message.
    package let numbers: MessageNumbers

    /// A service of these UUIDs.
    package init(
        service: BluetoothUUID, receive: BluetoothUUID, transmit: BluetoothUUID,
        numbers: MessageNumbers = .sample
    ) {
        (self.service, self.receive, self.transmit) = (service, receive, transmit)
        self.numbers = numbers
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

/// `SERVICE/RECEIVE/TRANSMIT`, as topologies store it and devices get it; behind it, like `/stop=28`, the messages
/// that have numbers of their own.
extension MessageService: CodedAsText {
    package static let expectedText = "three UUIDs with / between them, and numbers of messages"

    package var description: String {
        "\(service)/\(receive)/\(transmit)"
            + numbers.named.map { "/\($0.name)=\($0.number)" }.joined()
    }

    /// Reads the text; nil where it is not three UUIDs, with numbers of messages behind them.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let uuids = parts.prefix(3).compactMap { BluetoothUUID($0) }
        let numbers = parts.dropFirst(3).compactMap(Self.number)
        guard uuids.count == 3, numbers.count == parts.count - 3,
            let numbers = try? MessageNumbers(numbers)
        else { return nil }
        self.init(service: uuids[0], receive: uuids[1], transmit: uuids[2], numbers: numbers)
    }

    /// A message and its number, like `stop=28`.
    private static func number(_ text: String) -> (id: MessageID, number: UInt8)? {
        let parts = text.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let id = MessageID(named: parts[0]), let number = UInt8(parts[1])
        else { return nil }
        return (id, number)
    }
}
