import Bluetooth
import BluetoothHost
import DeviceKit

/// The app's way to be a peripheral: publishes services, advertises, and answers centrals.
///
/// It works in a turn of a simulated Apple device only. Every callback comes in a turn of its own, on the manager's
/// queue; what an object shows changes with the callback that says so.
public final class CBPeripheralManager: CBManager {
    /// Hears what happens; the manager does not keep it alive.
    public weak var delegate: (any CBPeripheralManagerDelegate)?
    /// Whether the app's data is advertised.
    public private(set) var isAdvertising = false

    /// What it wants to advertise; nil for nothing.
    private(set) var advertisement: Advertisement?
    private var ordinal = 0
    private weak var system: BluetoothSystem?
    private let restoreIdentifier: String?
    private var services: [PublishedService] = []
    /// Whether `updateValue` has said no since there was room last.
    private var isWaitingForRoom = false

    /// A manager whose callbacks come on a queue; nil is the main queue.
    public init(
        delegate: (any CBPeripheralManagerDelegate)?, queue: DispatchQueue?,
        options: [String: Any]? = nil
    ) {
        self.delegate = delegate
        restoreIdentifier = options?[CBPeripheralManagerOptionRestoreIdentifierKey] as? String
        super.init(queue: queue)
        let role = BluetoothSystem.current.peripheral
        system = BluetoothSystem.current
        let preserved = role.managers.takePreserved(restoreIdentifier)
        ordinal = role.managers.register(self, as: preserved?.ordinal)
        if let preserved { restore(preserved.kept) }
        stateChanged()
        for event in preserved?.events ?? [] { event(self) }
    }

    /// A manager without a delegate.
    public convenience init() { self.init(delegate: nil, queue: nil) }

    deinit { system?.release(ordinal, services) }

    private var role: PeripheralRole? { system?.peripheral }

    // MARK: Advertising

    /// Advertises a local name and services; any other key is ignored, as on iOS.
    ///
    /// In the background there is no name, and services are found only by who scans for them.
    public func startAdvertising(_ advertisementData: [String: Any]?) {
        guard isUsable("startAdvertising") else { return }
        let isFirst = advertisement == nil
        if isFirst {
            advertisement = Advertisement(advertisementData)
            role?.advertise()
        }
        post { manager, delegate in
            manager.isAdvertising = manager.advertisement != nil
            delegate?.peripheralManagerDidStartAdvertising(
                manager, error: isFirst ? nil : CBError(.alreadyAdvertising))
        }
    }

    /// Advertises no more; centrals that are connected stay so.
    public func stopAdvertising() {
        isAdvertising = false
        guard advertisement != nil else { return }
        advertisement = nil
        role?.advertise()
    }

    // MARK: Services

    /// Publishes a service, as it is now.
    public func add(_ service: CBMutableService) {
        guard isUsable("add"), let server = role?.server else { return }
        guard !services.contains(where: { $0.service === service }) else {
            return Context.current.log("API MISUSE: add of a service that is published already")
        }
        // The role finds the manager, which may be another object by then.
        let published = server.publish(service, beside: services) {
            [weak role, ordinal] request in
            role?.managers.tell(ordinal) { $0.received(request) }
        } onSubscribe: { [weak role, ordinal] handle, connection, subscription in
            role?.managers.tell(ordinal) {
                $0.subscribed(connection, to: handle, !subscription.isEmpty)
            }
        }
        if let published {
            services.append(published)
            role?.changed(server.range(of: published.handle))
        }
        let error = published == nil ? CBError(.invalidParameters) : nil
        post { $1?.peripheralManager($0, didAdd: service, error: error) }
    }

    /// Takes a service away; nothing happens where it is not published.
    public func remove(_ service: CBMutableService) {
        guard let place = services.firstIndex(where: { $0.service === service }) else { return }
        withdraw(services.remove(at: place))
    }

    /// Takes all services away that this manager has published.
    public func removeAllServices() {
        let services = services
        self.services = []
        for service in services { withdraw(service) }
    }

    private func withdraw(_ service: PublishedService) {
        for (characteristic, _) in service.characteristics { characteristic.subscribers = [] }
        role?.withdraw(service)
    }

    // MARK: Centrals

    /// Answers a read or a write; of several writes, the first.
    ///
    /// Where it is read, the value has to be set before. Nobody waits for the answer to a write without response.
    public func respond(to request: CBATTRequest, withResult result: CBATTError.Code) {
        request.respond(with: result)
    }

    /// Tells centrals that have subscribed (nil: all of them) of a value, cut to what each can take.
    ///
    /// - Returns: False, and nothing is sent, where the queue of one of them is full;
    ///   `peripheralManagerIsReady` follows then.
    public func updateValue(
        _ value: Data, for characteristic: CBMutableCharacteristic,
        onSubscribedCentrals centrals: [CBCentral]?
    ) -> Bool {
        guard isUsable("updateValue"), let role, let server = role.server,
            let place = place(of: characteristic)
        else { return false }
        let subscribers = role.centrals.filter { centrals?.contains($0) ?? true }
            .compactMap(\.connection).filter { !server.subscription(of: $0, to: place).isEmpty }
        // All are asked: each that has no room tells when it has.
        guard subscribers.filter({ !server.hasRoom(for: $0) }).isEmpty else {
            isWaitingForRoom = true
            return false
        }
        for connection in subscribers {
            server.update(Array(value), of: place, to: connection)
        }
        return true
    }

