import Bluetooth
import BluetoothHost
import DeviceKit

/// What the system knows of another Bluetooth device.
///
/// All apps' peripherals of it share this.
final class RemoteDevice {
    /// The address that it shows, which changes where it has private ones.
    var address: Address
    /// The address that it really has, as far as this phone knows.
    var identity: Address
    /// The identifier under which this phone's apps know it.
    let identifier: UUID
    /// What it advertised last.
    var advertisement = AdvertisingData()
    /// What it answered to a scan last; nil before.
    var scanResponse: AdvertisingData?
    /// The name that it advertised last; nil where it never did.
    var name: String?
    /// How strong it was heard last, in dBm.
    var rssi: Int8?
    /// Whether the phone remembers it beyond its own death.
    var isKept = false
    /// Which managers want a link to it, in the order of their asking.
    var claims: [Int] = []
    var link: PeerLink?
    /// What is kept of its attributes.
    var cache: ServiceCache?
    /// Whether that is kept beyond the phone's death, too.
    var isCacheStored = false

    init(_ address: Address, seenBy phone: String, known: UUID? = nil) {
        self.address = address
        identity = address
        let key = Keyed(address.value).with(address.isRandom ? 1 : 0).with(phone)
        identifier = known ?? UUID(random: key.bytes(16))
    }

    /// What advertisement and scan response say together.
    var advertised: AdvertisingData {
        scanResponse.map { advertisement.merged(with: $0) } ?? advertisement
    }
}

/// A link to another device, and what was discovered on it.
final class PeerLink {
    let connection: Connection
    /// Whether the phone itself ended it.
    var isEnding = false
    /// Why the phone ended it, where the app did not want that.
    var failure: CBError?
    private var isEncrypting = false
    private var waiting: [(_ isEncrypted: Bool) -> Void] = []
    private var services = Discovery<[RemoteService]>()
    private var characteristics: [UInt16: Discovery<[RemoteCharacteristic]>] = [:]
    /// The handle by which the peer tells that its attributes have changed; nil where nobody follows that.
    var serviceChanged: UInt16?
    /// Whose changes are followed.
    private let follows: FollowedPeers
    /// Whether what is discovered is kept.
    let caching: ServiceCaching
    private(set) weak var device: RemoteDevice?
    /// Hears that the peer's attributes are others than this side thinks.
    var onOutOfSync: () -> Void = {}

    init(
        _ connection: Connection, to device: RemoteDevice, follows: FollowedPeers,
        caching: ServiceCaching
    ) {
        self.connection = connection
        self.device = device
        self.follows = follows
        self.caching = caching
        // The peer may tell of a change before any app asks for services.
        if caching != .none, connection.isBonded { serviceChanged = device.cache?.serviceChanged }
    }

    var isEncrypted: Bool { connection.security.isEncrypted }

    /// Encrypts the link where there is a bond.
    func encrypt() {
        guard !isEncrypting, !isEncrypted else { return }
        isEncrypting = connection.encrypt()
    }

    /// Encrypts the link where there is a bond, and then goes on; at once where it is encrypted or
    /// cannot be.
    func whenEncrypted(_ work: @escaping (_ isEncrypted: Bool) -> Void) {
        guard !isEncrypted, connection.isBonded else { return work(isEncrypted) }
        waiting.append(work)
        encrypt()
    }

    /// Pairs, and then goes on; at once where that cannot be.
    ///
    /// Others may ask the peer meanwhile, for a user takes long.
    func whenPaired(_ work: @escaping (_ isEncrypted: Bool) -> Void) {
        guard !isEncrypted, connection.pair() else { return work(isEncrypted) }
        waiting.append(work)
    }

    /// Encryption began, could not, or will never.
    func encryptionEnded() {
        isEncrypting = false
        // The keys of a pairing come after its encryption.
        guard !connection.isPairing else { return }
        let waiting = waiting
        self.waiting = []
        for work in waiting { work(isEncrypted) }
    }

    /// All primary services; asked for once on a link.
    func discoverServices(_ completion: @escaping Completion<[RemoteService]>) {
        services.get(completion) { [weak self, connection] done in
            self?.recall { kept in
                if let kept { return done(.success(kept)) }
                connection.client.discoverServices { result in
                    done(result)
                    guard case .success(let found) = result else { return }
                    self?.keep { $0.services = found }
                    self?.followChanges(in: found)
                }
            }
        }
    }

    /// What was discovered on an earlier link holds on this one.
    func restore(_ kept: ServiceCache) {
        connection.client.configurations = Dictionary(
            uniqueKeysWithValues: kept.configurations.map { ($0.value, $0.descriptor) })
        for found in kept.contents {
            characteristics[found.service] = Discovery(known: found.characteristics)
        }
    }

