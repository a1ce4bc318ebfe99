import Bluetooth
import DeviceKit

/// The attributes of this device and all answers about them.
///
/// Handles are given in the order in which attributes are added, from 1. A service takes all
/// characteristics added after it, a characteristic all descriptors added after it.
package final class GATTServer {
    /// A service in the database.
    package struct Service: Equatable, Hashable, Sendable {
        /// The handle of its declaration.
        package let handle: UInt16
    }

    /// A characteristic in the database.
    package struct Characteristic: Equatable, Hashable, Sendable {
        /// The handle of its value.
        package let value: UInt16
        /// The handle of its client configuration descriptor, where it can notify or indicate.
        package let configuration: UInt16?
    }

    /// Makes the value for a peer that reads.
    package typealias Read = (Connection) throws(ATTErrorCode) -> [UInt8]
    /// Takes the value that a peer has written; throwing refuses it.
    package typealias Write = (Connection, [UInt8]) throws(ATTErrorCode) -> Void
    /// Hears what a peer has subscribed to, also when a bonded peer's subscription is restored.
    package typealias Subscribe = (Connection, Subscription) -> Void

    /// How long a value can be.
    package enum ValueLength: Equatable, Sendable {
        /// Always exactly so long.
        case fixed(Int)
        /// At most so long.
        case atMost(Int)
    }

    init() {}

    /// Adds a primary service.
    @discardableResult
    package func addService(_ uuid: BluetoothUUID) -> Service { preconditionFailure("unbuilt") }

    /// Adds a characteristic to the service added last, and a client configuration descriptor where
    /// it can notify or indicate.
    ///
    /// What `properties` do not name is not permitted. Without `onRead` a peer reads the stored value
    /// (`setValue`); a write that `onWrite` does not refuse is stored.
    @discardableResult
    package func addCharacteristic(
        _ uuid: BluetoothUUID, properties: CharacteristicProperties, read: Access = .open,
        write: Access = .open, subscribe: Access = .open, value: [UInt8] = [],
        length: ValueLength = .atMost(ATTPDU.maximumValueLength), onRead: Read? = nil,
        onWrite: Write? = nil, onSubscribe: Subscribe? = nil
    ) -> Characteristic { preconditionFailure("unbuilt") }

    /// Adds a descriptor to the characteristic added last and gives its handle.
    @discardableResult
    package func addDescriptor(
        _ uuid: BluetoothUUID, read: Access = .open, write: Access = .forbidden,
        value: [UInt8] = [], length: ValueLength = .atMost(ATTPDU.maximumValueLength),
        onRead: Read? = nil, onWrite: Write? = nil
    ) -> UInt16 { preconditionFailure("unbuilt") }

    /// Adds the Generic Access service (name, appearance) and the Generic Attribute service.
    package func addGenericServices(name: String, appearance: UInt16 = 0) {
        preconditionFailure("unbuilt")
    }

    /// Sets the stored value of an attribute.
    ///
    /// Peers are not told.
    package func setValue(_ value: [UInt8], of handle: UInt16) { preconditionFailure("unbuilt") }

    /// The stored value of an attribute.
    package func value(of handle: UInt16) -> [UInt8] { preconditionFailure("unbuilt") }

    /// What a peer has subscribed to.
    package func subscription(
        of connection: Connection, to characteristic: Characteristic
    ) -> Subscription { preconditionFailure("unbuilt") }

    /// Whether a peer has subscribed to notifications.
    package func isSubscribed(_ connection: Connection, to characteristic: Characteristic) -> Bool {
        subscription(of: connection, to: characteristic).contains(.notifications)
    }

    /// Notifies a peer.
    ///
    /// False, and nothing is sent, where the peer has not subscribed, the connection has ended or
    /// the queue is full (`isReadyToSendOn` follows then).
    ///
    /// A value longer than `connection.maximumValueLength` is cut, as the specification has it
    /// (Core Specification Vol 3 Part F 3.4.7.1).
    package func notify(
        _ value: [UInt8], of characteristic: Characteristic, to connection: Connection
    ) -> Bool { preconditionFailure("unbuilt") }

    /// Indicates a value to a peer, after those indicated before it; completes when the peer has
    /// confirmed.
    ///
    /// False, and `completion` is not called, as for `notify`.
    package func indicate(
        _ value: [UInt8], of characteristic: Characteristic, to connection: Connection,
        completion: @escaping Completion<Void> = { _ in }
    ) -> Bool { preconditionFailure("unbuilt") }
}
