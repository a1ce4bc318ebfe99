import BluetoothHost
import DeviceKit

/// What the system keeps of a manager with a restore identifier whose app it has ended, and for whose app it acts
/// meanwhile.
class PreservedManager<Manager> {
    let identifier: String
    let ordinal: Int
    /// What the manager has to be told once it is there again, in sequence.
    private(set) var events: [(Manager) -> Void] = []

    /// An app that does not make its manager again is not told for ever.
    private static var most: Int { 64 }

    init(_ identifier: String, ordinal: Int) {
        self.identifier = identifier
        self.ordinal = ordinal
    }

    func note(_ event: @escaping (Manager) -> Void) {
        if events.count < Self.most { events.append(event) }
    }
}

/// A central manager that waits for its app.
final class PreservedCentralManager: PreservedManager<CBCentralManager> {
    var scan: CBCentralManager.Scan?
    let peripherals: [Peripheral]

    /// A peripheral that it was connected to, or wanted to be.
    struct Peripheral {
        let device: RemoteDevice
        let state: CBPeripheralState
        let services: [Service]
    }

    /// A service that the app had discovered.
    struct Service {
        let remote: RemoteService
        let characteristics: [(remote: RemoteCharacteristic, isNotifying: Bool)]?
    }

    init(
        _ identifier: String, ordinal: Int, scan: CBCentralManager.Scan?,
        peripherals: [Peripheral]
    ) {
        self.scan = scan
        self.peripherals = peripherals
        super.init(identifier, ordinal: ordinal)
    }
}

/// A peripheral manager that waits for its app.
final class PreservedPeripheralManager: PreservedManager<CBPeripheralManager> {
    let services: [PublishedService]
    let advertisement: Advertisement?

    init(
        _ identifier: String, ordinal: Int, services: [PublishedService],
        advertisement: Advertisement?
    ) {
        self.services = services
        self.advertisement = advertisement
        super.init(identifier, ordinal: ordinal)
    }
}

// An app that the system ends, and starts again when something happens that it waits for.
extension BluetoothSystem {
    /// The system ends the app: what managers with a restore identifier wanted is kept, all else ends.
    package func preserveApp() {
        preserved = managers.compactMap { $0.manager?.preserved }
        let kept = preserved.map(\.ordinal)
        letGoOfManagers()
        peripheral.preserveApp()
        for device in devices where !device.claims.isEmpty {
            device.claims.removeAll { !kept.contains($0) }
            if device.claims.isEmpty { dropLink(to: device) }
        }
        updateScan()
    }

    /// Nothing of an app that has ended is kept any more: the user has ended it, or Bluetooth.
    package func forgetPreserved() {
        let ordinals = preserved.map(\.ordinal)
        preserved = []
        peripheral.forgetPreserved()
        for device in devices {
            for ordinal in ordinals { unclaim(device, for: ordinal) }
        }
    }

    /// What was kept under an identifier, which is kept no longer.
    func takePreserved(_ options: [String: Any]?) -> PreservedCentralManager? {
        guard let name = options?[CBCentralManagerOptionRestoreIdentifierKey] as? String,
            let place = preserved.firstIndex(where: { $0.identifier == name })
        else { return nil }
        return preserved.remove(at: place)
    }

    /// A scan that goes on for an app that has ended finds something.
    func notePreserved(_ device: RemoteDevice, in report: AdvertisingReport) {
        for record in preserved {
            guard let services = record.scan?.services, device.advertises(oneOf: services),
                record.scan?.reported.insert(device.address).inserted == true
            else { continue }
            record.note { $0.heard(device, in: report, isNew: true) }
            wake()
        }
    }

    /// The app is needed: the system starts it at the end of the turn, in the background.
    func wake() {
        guard !isWaking, relaunch != nil else { return }
        isWaking = true
        host?.context.atEndOfTurn { [weak self] in
            guard let self else { return }
            isWaking = false
            relaunch?(preserved.map(\.identifier), peripheral.preserved.map(\.identifier))
        }
    }
}

/// The peripherals that a central manager was connected to, or wanted to be (`[CBPeripheral]`).
public let CBCentralManagerRestoredStatePeripheralsKey = "kCBRestoredPeripherals"
/// The services that it scanned for (`[CBUUID]`).
public let CBCentralManagerRestoredStateScanServicesKey = "kCBRestoredScanServices"
/// The options of its scan (`[String: Any]`).
public let CBCentralManagerRestoredStateScanOptionsKey = "kCBRestoredScanOptions"
/// The services that a peripheral manager had published (`[CBMutableService]`).
public let CBPeripheralManagerRestoredStateServicesKey = "kCBRestoredServices"
/// What it advertised (`[String: Any]`).
public let CBPeripheralManagerRestoredStateAdvertisementDataKey = "kCBRestoredAdvertisement"
/// The name by which the system restores a peripheral manager (`String`).
public let CBPeripheralManagerOptionRestoreIdentifierKey = "kCBInitOptionRestoreIdentifier"
