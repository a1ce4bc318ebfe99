import AccessoryProtocol
import Bluetooth

/// What an accessory's attribute handles stand for, as far as discovery on the air has shown.
struct AttributeMap: Sendable {
    /// What a handle means to the observer.
    enum Role: Equatable, Sendable {
        /// The app writes messages here.
        case receive
        /// The accessory notifies messages here.
        case transmit
        /// A value of the Nearby Interaction Service: `single` or `multiple`.
        case configuration(String)
        /// The client configuration of a characteristic: its name in the trace.
        case clientConfiguration(of: String)
        /// Something known that does not matter.
        case other
    }

    /// The type of each known attribute; looked up only.
    private var types: [UInt16: BluetoothUUID] = [:]
    /// The handles of characteristic values, ascending.
    private var values: [UInt16] = []

    /// Whether nothing has been discovered yet.
    var isEmpty: Bool { types.isEmpty }

    /// What a handle stands for; nil where its discovery was never seen.
    func role(of handle: UInt16) -> Role? {
        guard let type = types[handle] else { return nil }
        if type == .clientConfiguration { return clientConfiguration(handle) }
        return Self.roles[type] ?? .other
    }

    /// A client configuration belongs to the characteristic whose value precedes it (Core Spec Vol 3
    /// Part G 3.3).
    private func clientConfiguration(_ handle: UInt16) -> Role? {
        guard let value = values.last(where: { $0 < handle }), let type = types[value] else {
            return nil
        }
        return .clientConfiguration(of: Self.roles[type] == .transmit ? "tx" : type.description)
    }

    private static let roles: [BluetoothUUID: Role] = [
        uuid(QorvoService.receive): .receive, uuid(QorvoService.transmit): .transmit,
        uuid(NordicUARTService.receive): .receive, uuid(NordicUARTService.transmit): .transmit,
        uuid(NearbyInteractionService.singleConfigurationData): .configuration("single"),
        uuid(NearbyInteractionService.multipleConfigurationData): .configuration("multiple"),
    ]

    private static func uuid(_ uuid: AccessoryUUID) -> BluetoothUUID {
        guard let known = BluetoothUUID(littleEndian: uuid.littleEndian) else {
            preconditionFailure("\(uuid.text) has not 16 bytes")
        }
        return known
    }

    /// What a value read by its type stands for.
    static func role(ofType type: BluetoothUUID) -> Role { roles[type] ?? .other }

    /// An attribute was discovered.
    mutating func learn(_ handle: UInt16, _ type: BluetoothUUID) { types[handle] = type }

    /// A characteristic declaration was read: properties, value handle, UUID (Core Spec Vol 3 Part G
    /// 3.3.1).
    mutating func learnCharacteristic(declaredAt handle: UInt16, _ declaration: [UInt8]) {
        types[handle] = .characteristic
        guard declaration.count >= 5,
            let type = BluetoothUUID(littleEndian: declaration[3...])
        else { return }
        let value = UInt16(declaration[1]) | UInt16(declaration[2]) << 8
        types[value] = type
        guard !values.contains(value) else { return }
        values.insert(value, at: values.firstIndex { $0 > value } ?? values.endIndex)
    }
}
