/// A service of the device itself, which an app makes and a peripheral manager publishes.
public final class CBMutableService: CBService {
    /// A service without characteristics.
    public init(type UUID: CBUUID, primary isPrimary: Bool) {
        super.init(own: UUID, isPrimary: isPrimary)
    }

    /// Another object for the same, as the system gives it to an app that it has started again.
    func copied() -> CBMutableService {
        let copy = CBMutableService(type: uuid, primary: isPrimary)
        copy.characteristics = characteristics?.map {
            ($0 as? CBMutableCharacteristic)?.copied() ?? $0
        }
        copy.includedServices = includedServices
        return copy
    }

    /// Its characteristics.
    ///
    /// Once it is published nothing can be changed any more.
    override public var characteristics: [CBCharacteristic]? {
        get { super.characteristics }
        set {
            super.characteristics = newValue
            for characteristic in newValue ?? [] { characteristic.service = self }
        }
    }

    /// Services that it includes, which have to be published before.
    override public var includedServices: [CBService]? {
        get { super.includedServices }
        set { super.includedServices = newValue }
    }
}

/// A characteristic of the device itself.
public final class CBMutableCharacteristic: CBCharacteristic {
    /// Who may do what with it.
    public var permissions: CBAttributePermissions
    /// The centrals that want to hear of its value; nil where there are none.
    public var subscribedCentrals: [CBCentral]? { subscribers.isEmpty ? nil : subscribers }

    /// As above.
    var subscribers: [CBCentral] = []

    /// A characteristic; one with a value can be read only, and the app is not asked for it.
    public init(
        type UUID: CBUUID, properties: CBCharacteristicProperties, value: Data?,
        permissions: CBAttributePermissions
    ) {
        self.permissions = permissions
        super.init(own: UUID, properties)
        super.value = value
    }

    /// Another object for the same.
    func copied() -> CBMutableCharacteristic {
        let copy = CBMutableCharacteristic(
            type: uuid, properties: properties, value: value, permissions: permissions)
        copy.descriptors = descriptors?.map { CBMutableDescriptor(type: $0.uuid, value: $0.value) }
        copy.subscribers = subscribers
        return copy
    }

    /// What can be done with it.
    override public var properties: CBCharacteristicProperties {
        get { super.properties }
        set { super.properties = newValue }
    }

    /// Its value; what is set once it is published changes nothing.
    override public var value: Data? {
        get { super.value }
        set { super.value = newValue }
    }

    /// Its descriptors, but for those that the system makes.
    override public var descriptors: [CBDescriptor]? {
        get { super.descriptors }
        set {
            super.descriptors = newValue
            for descriptor in newValue ?? [] { descriptor.characteristic = self }
        }
    }
}

/// A descriptor of the device itself.
public final class CBMutableDescriptor: CBDescriptor {
    /// A user description (a text), or a presentation format (data).
    ///
    /// Client configurations and extended properties are made by the system, and trap, as on iOS.
    public init(type UUID: CBUUID, value: Any?) {
        let made = [
            CBUUIDClientCharacteristicConfigurationString,
            CBUUIDCharacteristicExtendedPropertiesString,
        ]
        precondition(
            !made.contains(UUID.uuidString), "the system makes descriptors of type \(UUID) itself")
        super.init(own: UUID, value)
    }

    /// The value as it is served.
    var bytes: [UInt8] {
        switch value {
        case let text as String: Array(text.utf8)
        case let data as Data: Array(data)
        default: []
        }
    }
}

/// Who may do what with an attribute of the device itself.
public struct CBAttributePermissions: OptionSet, Hashable, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// It can be read.
    public static let readable = CBAttributePermissions(rawValue: 0x01)
    /// It can be written.
    public static let writeable = CBAttributePermissions(rawValue: 0x02)
    /// It can be read by trusted devices.
    public static let readEncryptionRequired = CBAttributePermissions(rawValue: 0x04)
    /// It can be written by trusted devices.
    public static let writeEncryptionRequired = CBAttributePermissions(rawValue: 0x08)
}
