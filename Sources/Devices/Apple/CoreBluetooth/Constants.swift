/// What the radio can do at the moment.
public enum CBManagerState: Int, Sendable {
    /// Not known yet: the delegate will hear.
    case unknown = 0
    /// The connection to the system was lost for a moment.
    case resetting = 1
    /// The device has no Bluetooth LE.
    case unsupported = 2
    /// The app may not use it.
    case unauthorized = 3
    /// It is switched off.
    case poweredOff = 4
    /// On, authorised and supported: everything works.
    case poweredOn = 5
}

/// The state of the link to a peripheral.
public enum CBPeripheralState: Int, Sendable {
    /// There is none, and none is wanted.
    case disconnected = 0
    /// It will be made as soon as the peripheral is heard.
    case connecting = 1
    case connected = 2
    /// It is being ended.
    case disconnecting = 3
}

/// How a value is written.
public enum CBCharacteristicWriteType: Int, Sendable {
    /// The peer acknowledges it.
    case withResponse = 0
    /// Nobody hears whether it arrived.
    case withoutResponse = 1
}

/// What can be done with a characteristic (Core Specification Vol 3 Part G 3.3.1.1).
public struct CBCharacteristicProperties: OptionSet, Hashable, Sendable {
    /// The bits on the air.
    public let rawValue: UInt

    /// Properties from their bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Its value can be broadcast.
    public static let broadcast = CBCharacteristicProperties(rawValue: 0x01)
    /// It can be read.
    public static let read = CBCharacteristicProperties(rawValue: 0x02)
    /// It can be written without a response.
    public static let writeWithoutResponse = CBCharacteristicProperties(rawValue: 0x04)
    /// It can be written.
    public static let write = CBCharacteristicProperties(rawValue: 0x08)
    public static let notify = CBCharacteristicProperties(rawValue: 0x10)
    public static let indicate = CBCharacteristicProperties(rawValue: 0x20)
    /// It can be written with a signature.
    public static let authenticatedSignedWrites = CBCharacteristicProperties(rawValue: 0x40)
    /// There are more properties in a descriptor.
    public static let extendedProperties = CBCharacteristicProperties(rawValue: 0x80)
    /// Only a trusted device may be notified.
    public static let notifyEncryptionRequired = CBCharacteristicProperties(rawValue: 0x100)
    /// Only a trusted device may be indicated.
    public static let indicateEncryptionRequired = CBCharacteristicProperties(rawValue: 0x200)
}

/// The local name (`String`).
public let CBAdvertisementDataLocalNameKey = "kCBAdvDataLocalName"
/// The services (`[CBUUID]`).
public let CBAdvertisementDataServiceUUIDsKey = "kCBAdvDataServiceUUIDs"
/// Services that did not fit into the advertisement, and were scanned for (`[CBUUID]`).
public let CBAdvertisementDataOverflowServiceUUIDsKey = "kCBAdvDataHashedServiceUUIDs"
/// Data of services (`[CBUUID: Data]`).
public let CBAdvertisementDataServiceDataKey = "kCBAdvDataServiceData"
/// Data of the manufacturer, company identifier first (`Data`).
public let CBAdvertisementDataManufacturerDataKey = "kCBAdvDataManufacturerData"
/// Transmitted power in dBm (`NSNumber`).
public let CBAdvertisementDataTxPowerLevelKey = "kCBAdvDataTxPowerLevel"
/// Whether a connection is possible (`NSNumber`).
public let CBAdvertisementDataIsConnectable = "kCBAdvDataIsConnectable"

/// Whether a peripheral is reported again each time it is heard (`Bool`).
public let CBCentralManagerScanOptionAllowDuplicatesKey = "kCBScanOptionAllowDuplicates"
/// Whether the user is asked to switch Bluetooth on (`Bool`); it has no effect here.
public let CBCentralManagerOptionShowPowerAlertKey = "kCBInitOptionShowPowerAlert"
/// The name by which the system restores a central manager (`String`).
public let CBCentralManagerOptionRestoreIdentifierKey = "kCBInitOptionRestoreIdentifier"
/// Whether the user is asked to switch Bluetooth on (`Bool`); it has no effect here.
public let CBPeripheralManagerOptionShowPowerAlertKey = "kCBInitOptionShowPowerAlert"
/// Whether the user is notified of a connection (`Bool`); it has no effect here.
public let CBConnectPeripheralOptionNotifyOnConnectionKey = "kCBConnectOptionNotifyOnConnection"
/// Whether the user is notified of a disconnection (`Bool`); it has no effect here.
public let CBConnectPeripheralOptionNotifyOnDisconnectionKey =
    "kCBConnectOptionNotifyOnDisconnection"
