package import Bluetooth

package struct RemoteService: Hashable, Codable, Sendable {
    package var uuid: BluetoothUUID
    /// Its handles, declaration included.
    package var range: HandleRange

    package init(uuid: BluetoothUUID, range: HandleRange) {
        self.uuid = uuid
        self.range = range
    }
}

package struct RemoteCharacteristic: Hashable, Codable, Sendable {
    package var uuid: BluetoothUUID
    /// What it says can be done with it.
    package var properties: CharacteristicProperties
    package var declaration: UInt16
    /// The handle of its value.
    package var value: UInt16
    /// Its last handle; descriptors are between `value` and this.
    package var end: UInt16

    package init(
        uuid: BluetoothUUID, properties: CharacteristicProperties, declaration: UInt16,
        value: UInt16, end: UInt16
    ) {
        self.uuid = uuid
        self.properties = properties
        self.declaration = declaration
        self.value = value
        self.end = end
    }
}

package struct RemoteDescriptor: Equatable, Hashable, Sendable {
    package var uuid: BluetoothUUID
    package var handle: UInt16

    package init(uuid: BluetoothUUID, handle: UInt16) {
        self.uuid = uuid
        self.handle = handle
    }
}

/// What a client wants to hear of a characteristic, as the bits of its configuration descriptor
/// (Core Specification Vol 3 Part G 3.3.3.3).
package struct Subscription: OptionSet, Hashable, Sendable {
    /// The value of the client configuration descriptor (Core Specification Vol 3 Part G 3.3.3.3).
    package let rawValue: UInt16

    /// A subscription from a descriptor's value.
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Notifications, which nobody confirms.
    package static let notifications = Subscription(rawValue: 1)
    /// Indications, each of which is confirmed.
    package static let indications = Subscription(rawValue: 2)

    /// The descriptor's value on the air.
    package var bytes: [UInt8] { [UInt8](littleEndian: rawValue) }
}
