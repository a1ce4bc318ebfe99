import Bluetooth
import BluetoothHost
import DeviceKit

/// The app's way to peripherals: finds them and makes links to them.
///
/// It works in a turn of a simulated Apple device only. Every callback comes in a turn of its own, on
/// the manager's queue; what an object shows changes with the callback that says so.
public final class CBCentralManager: CBManager {
    /// Hears what happens; the manager does not keep it alive.
    public weak var delegate: (any CBCentralManagerDelegate)?

    private(set) var ordinal = 0
    private(set) var scan: Scan?
    private weak var system: BluetoothSystem?
    /// Changes of the state that the delegate has not heard of.
    private var untoldStates = 0
    private let restoreIdentifier: String?
    /// The app's own objects: a link ends with the last reference to its peripheral, as on iOS.
    private var peripherals: [WeakPeripheral] = []

    private struct WeakPeripheral {
        weak var object: CBPeripheral?
    }

    struct Scan {
        let services: [CBUUID]?
        let allowsDuplicates: Bool
        let options: [String: Any]
        /// Who was reported already.
        ///
        /// Looked up only.
        var reported: Set<Address> = []
    }

    /// A manager whose callbacks come on a queue; nil is the main queue.
    public init(
        delegate: (any CBCentralManagerDelegate)?, queue: DispatchQueue?,
        options: [String: Any]? = nil
    ) {
        self.delegate = delegate
        restoreIdentifier = options?[CBCentralManagerOptionRestoreIdentifierKey] as? String
        super.init(queue: queue)
        let system = BluetoothSystem.current
        self.system = system
        let preserved = system.managers.takePreserved(restoreIdentifier)
        ordinal = system.managers.register(self, as: preserved?.ordinal)
        if let preserved { restore(preserved.kept) }
        stateChanged()
        for event in preserved?.events ?? [] { event(self) }
    }

    /// A manager without a delegate.
    public convenience init() { self.init(delegate: nil, queue: nil) }

    deinit { system?.release(ordinal) }

    // MARK: Scanning

    /// Whether the app wants to hear of peripherals.
    public var isScanning: Bool { scan != nil }

    /// Reports peripherals that advertise one of these services (nil: all), each once, or each time it
    /// is heard.
    public func scanForPeripherals(
        withServices services: [CBUUID]?, options: [String: Any]? = nil
    ) {
        guard isHeard("scanForPeripherals") else { return }
        let duplicates = options?[CBCentralManagerScanOptionAllowDuplicatesKey]
        let allowsDuplicates =
            duplicates as? Bool ?? (duplicates as? NSNumber)?.boolValue ?? false
        scan = Scan(
            services: services, allowsDuplicates: allowsDuplicates, options: options ?? [:])
        system?.updateScan(restart: true)
    }

    /// Ends the scan.
    public func stopScan() {
        scan = nil
        system?.updateScan()
    }

    /// Whether the system does what is called now.
    ///
    /// It does not while a change of the state is on its way to the app, which takes all with it that the app wanted.
    private func isHeard(_ what: String) -> Bool { isUsable(what) && untoldStates == 0 }

    // MARK: Links

    /// Makes a link as soon as the peripheral is heard.
    ///
    /// It never times out.
    public func connect(_ peripheral: CBPeripheral, options: [String: Any]? = nil) {
        guard isHeard("connect"), peripheral.state != .connected else { return }
        peripheral.state = .connecting
        system?.claim(peripheral.device, for: self)
    }

    /// Ends a link, or gives up making one.
    public func cancelPeripheralConnection(_ peripheral: CBPeripheral) {
        guard let system, peripheral.device.claims.contains(ordinal) else { return }
        peripheral.state = .disconnecting
        system.unclaim(peripheral.device, for: ordinal)
        disconnected(peripheral.device, error: nil)
    }

    /// Peripherals of before that the system remembers.
    public func retrievePeripherals(withIdentifiers identifiers: [UUID]) -> [CBPeripheral] {
        let devices = system?.devices ?? []
        return identifiers.compactMap { identifier in
            devices.first { $0.identifier == identifier }.map { peripheral($0) }
        }
    }

    /// Peripherals with a link that this manager's apps made, and one of these services.
    public func retrieveConnectedPeripherals(withServices services: [CBUUID]) -> [CBPeripheral] {
        let connected = system?.devices.filter { $0.link != nil } ?? []
        return connected.filter { $0.advertises(oneOf: services) }.map { peripheral($0) }
    }

    /// This manager's object for a device.
    func peripheral(_ device: RemoteDevice) -> CBPeripheral {
        if let known = known(device) { return known }
        let peripheral = CBPeripheral(device, of: self)
        peripherals.removeAll { $0.object == nil }
        peripherals.append(WeakPeripheral(object: peripheral))
        return peripheral
    }

    /// The app has let go of its object for a device.
    func letGo(of device: RemoteDevice) { system?.letGo(of: device, by: self) }

    /// The app's object for a device, where it holds one.
    func known(_ device: RemoteDevice) -> CBPeripheral? {
        for reference in peripherals {
            if let peripheral = reference.object, peripheral.device === device { return peripheral }
        }
        return nil
    }
}

// What the system says.
extension CBCentralManager {
    /// Calls the delegate in a turn of its own.
    private func post(_ call: @escaping (CBCentralManager, (any CBCentralManagerDelegate)?) -> Void)
    {
        super.post { [weak self] in
            guard let self else { return }
            call(self, delegate)
        }
    }

