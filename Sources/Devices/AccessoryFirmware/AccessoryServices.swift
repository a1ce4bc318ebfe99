import AccessoryProtocol
import Bluetooth
import BluetoothHost

/// The accessory's attributes: generic services, one service for the messages, and the Nearby
/// Interaction Service (R4 section 4).
final class AccessoryServices {
    /// The service that carries the messages.
    let messages: BluetoothUUID
    /// Where the accessory notifies its messages.
    let transmit: GATTServer.Characteristic

    private let server: GATTServer
    private let parameters: AccessoryParameters
    private let singles: [GATTServer.Characteristic]
    private let multiples: [GATTServer.Characteristic]
    private var configurations: [[UInt8]]

    /// Builds the attributes.
    ///
    /// `onMessage` hears every value that a phone writes to RX, `onSubscribe` every phone that subscribes to TX;
    /// `isUpdated` where the firmware is another one than at first.
    init(
        on server: GATTServer, name: String, _ parameters: AccessoryParameters, isUpdated: Bool,
        onMessage: @escaping (Connection, [UInt8]) -> Void,
        onSubscribe: @escaping (Connection) -> Void
    ) {
        self.server = server
        self.parameters = parameters
        server.addGenericServices(name: name, caching: parameters.caching)
        let isMoved =
            parameters.servicesAfterRestart == .moved || parameters.has(.movesServicesSilently)
        if isUpdated, isMoved {
            server.addService(.deviceInformation)
            server.addCharacteristic(
                .firmwareRevision, properties: .read, value: Array("2".utf8))
        }
        let carrier = parameters.messageService
        messages = carrier.service
        server.addService(messages)
        if carrier == .qorvo {
            server.addCharacteristic(
                QorvoService.secure, properties: .read, read: .encrypted,
                value: Array("secure".utf8))
        }
        transmit = server.addMessages(
            receive: carrier.receive, transmit: carrier.transmit, onMessage: onMessage,
            onSubscribe: onSubscribe)
        if parameters.has(.noDescriptorDiscovery) { server.undescribed = transmit.value + 2 }
        let configuration = server.addNearbyInteraction(parameters)
        singles = configuration.singles
        multiples = configuration.multiples
        configurations = Array(repeating: [], count: parameters.links)
    }

    /// Makes the configuration data of a session readable; no bytes where it has none.
    func publish(_ configuration: [UInt8], for session: Int) {
        let isFirst = configurations[session].isEmpty
        if isFirst || !parameters.has(.staleMultiple) { configurations[session] = configuration }
        let isStale = parameters.has(.staleConfiguration) && !isFirst
        if !singles.isEmpty, !isStale, !parameters.has(.emptyConfiguration) {
            let place = parameters.has(.oneSingleForAll) ? 0 : session % singles.count
            server.setValue(configuration, of: singles[place].value)
        }
        guard !multiples.isEmpty else { return }
        let place = session % multiples.count
        let held = configurations.indices.filter { $0 % multiples.count == place }
        let value = parameters.multipleValue(
            of: held.map { configurations[$0] }.filter { !$0.isEmpty })
        server.setValue(value, of: multiples[place].value)
    }
}

extension AccessoryParameters {
    /// How the server lets phones keep what they have discovered.
    fileprivate var caching: GATTCaching {
        switch has(.movesServicesSilently) ? .none : gattCaching {
        case .none: .none
        case .serviceChanged: .serviceChanged
        case .robust: .robust
        }
    }
}

extension GATTServer {
    /// RX and TX, in this order.
    fileprivate func addMessages(
        receive: BluetoothUUID, transmit: BluetoothUUID,
        onMessage: @escaping (Connection, [UInt8]) -> Void,
        onSubscribe: @escaping (Connection) -> Void
    ) -> Characteristic {
        addCharacteristic(
            receive, properties: [.write, .writeWithoutResponse],
            onWrite: { connection, value in onMessage(connection, value) })
        return addCharacteristic(
            transmit, properties: .notify,
            onSubscribe: { connection, subscription in
                if subscription.contains(.notifications) { onSubscribe(connection) }
            })
    }
}
