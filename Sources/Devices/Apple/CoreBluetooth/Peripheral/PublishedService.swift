import Bluetooth
import BluetoothHost

/// A service of an app's in the database.
struct PublishedService {
    let service: CBMutableService
    let handle: GATTServer.Service
    /// Its characteristics, by the handles of their values.
    var characteristics:
        [(characteristic: CBMutableCharacteristic, place: GATTServer.Characteristic)] = []

    /// The same in the database, by other objects of an app.
    func copied() -> PublishedService {
        var copy = PublishedService(service: service.copied(), handle: handle)
        let mutable = (copy.service.characteristics ?? []).compactMap {
            $0 as? CBMutableCharacteristic
        }
        copy.characteristics = zip(mutable, characteristics).map { ($0, $1.place) }
        return copy
    }

    func characteristic(at handle: UInt16) -> CBMutableCharacteristic? {
        characteristics.first { $0.place.value == handle }?.characteristic
    }
}

extension GATTServer {
    /// Adds an app's service; nil where there are not enough handles, or a service that it includes is not there.
    func publish(
        _ service: CBMutableService, beside others: [PublishedService],
        onRequest: @escaping Request,
        onSubscribe: @escaping (_ handle: UInt16, Connection, Subscription) -> Void
    ) -> PublishedService? {
        let included = (service.includedServices ?? []).map { included in
            others.first { $0.service === included }
        }
        let characteristics = (service.characteristics ?? []).compactMap {
            $0 as? CBMutableCharacteristic
        }
        let size = characteristics.reduce(1 + included.count) {
            $0 + 3 + ($1.descriptors?.count ?? 0)
        }
        guard !included.contains(where: { $0 == nil }), size <= freeHandles else { return nil }
        var published = PublishedService(
            service: service, handle: addService(service.uuid.uuid, isPrimary: service.isPrimary))
        for case let included? in included {
            addInclude(of: included.handle, included.service.uuid.uuid)
        }
        for characteristic in characteristics {
            // Its declaration comes first, then its value.
            let handle = UInt16(0xFFFF - freeHandles + 2)
            let place = add(characteristic, onRequest: onRequest) {
                onSubscribe(handle, $0, $1)
            }
            published.characteristics.append((characteristic, place))
        }
        return published
    }

    private func add(
        _ characteristic: CBMutableCharacteristic, onRequest: @escaping Request,
        onSubscribe: @escaping Subscribe
    ) -> Characteristic {
        let (properties, permissions) = (characteristic.properties, characteristic.permissions)
        var shown = CharacteristicProperties(
            rawValue: UInt8(truncatingIfNeeded: properties.rawValue))
        let needsTrust: CBCharacteristicProperties = [
            .notifyEncryptionRequired, .indicateEncryptionRequired,
        ]
        if properties.contains(.notifyEncryptionRequired) { shown.insert(.notify) }
        if properties.contains(.indicateEncryptionRequired) { shown.insert(.indicate) }
        let value = characteristic.value.map { Array($0) }
        precondition(
            value == nil || (properties.isSubset(of: .read) && permissions.isSubset(of: .readable)),
            "Characteristics with cached values must be read-only")
        let place = addCharacteristic(
            characteristic.uuid.uuid, properties: shown,
            read: Access(permissions, .readable, .readEncryptionRequired),
            write: Access(permissions, .writeable, .writeEncryptionRequired),
            subscribe: properties.isDisjoint(with: needsTrust) ? .open : .encrypted,
            value: value ?? [], onSubscribe: onSubscribe,
            onRequest: value == nil ? onRequest : nil)
        for case let descriptor as CBMutableDescriptor in characteristic.descriptors ?? [] {
            addDescriptor(descriptor.uuid.uuid, value: descriptor.bytes)
        }
        return place
    }
}

extension Access {
    /// What permissions say: open, for trusted devices, or not at all.
    fileprivate init(
        _ permissions: CBAttributePermissions, _ open: CBAttributePermissions,
        _ trusted: CBAttributePermissions
    ) {
        if permissions.contains(trusted) {
            self = .encrypted
        } else {
            self = permissions.contains(open) ? .open : .forbidden
        }
    }
}
