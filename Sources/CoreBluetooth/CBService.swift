internal import Bluetooth
internal import BluetoothHost

/// A service of a peripheral.
public final class CBService: CustomStringConvertible {
    public let uuid: CBUUID
    /// Whether it is a primary service: all that are discovered are.
    public let isPrimary = true
    /// The peripheral it belongs to.
    public private(set) weak var peripheral: CBPeripheral?
    /// Services that it includes; nil, because nobody asks for them.
    public let includedServices: [CBService]? = nil
    /// Its characteristics that were discovered; nil before.
    public internal(set) var characteristics: [CBCharacteristic]?

    let remote: RemoteService

    init(_ remote: RemoteService, of peripheral: CBPeripheral) {
        self.remote = remote
        self.peripheral = peripheral
        uuid = CBUUID(remote.uuid)
    }

    public var description: String { "CBService \(uuid)" }
}

/// A characteristic of a service.
public final class CBCharacteristic: CustomStringConvertible {
    public let uuid: CBUUID
    /// What can be done with it.
    public let properties: CBCharacteristicProperties
    /// The service it belongs to.
    public private(set) weak var service: CBService?
    /// The value that was read or notified last; nil before.
    public internal(set) var value: Data?
    /// Whether the app is notified of new values.
    public internal(set) var isNotifying = false
    /// Its descriptors that were discovered; nil before.
    public internal(set) var descriptors: [CBDescriptor]?

    let remote: RemoteCharacteristic

    init(_ remote: RemoteCharacteristic, of service: CBService) {
        self.remote = remote
        self.service = service
        uuid = CBUUID(remote.uuid)
        properties = CBCharacteristicProperties(rawValue: UInt(remote.properties.rawValue))
    }

    public var description: String { "CBCharacteristic \(uuid)" }
}

extension CBService: Hashable {
    /// Whether both are the same object.
    public static func == (left: CBService, right: CBService) -> Bool { left === right }

    public func hash(into hasher: inout Hasher) { hasher.combine(uuid) }
}

extension CBCharacteristic: Hashable {
    /// Whether both are the same object.
    public static func == (left: CBCharacteristic, right: CBCharacteristic) -> Bool {
        left === right
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(uuid) }
}