    func stateChanged() {
        let state = system?.state ?? .unknown
        untoldStates += 1
        post { manager, delegate in
            manager.untoldStates -= 1
            manager.state = state
            if state != .poweredOn { manager.forgetEverything(state) }
            delegate?.centralManagerDidUpdateState(manager)
        }
    }

    /// Bluetooth is off: no scan, and no pending connection.
    ///
    /// Below that there are no links either, and peripherals have to be found anew (`centralManagerDidUpdateState`).
    private func forgetEverything(_ state: CBManagerState) {
        let isLost = state.rawValue < CBManagerState.poweredOff.rawValue
        scan = nil
        for case let peripheral? in peripherals.map(\.object)
        where peripheral.state == .connecting || isLost {
            peripheral.state = .disconnected
            if isLost { peripheral.forgetServices() }
        }
        if isLost { peripherals = [] }
    }

    /// What the system keeps where it ends the app; nil for a manager without a restore identifier.
    var preserved: PreservedManager<CBCentralManager, Kept>? {
        guard let restoreIdentifier, let system else { return nil }
        let wanted = system.devices.filter { $0.claims.contains(ordinal) }
        let peripherals = wanted.map { device in
            Kept.Peripheral(
                device: device, state: device.link == nil ? .connecting : .connected,
                services: known(device)?.preserved ?? [])
        }
        return PreservedManager(
            restoreIdentifier, ordinal: ordinal, Kept(scan: scan, peripherals: peripherals))
    }

    /// The delegate is told what was kept, before it hears of anything else.
    private func restore(_ kept: Kept) {
        var state: [String: Any] = [:]
        let restored = kept.peripherals.map { CBPeripheral($0, of: self) }
        peripherals = restored.map { WeakPeripheral(object: $0) }
        if !restored.isEmpty { state[CBCentralManagerRestoredStatePeripheralsKey] = restored }
        if let scan = kept.scan {
            self.scan = scan
            state[CBCentralManagerRestoredStateScanServicesKey] = scan.services
            state[CBCentralManagerRestoredStateScanOptionsKey] = scan.options
        }
        post { $1?.centralManager($0, willRestoreState: state) }
    }

    func heard(_ device: RemoteDevice, in report: AdvertisingReport, isNew: Bool) {
        guard let scan, device.advertises(oneOf: scan.services) else { return }
        let isRepeated = scan.reported.contains(device.address)
        guard !isRepeated || scan.allowsDuplicates || isNew else { return }
        self.scan?.reported.insert(device.address)
        let data = device.advertised
        let wanted = scan.services ?? []
        post { manager, delegate in
            guard manager.isScanning else { return }
            let peripheral = manager.peripheral(device)
            device.name = data.localName ?? device.name
            delegate?.centralManager(
                manager, didDiscover: peripheral,
                advertisementData: data.dictionary(
                    isConnectable: report.isConnectable, wanted: wanted),
                rssi: NSNumber(value: report.rssi))
        }
    }

    func connected(_ device: RemoteDevice) {
        post { manager, delegate in
            let peripheral = manager.peripheral(device)
            peripheral.state = .connected
            device.name = device.advertised.localName ?? device.name
            delegate?.centralManager(manager, didConnect: peripheral)
        }
    }

    func failedToConnect(_ device: RemoteDevice) {
        post { manager, delegate in
            let peripheral = manager.peripheral(device)
            peripheral.state = .disconnected
            delegate?.centralManager(
                manager, didFailToConnect: peripheral, error: CBError(.connectionFailed))
        }
    }

    func disconnected(_ device: RemoteDevice, error: (any Error)?) {
        post { manager, delegate in
            let peripheral = manager.peripheral(device)
            // The app may have asked for the link again meanwhile.
            let isWanted = device.claims.contains(manager.ordinal)
            peripheral.state = isWanted ? .connecting : .disconnected
            peripheral.forgetServices()
            delegate?.centralManager(manager, didDisconnectPeripheral: peripheral, error: error)
        }
    }
}

extension RemoteDevice {
    func advertises(oneOf services: [CBUUID]?) -> Bool {
        guard let services else { return true }
        let advertised = advertised
        return services.contains {
            advertised.services.contains($0.uuid) || advertised.overflows($0.uuid)
        }
    }
}

extension AdvertisingData {
    /// What an app is told, who scans for services that it `wanted`.
    fileprivate func dictionary(isConnectable: Bool, wanted: [CBUUID]) -> [String: Any] {
        var data: [String: Any] = [
            CBAdvertisementDataIsConnectable: NSNumber(value: isConnectable)
        ]
        if let localName { data[CBAdvertisementDataLocalNameKey] = localName }
        if !services.isEmpty {
            data[CBAdvertisementDataServiceUUIDsKey] = services.map { CBUUID($0) }
        }
        let overflow = wanted.filter { overflows($0.uuid) }
        if !overflow.isEmpty { data[CBAdvertisementDataOverflowServiceUUIDsKey] = overflow }
        if let txPower { data[CBAdvertisementDataTxPowerLevelKey] = NSNumber(value: txPower) }
        if let manufacturer, !isOverflow {
            data[CBAdvertisementDataManufacturerDataKey] = Data(manufacturer.bytes)
        }
        if !serviceData.isEmpty {
            data[CBAdvertisementDataServiceDataKey] = serviceData.reduce(into: [CBUUID: Data]()) {
                $0[CBUUID($1.service)] = Data($1.data)
            }
        }
        return data
    }
}
