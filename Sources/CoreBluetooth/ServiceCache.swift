internal import Bluetooth
internal import BluetoothHost

/// Of which peers a system keeps what it has discovered, beyond the link.
package enum ServiceCaching: String, CaseIterable, Sendable {
    /// Of none: each link begins with discovery.
    case none
    /// Of bonded peers, until Service Changed or Database Out Of Sync.
    case bonded
    /// Of bonded peers; where they have a Database Hash it is compared at each link (Core Specification Vol 3 Part G
    /// 2.5.2.1).
    case hash
}

/// What a system keeps of a peer's attributes, while the phone is on.
struct ServiceCache {
    /// All primary services; nil where they have to be discovered.
    var services: [RemoteService]?
    /// Characteristics, by the first handle of their service; looked up only.
    var characteristics: [UInt16: [RemoteCharacteristic]] = [:]
    /// The descriptors by which a client subscribes; looked up only.
    var configurations: [UInt16: UInt16] = [:]
    /// The value by which the peer tells of changes.
    var serviceChanged: UInt16?
    /// The Database Hash of then; nil where there is none, or nobody compares it.
    var hash: [UInt8]?
}

// Where the generic services are, which a system looks at for itself.
extension Link {
    /// What was discovered on an earlier link, where that is kept and holds; nil else.
    func recall(_ completion: @escaping ([RemoteService]?) -> Void) {
        guard caching != .none, connection.isBonded, let kept = device?.cache,
            let services = kept.services
        else { return completion(nil) }
        guard caching == .hash, let hash = kept.hash else {
            restore(kept)
            return completion(services)
        }
        connection.client.read(.databaseHash) { [weak self] result in
            guard let self, (try? result.get())?.first?.value == hash else {
                self?.device?.cache = nil
                return completion(nil)
            }
            restore(kept)
            completion(services)
        }
    }

    /// Keeps what was discovered.
    func keep(_ change: (inout ServiceCache) -> Void) {
        guard caching != .none, let device else { return }
        var cache = device.cache ?? ServiceCache()
        change(&cache)
        cache.configurations = connection.client.configurations
        device.cache = cache
    }

    /// Asks for what a client needs that keeps attributes: the hash, and to be refused what has changed.
    func prepareCaching(with characteristics: [RemoteCharacteristic]) {
        guard caching != .none else { return }
        if caching == .hash, characteristics.contains(where: { $0.uuid == .databaseHash }) {
            connection.client.read(.databaseHash) { [weak self] result in
                let value = (try? result.get())?.first?.value
                self?.keep { $0.hash = value }
            }
        }
        if let features = characteristics.first(where: { $0.uuid == .clientSupportedFeatures }) {
            connection.client.write([0x01], to: features.value) { _ in }
        }
    }
}
