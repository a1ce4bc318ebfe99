package import Bluetooth

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

    /// Makes the value for a peer that reads; throwing refuses.
    package typealias Read = (Connection) throws(ATTErrorCode) -> [UInt8]
    /// Takes the value that a peer has written; throwing refuses it.
    ///
    /// What the handler sends to the peer leaves after the response.
    package typealias Write = (Connection, [UInt8]) throws(ATTErrorCode) -> Void
    /// Hears what a peer has subscribed to, also when a bonded peer's subscription is restored.
    package typealias Subscribe = (Connection, Subscription) -> Void
    /// Hears what a peer asks, and answers it in this turn or in a later one.
    package typealias Request = (DeferredRequest) -> Void

    package enum ValueLength: Equatable, Sendable {
        /// Always exactly so long.
        case fixed(Int)
        case atMost(Int)
    }

    var attributes: [Attribute] = []
    /// From this handle on no client may find descriptors, as with servers that left the request out.
    package var undescribed = UInt16.max
    /// How clients may keep what they have discovered.
    private(set) var caching = GATTCaching.none

    init() { attributes.reserveCapacity(32) }

    /// Adds a service, a primary one unless said otherwise.
    @discardableResult
    package func addService(_ uuid: BluetoothUUID, isPrimary: Bool = true) -> Service {
        let type: BluetoothUUID = isPrimary ? .primaryService : .secondaryService
        return Service(
            handle: add(Attribute(.service, type: type, value: uuid.bytes)))
    }

    /// Adds a characteristic to the service added last, and a client configuration descriptor where
    /// it can notify or indicate.
    ///
    /// What `properties` do not name is not permitted, unless it `takesWrites` in secret; `subscribe` says
    /// who may write the client configuration. Without `onRead` a peer reads the stored value
    /// (`setValue`); a write that `onWrite` does not refuse is stored. With `onRequest` neither is done:
    /// the owner of the value answers for it.
    @discardableResult
    package func addCharacteristic(
        _ uuid: BluetoothUUID, properties: CharacteristicProperties, read: Access = .open,
        write: Access = .open, subscribe: Access = .open, value: [UInt8] = [],
        length: ValueLength = .atMost(ATTPDU.maximumValueLength), takesWrites: Bool = false,
        onRead: Read? = nil, onWrite: Write? = nil, onSubscribe: Subscribe? = nil,
        onRequest: Request? = nil
    ) -> Characteristic {
        precondition(!attributes.isEmpty, "a characteristic needs a service before it")
        let handle = UInt16(attributes.count + 2)
        let declaration = [properties.rawValue] + [UInt8](littleEndian: handle) + uuid.bytes
        add(Attribute(.declaration, type: .characteristic, value: declaration))
        var attribute = Attribute(.value, type: uuid, value: value, length: length)
        attribute.read = properties.contains(.read) ? read : .forbidden
        attribute.write = write
        attribute.takesRequests = properties.contains(.write) || takesWrites
        attribute.takesCommands = properties.contains(.writeWithoutResponse)
        attribute.onRead = onRead
        attribute.onWrite = onWrite
        attribute.onRequest = onRequest
        add(attribute)
        return Characteristic(
            value: handle,
            configuration: addConfiguration(
                for: properties, writable: subscribe, onSubscribe: onSubscribe))
    }

    /// Adds a descriptor to the characteristic added last and gives its handle.
    @discardableResult
    package func addDescriptor(
        _ uuid: BluetoothUUID, read: Access = .open, write: Access = .forbidden,
        value: [UInt8] = [], length: ValueLength = .atMost(ATTPDU.maximumValueLength),
        onRead: Read? = nil, onWrite: Write? = nil
    ) -> UInt16 {
        precondition(attributes.count > 2, "a descriptor needs a characteristic before it")
        var attribute = Attribute(.descriptor, type: uuid, value: value, length: length)
        attribute.read = read
        attribute.write = write
        attribute.takesRequests = write.requirement != .forbidden
        attribute.onRead = onRead
        attribute.onWrite = onWrite
        return add(attribute)
    }

    /// Adds the Generic Access service (name, appearance) and the Generic Attribute service
    /// (Service Changed, and what else `caching` needs).
    package func addGenericServices(
        name: String, appearance: UInt16 = 0, caching: GATTCaching = .none
    ) {
        self.caching = caching
        addService(.genericAccess)
        addCharacteristic(.deviceName, properties: .read, value: Array(name.utf8))
        addCharacteristic(
            .appearance, properties: .read, value: [UInt8](littleEndian: appearance),
            length: .fixed(2))
        addService(.genericAttribute)
        addCharacteristic(.serviceChanged, properties: .indicate, length: .fixed(4))
        addCaching()
    }

    package func characteristic(_ uuid: BluetoothUUID) -> Characteristic? {
        guard let index = attributes.firstIndex(where: { $0.kind == .value && $0.type == uuid })
        else { return nil }
        let next = attributes.indices.contains(index + 1) ? attributes[index + 1].kind : nil
        guard case .configuration? = next else {
            return Characteristic(value: UInt16(index + 1), configuration: nil)
        }
        return Characteristic(value: UInt16(index + 1), configuration: UInt16(index + 2))
    }

    /// Sets the stored value of an attribute.
    ///
    /// Peers are not told.
    package func setValue(_ value: [UInt8], of handle: UInt16) {
        attributes[index(handle)].value = value
    }

    package func value(of handle: UInt16) -> [UInt8] { attributes[index(handle)].value }

    private func addConfiguration(
        for properties: CharacteristicProperties, writable subscribe: Access,
        onSubscribe: Subscribe?
    ) -> UInt16? {
        var allowed: Subscription = []
        if properties.contains(.notify) { allowed.insert(.notifications) }
        if properties.contains(.indicate) { allowed.insert(.indications) }
        guard !allowed.isEmpty else { return nil }
        var attribute = Attribute(
            .configuration(allowed: allowed), type: .clientConfiguration, value: [],
            length: .fixed(2))
        attribute.write = subscribe
        attribute.takesRequests = true
        attribute.onSubscribe = onSubscribe
        return add(attribute)
    }

    @discardableResult
    func add(_ attribute: Attribute) -> UInt16 {
        precondition(attributes.count < 0xFFFF, "there are no more handles")
        attributes.append(attribute)
        return UInt16(attributes.count)
    }

    private func index(_ handle: UInt16) -> Int {
        precondition(
            handle > 0 && handle <= attributes.count, "the database has no handle \(handle)")
        return Int(handle) - 1
    }
}
