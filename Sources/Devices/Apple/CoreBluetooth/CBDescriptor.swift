import BluetoothHost

/// What a peripheral says of a characteristic (Core Specification Vol 3 Part G 3.3.3).
public class CBDescriptor: CBAttribute {
    /// The characteristic it belongs to.
    public internal(set) weak var characteristic: CBCharacteristic?
    /// The value that was read last; nil before.
    ///
    /// Of a type of its own, as on iOS: a text for the user description, a number for what has bits, else data.
    public internal(set) var value: Any?

    let remote: RemoteDescriptor

    init(_ remote: RemoteDescriptor, of characteristic: CBCharacteristic) {
        self.remote = remote
        self.characteristic = characteristic
        super.init(CBUUID(remote.uuid))
    }

    /// A descriptor of the device itself, which no peer has.
    init(own uuid: CBUUID, _ value: Any?) {
        remote = RemoteDescriptor(uuid: uuid.uuid, handle: 0)
        self.value = value
        super.init(uuid)
    }

    /// What a value's bytes are to an app.
    func value(of bytes: [UInt8]) -> Any {
        switch uuid.uuidString {
        case CBUUIDCharacteristicUserDescriptionString: String(decoding: bytes, as: UTF8.self)
        case CBUUIDCharacteristicExtendedPropertiesString,
            CBUUIDClientCharacteristicConfigurationString,
            CBUUIDServerCharacteristicConfigurationString:
            NSNumber(value: bytes.reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
        default: Data(bytes)
        }
    }
}

/// The type of a descriptor with more properties.
public let CBUUIDCharacteristicExtendedPropertiesString = "2900"
/// The type of a descriptor with a text for people.
public let CBUUIDCharacteristicUserDescriptionString = "2901"
/// The type of the descriptor by which a client subscribes.
public let CBUUIDClientCharacteristicConfigurationString = "2902"
/// The type of the descriptor by which a value is broadcast.
public let CBUUIDServerCharacteristicConfigurationString = "2903"
/// The type of the descriptor that says what a value is.
public let CBUUIDCharacteristicFormatString = "2904"
/// The type of the descriptor that puts several formats together.
public let CBUUIDCharacteristicAggregateFormatString = "2905"

// Descriptors of a peripheral.
extension CBPeripheral {
    /// Discovers the descriptors of a characteristic.
    public func discoverDescriptors(for characteristic: CBCharacteristic) {
        device.link?.connection.client.discoverDescriptors(of: characteristic.remote) {
            [weak self] result in
            self?.post(result) { peripheral, delegate, found, error in
                if let found {
                    let known = characteristic.descriptors ?? []
                    characteristic.descriptors = found.map { remote in
                        known.first { $0.remote == remote }
                            ?? CBDescriptor(remote, of: characteristic)
                    }
                }
                delegate?.peripheral(
                    peripheral, didDiscoverDescriptorsFor: characteristic, error: error)
            }
        }
    }

    /// Reads a descriptor.
    public func readValue(for descriptor: CBDescriptor) {
        ask {
            $0.readLong(descriptor.remote.handle, completion: $1)
        } then: { peripheral, delegate, value, error in
            if let value { descriptor.value = descriptor.value(of: value) }
            delegate?.peripheral(peripheral, didUpdateValueFor: descriptor, error: error)
        }
    }

    /// Writes a descriptor; who subscribes calls `setNotifyValue` instead, as on iOS.
    public func writeValue(_ data: Data, for descriptor: CBDescriptor) {
        precondition(
            descriptor.uuid.uuidString != CBUUIDClientCharacteristicConfigurationString,
            "client characteristic configuration descriptors are written by setNotifyValue")
        ask {
            $0.write(Array(data), to: descriptor.remote.handle, completion: $1)
        } then: { peripheral, delegate, _, error in
            delegate?.peripheral(peripheral, didWriteValueFor: descriptor, error: error)
        }
    }
}
