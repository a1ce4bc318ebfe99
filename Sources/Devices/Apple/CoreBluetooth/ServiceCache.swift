import Bluetooth
import BluetoothHost
import DeviceKit
import FoundationEssentials

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

/// What a system keeps of a peer's attributes; of a bonded one beyond the phone's death.
struct ServiceCache: Equatable, Codable {
    /// What was found in a service.
    struct Contents: Equatable, Codable {
        /// The service's first handle.
        var service: UInt16
        var characteristics: [RemoteCharacteristic]
    }

    /// The descriptor by which a client subscribes to a value.
    struct Configuration: Equatable, Codable {
        var value: UInt16
        var descriptor: UInt16
    }

    /// All primary services; nil where they have to be discovered.
    var services: [RemoteService]?
    /// In the order in which they were looked into.
    var contents: [Contents] = []
    /// In the order of their values.
    var configurations: [Configuration] = []
    /// The value by which the peer tells of changes; nil before it was asked to.
    var serviceChanged: UInt16?
    /// Whether it is good for the next link: the peer tells of changes, or has no way to, and so makes none (Core
    /// Specification Vol 3 Part G 2.5.2).
    var holds = false
    /// The Database Hash of then; nil where there is none, or nobody compares it.
    var hash: [UInt8]?

    /// What was found in a service, in the place of what was known of it.
    mutating func learn(_ characteristics: [RemoteCharacteristic], of service: RemoteService) {
        contents.removeAll { $0.service == service.range.first }
        contents.append(Contents(service: service.range.first, characteristics: characteristics))
    }
}

extension RemoteDevice {
    /// Keeps what is known of its attributes from now on; nil: nothing.
    func keep(_ cache: ServiceCache?, beyondDeath isBonded: Bool) {
        guard cache != self.cache || isBonded != isCacheStored else { return }
        self.cache = cache
        guard isBonded || isCacheStored else { return }
        isCacheStored = isBonded && cache != nil
        let encoder = JSONEncoder()
        // The same bytes in each run.
        encoder.outputFormatting = .sortedKeys
        let value = isCacheStored ? try? encoder.encode(cache) : nil
        Context.current.answer(.store(key: cacheKey, value: value.map(Array.init)))
    }

    /// Knows again what was kept before the phone died.
    func restoreCache(from stored: [StoredPair]) {
        guard let value = stored.first(where: { $0.key == cacheKey })?.value else { return }
        cache = try? JSONDecoder().decode(ServiceCache.self, from: Data(value))
        isCacheStored = true
    }

    private var cacheKey: String { "services/\(identifier.uuidString)" }
}

// Where the generic services are, which a system looks at for itself.
extension PeerLink {
    /// What was discovered on an earlier link, where that is kept and holds; nil else.
    func recall(_ completion: @escaping ([RemoteService]?) -> Void) {
        guard caching != .none, connection.isBonded, let kept = device?.cache,
            let services = kept.services
        else { return completion(nil) }
        guard caching == .hash, let hash = kept.hash else {
            guard kept.holds else { return completion(nil) }
            restore(kept)
            return completion(services)
        }
        connection.client.read(.databaseHash) { [weak self] result in
            guard let self, (try? result.get())?.first?.value == hash else {
                self?.serviceChanged = nil
                self?.device?.keep(nil, beyondDeath: false)
                return completion(nil)
            }
            restore(kept)
            completion(services)
        }
    }

    func keep(_ change: (inout ServiceCache) -> Void) {
        guard caching != .none, let device else { return }
        var cache = device.cache ?? ServiceCache()
        change(&cache)
        cache.configurations = connection.client.configurations.sorted { $0.key < $1.key }
            .map { .init(value: $0.key, descriptor: $0.value) }
        device.keep(cache, beyondDeath: connection.isBonded)
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
