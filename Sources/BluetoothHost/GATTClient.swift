import Bluetooth

/// What can be asked of a peer's attributes (Core Specification Vol 3 Part G 4).
///
/// Every procedure completes exactly once; on a connection that has ended already within the call
/// itself. Procedures run one after the other in the order of their requests.
package final class GATTClient {
    /// Hears every notification and indication: the handle, the value, whether it is an indication.
    ///
    /// Indications are confirmed after it has returned.
    package var onValue: ((_ handle: UInt16, _ value: [UInt8], _ isIndication: Bool) -> Void)?

    init() {}

    /// Agrees on the longest PDU; once in a connection.
    ///
    /// Completes with what was agreed on.
    package func exchangeMTU(_ mtu: UInt16, completion: @escaping Completion<UInt16>) {
        preconditionFailure("unbuilt")
    }

    /// Discovers all primary services, in the order of their handles.
    package func discoverServices(completion: @escaping Completion<[RemoteService]>) {
        preconditionFailure("unbuilt")
    }

    /// Discovers the primary services of one type.
    package func discoverServices(
        _ uuid: BluetoothUUID, completion: @escaping Completion<[RemoteService]>
    ) { preconditionFailure("unbuilt") }

    /// Discovers all characteristics of a service.
    package func discoverCharacteristics(
        of service: RemoteService, completion: @escaping Completion<[RemoteCharacteristic]>
    ) { preconditionFailure("unbuilt") }

    /// Discovers all descriptors of a characteristic; asks nothing where there is no room for one.
    package func discoverDescriptors(
        of characteristic: RemoteCharacteristic,
        completion: @escaping Completion<[RemoteDescriptor]>
    ) { preconditionFailure("unbuilt") }

    /// Reads a value, or as much of it as fits into one PDU.
    package func read(_ handle: UInt16, completion: @escaping Completion<[UInt8]>) {
        preconditionFailure("unbuilt")
    }

    /// Reads a whole value, by further requests where it does not fit into one PDU.
    package func readLong(_ handle: UInt16, completion: @escaping Completion<[UInt8]>) {
        preconditionFailure("unbuilt")
    }

    /// Reads all values of a type in a range, each with its handle.
    package func read(
        _ uuid: BluetoothUUID, in range: HandleRange = .all,
        completion: @escaping Completion<[ATTPDU.AttributeValue]>
    ) { preconditionFailure("unbuilt") }

    /// Writes a value; one that does not fit into one PDU is prepared in parts.
    package func write(
        _ value: [UInt8], to handle: UInt16, completion: @escaping Completion<Void>
    ) { preconditionFailure("unbuilt") }

    /// Whether a write command would be taken now.
    package var canWriteWithoutResponse: Bool { preconditionFailure("unbuilt") }

    /// Writes a value, cut to what fits, and does not wait.
    ///
    /// False, and nothing is sent, where the connection has ended or the queue is full
    /// (`isReadyToSendOn` follows then).
    package func writeWithoutResponse(_ value: [UInt8], to handle: UInt16) -> Bool {
        preconditionFailure("unbuilt")
    }

    /// Writes a characteristic's client configuration descriptor; an empty subscription ends it.
    package func subscribe(
        _ subscription: Subscription, descriptor: UInt16, completion: @escaping Completion<Void>
    ) { write(subscription.bytes, to: descriptor, completion: completion) }
}