    /// Asks a central for another timing of its connection, which it may refuse.
    public func setDesiredConnectionLatency(
        _ latency: CBPeripheralManagerConnectionLatency, for central: CBCentral
    ) {
        guard let connection = central.connection, connection.isOpen else { return }
        connection.requestParameters(latency.request) { _ in }
    }

    private func place(of characteristic: CBMutableCharacteristic) -> GATTServer.Characteristic? {
        for service in services {
            for known in service.characteristics where known.characteristic === characteristic {
                return known.place
            }
        }
        return nil
    }

    private func characteristic(at handle: UInt16) -> CBMutableCharacteristic? {
        for service in services {
            if let found = service.characteristic(at: handle) { return found }
        }
        return nil
    }
}

// What the system says.
extension CBPeripheralManager {
    /// Calls the delegate in a turn of its own.
    private func post(
        _ call: @escaping (CBPeripheralManager, (any CBPeripheralManagerDelegate)?) -> Void
    ) {
        super.post { [weak self] in
            guard let self else { return }
            call(self, delegate)
        }
    }

    /// The state has changed.
    ///
    /// While Bluetooth is off advertising pauses. Below that it has to be started again, and all services to be added
    /// (`CBManagerState.poweredOff`).
    func stateChanged() {
        let state = system?.state ?? .unknown
        if state.rawValue < CBManagerState.poweredOff.rawValue { withdrawEverything() }
        role?.advertise()
        post { manager, delegate in
            manager.state = state
            manager.isAdvertising = state == .poweredOn && manager.advertisement != nil
            delegate?.peripheralManagerDidUpdateState(manager)
        }
    }

    func withdrawEverything() {
        advertisement = nil
        removeAllServices()
    }

    /// What the system keeps where it ends the app; nil for a manager without a restore identifier.
    var preserved: PreservedManager<CBPeripheralManager, Kept>? {
        restoreIdentifier.map {
            PreservedManager(
                $0, ordinal: ordinal, Kept(services: services, advertisement: advertisement))
        }
    }

    /// The delegate is told what was kept, before it hears of anything else.
    private func restore(_ kept: Kept) {
        var state: [String: Any] = [:]
        services = kept.services.map { $0.copied() }
        advertisement = kept.advertisement
        if !services.isEmpty {
            state[CBPeripheralManagerRestoredStateServicesKey] = services.map(\.service)
        }
        if let advertisement {
            state[CBPeripheralManagerRestoredStateAdvertisementDataKey] = advertisement.dictionary
        }
        post { $1?.peripheralManager($0, willRestoreState: state) }
    }

    private func received(_ request: DeferredRequest) {
        guard let connection = request.connection, let central = role?.central(on: connection)
        else { return }
        switch request.demand {
        case .read(let handle, let offset):
            guard let characteristic = characteristic(at: handle) else { break }
            let read = CBATTRequest(request, of: central, for: characteristic, offset: offset)
            return post { $1?.peripheralManager($0, didReceiveRead: read) }
        case .write(let parts):
            let writes = parts.compactMap { part in
                characteristic(at: part.handle).map {
                    CBATTRequest(
                        request, of: central, for: $0, offset: part.offset, value: Data(part.value))
                }
            }
            // One that is another manager's cannot be taken together with these.
            guard writes.count == parts.count else { break }
            return post { $1?.peripheralManager($0, didReceiveWrite: writes) }
        }
        request.answer(.failure(.unlikelyError))
    }

    private func subscribed(_ connection: Connection, to handle: UInt16, _ isSubscribed: Bool) {
        guard let central = role?.central(on: connection),
            let characteristic = characteristic(at: handle)
        else { return }
        post { $0.note(central, characteristic, isSubscribed, for: $1) }
    }

    /// A central is gone: it wants nothing any more.
    func lost(_ central: CBCentral) {
        for service in services {
            for (characteristic, _) in service.characteristics {
                post { $0.note(central, characteristic, false, for: $1) }
            }
        }
    }

    private func note(
        _ central: CBCentral, _ characteristic: CBMutableCharacteristic, _ isSubscribed: Bool,
        for delegate: (any CBPeripheralManagerDelegate)?
    ) {
        guard characteristic.subscribers.contains(central) != isSubscribed else { return }
        guard isSubscribed else {
            characteristic.subscribers.removeAll { $0 == central }
            delegate?.peripheralManager(self, central: central, didUnsubscribeFrom: characteristic)
            return
        }
        characteristic.subscribers.append(central)
        delegate?.peripheralManager(self, central: central, didSubscribeTo: characteristic)
    }

    func becameReady() {
        guard isWaitingForRoom else { return }
        isWaitingForRoom = false
        post { $1?.peripheralManagerIsReady(toUpdateSubscribers: $0) }
    }
}

/// How soon a central should hear of what its peripheral sends.
public enum CBPeripheralManagerConnectionLatency: Int, Sendable {
    /// Soon rather than cheaply.
    case low = 0
    case medium = 1
    /// Cheaply rather than soon.
    case high = 2

    /// What is asked of the central: 15 ms, up to 60 ms, up to 500 ms between connection events.
    ///
    /// Apple gives no figures; these keep its rules for peripherals (QA1931).
    fileprivate var request: ConnectionParameterRequest {
        let (shortest, longest): (UInt16, UInt16) =
            switch self {
            case .low: (12, 12)
            case .medium: (36, 48)
            case .high: (384, 400)
            }
        return ConnectionParameterRequest(
            minimumInterval: shortest, maximumInterval: longest, latency: 0, timeout: 600)
    }
}