    /// Subscribes to Service Changed (Core Specification Vol 3 Part G 7.1), where that is followed.
    private func followChanges(in found: [RemoteService]) {
        let isFollowed = caching != .none || follows.includes(found)
        guard serviceChanged == nil, isFollowed, connection.isOpen else { return }
        guard let service = found.first(where: { $0.uuid == .genericAttribute }) else {
            return keep { $0.holds = true }
        }
        connection.client.discoverCharacteristics(of: service) { [weak self] result in
            guard let self, connection.isOpen, let all = try? result.get() else { return }
            prepareCaching(with: all)
            guard let found = all.first(where: { $0.uuid == .serviceChanged }) else {
                return keep { $0.holds = true }
            }
            serviceChanged = found.value
            connection.client.subscribe(.indications, to: found) { [weak self] result in
                guard case .success = result else { return }
                self?.keep { ($0.serviceChanged, $0.holds) = (found.value, true) }
            }
        }
    }

    /// The peer has other attributes in a range now: they have to be discovered anew.
    func forget(_ range: HandleRange) {
        device?.keep(nil, beyondDeath: false)
        if caching != .none { serviceChanged = nil }
        services = Discovery()
        characteristics = characteristics.filter { !range.contains($0.key) }
        connection.client.forget(range)
    }

    /// All characteristics of a service; asked for once on a link.
    func discoverCharacteristics(
        of service: RemoteService, _ completion: @escaping Completion<[RemoteCharacteristic]>
    ) {
        let discovery = characteristics[service.range.first] ?? Discovery()
        characteristics[service.range.first] = discovery
        discovery.get(completion) { [weak self, connection] done in
            connection.client.discoverCharacteristics(of: service) { result in
                done(result)
                self?.noteSync(result)
                guard case .success(let found) = result else { return }
                self?.keep { $0.learn(found, of: service) }
            }
        }
    }

    /// Does something that may need an encrypted link; where the peer says so and there is a bond, the
    /// link is encrypted and it is done again, before everything that was asked for later.
    ///
    /// Where there is none, the two pair, and it is done again when they have.
    func perform<Value>(
        endingWith completion: @escaping Completion<Value>,
        _ operation: @escaping (GATTClient, @escaping Completion<Value>) -> Void
    ) {
        operation(connection.client) { [weak self] result in
            self?.noteSync(result)
            guard case .failure(let error) = result, error.wantsSecurity, let self, !isEncrypted
            else { return completion(result) }
            let client = connection.client
            guard connection.isBonded, !connection.isPairing else {
                return whenPaired {
                    if $0 { operation(client, completion) } else { completion(result) }
                }
            }
            client.pause()
            whenEncrypted { isEncrypted in
                if !isEncrypted { completion(result) }
                client.resume { if isEncrypted { operation(client, completion) } }
            }
        }
    }
}

extension PeerLink {
    /// The peer refuses what may be meant for other attributes (Core Specification Vol 3 Part G 2.5.2.1); what went well
    /// is known now.
    fileprivate func noteSync<Value>(_ result: Result<Value, GATTError>) {
        switch result {
        case .failure(.att(.databaseOutOfSync, _, _)): onOutOfSync()
        case .success: keep { _ in }
        case .failure: break
        }
    }
}

/// Of which peers a system follows changes of their attributes.
package enum FollowedPeers: String, CaseIterable, Sendable {
    /// Of Apple devices, whose apps come and go.
    case appleDevices = "apple-devices"
    /// Of all that can tell.
    case all

    func includes(_ services: [RemoteService]) -> Bool {
        self == .all || services.contains { $0.uuid == .continuity }
    }
}

/// Something that is asked of a peer once, however many want to know.
final class Discovery<Value> {
    private enum State {
        case unknown
        case asked([Completion<Value>])
        case known(Value)
    }

    private var state: State

    init() { state = .unknown }

    /// Something that is known already.
    init(known value: Value) { state = .known(value) }

    /// Gives what is known, or asks.
    ///
    /// What fails is asked again the next time.
    func get(
        _ completion: @escaping Completion<Value>,
        ask: (@escaping Completion<Value>) -> Void
    ) {
        switch state {
        case .known(let value): completion(.success(value))
        case .asked(let others): state = .asked(others + [completion])
        case .unknown:
            state = .asked([completion])
            ask { [weak self] in self?.answer($0) }
        }
    }

    private func answer(_ result: Result<Value, GATTError>) {
        guard case .asked(let all) = state else { return }
        state = (try? result.get()).map { .known($0) } ?? .unknown
        for completion in all { completion(result) }
    }
}
