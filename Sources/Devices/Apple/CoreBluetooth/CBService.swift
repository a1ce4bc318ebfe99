import Bluetooth
import BluetoothHost

/// A service, a characteristic or a descriptor.
public class CBAttribute: Hashable, CustomStringConvertible {
    /// What it is.
    public let uuid: CBUUID

    init(_ uuid: CBUUID) { self.uuid = uuid }

    /// Whether both are the same object.
    public static func == (left: CBAttribute, right: CBAttribute) -> Bool { left === right }

    public func hash(into hasher: inout Hasher) { hasher.combine(uuid) }

    public var description: String { "\(type(of: self)) \(uuid)" }
}

/// A service of a peripheral.
public class CBService: CBAttribute {
    /// Whether it is a primary service: all that are discovered are.
    public let isPrimary: Bool
    /// The peripheral it belongs to; nil where that is the device itself.
    public private(set) weak var peripheral: CBPeripheral?
    /// Services that it includes; nil where it is a peer's, because nobody asks for them.
    public internal(set) var includedServices: [CBService]?
    /// Its characteristics that were discovered; nil before.
    public internal(set) var characteristics: [CBCharacteristic]?

    let remote: RemoteService

    init(_ remote: RemoteService, of peripheral: CBPeripheral) {
        self.remote = remote
        self.peripheral = peripheral
        isPrimary = true
        super.init(CBUUID(remote.uuid))
    }

    /// A service of the device itself, which no peer has.
    init(own uuid: CBUUID, isPrimary: Bool) {
        remote = RemoteService(uuid: uuid.uuid, range: HandleRange(0, 0))
        self.isPrimary = isPrimary
        super.init(uuid)
    }
}

/// A characteristic of a service.
public class CBCharacteristic: CBAttribute {
    /// What can be done with it.
    public internal(set) var properties: CBCharacteristicProperties
    /// The service it belongs to.
    public internal(set) weak var service: CBService?
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
        properties = CBCharacteristicProperties(rawValue: UInt(remote.properties.rawValue))
        super.init(CBUUID(remote.uuid))
    }

    /// A characteristic of the device itself, which no peer has.
    init(own uuid: CBUUID, _ properties: CBCharacteristicProperties) {
        remote = RemoteCharacteristic(
            uuid: uuid.uuid, properties: [], declaration: 0, value: 0, end: 0)
        self.properties = properties
        super.init(uuid)
    }
}
