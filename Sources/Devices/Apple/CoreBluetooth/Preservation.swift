import BluetoothHost
import DeviceKit

/// The managers of one kind that an app has, and what is kept of those whose app the system has ended.
final class Managers<Manager: CBManager, Kept> {
    /// Managers that wait for their app.
    var preserved: [PreservedManager<Manager, Kept>] = []
    private var references: [Reference] = []
    private unowned let system: BluetoothSystem

    private struct Reference {
        let ordinal: Int
        weak var manager: Manager?
    }

    init(of system: BluetoothSystem) { self.system = system }

    /// Those that the app holds.
    var living: some Sequence<Manager> { references.lazy.compactMap { $0.manager } }

    /// A new manager; one that is restored has its ordinal already.
    func register(_ manager: Manager, as ordinal: Int?) -> Int {
        let ordinal = ordinal ?? system.takeOrdinal()
        references.append(Reference(ordinal: ordinal, manager: manager))
        return ordinal
    }

    /// Tells a manager; one whose app the system has ended is told when it is there again.
    func tell(_ ordinal: Int, _ body: @escaping (Manager) -> Void) {
        if let manager = references.first(where: { $0.ordinal == ordinal })?.manager {
            body(manager)
        } else if let record = preserved.first(where: { $0.ordinal == ordinal }) {
            record.note(body)
            system.wake()
        }
    }

    /// Whether what a manager of this ordinal had, which is let go of late, is another one's now, or waits for one.
    func keeps(_ ordinal: Int) -> Bool {
        preserved.contains { $0.ordinal == ordinal }
            || references.contains { $0.ordinal == ordinal && $0.manager != nil }
    }

    func remove(_ ordinals: [Int]) { references.removeAll { ordinals.contains($0.ordinal) } }

    /// The app has ended, though a global variable may hold a manager.
    func appHasEnded() {
        for manager in living { manager.appHasEnded() }
        references = []
    }

    /// What was kept under an identifier, which is kept no longer.
    func takePreserved(_ identifier: String?) -> PreservedManager<Manager, Kept>? {
        preserved.firstIndex { $0.identifier == identifier }.map { preserved.remove(at: $0) }
    }
}

/// What the system keeps of a manager with a restore identifier whose app it has ended, and for whose app it acts
/// meanwhile.
final class PreservedManager<Manager, Kept> {
    let identifier: String
    let ordinal: Int
    var kept: Kept
    /// What the manager has to be told once it is there again, in sequence.
    private(set) var events: [(Manager) -> Void] = []

    /// An app that does not make its manager again is not told for ever.
    private static var most: Int { 64 }

    init(_ identifier: String, ordinal: Int, _ kept: Kept) {
        self.identifier = identifier
        self.ordinal = ordinal
        self.kept = kept
    }

    func note(_ event: @escaping (Manager) -> Void) {
        if events.count < Self.most { events.append(event) }
    }
}

extension CBCentralManager {
    struct Kept {
        var scan: Scan?
        /// Those that it was connected to, or wanted to be.
        let peripherals: [Peripheral]

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
    }
}

extension CBPeripheralManager {
    struct Kept {
        let services: [PublishedService]
        let advertisement: Advertisement?
    }
}

// An app that the system ends, and starts again when something happens that it waits for.
extension BluetoothSystem {
    /// The system ends the app: what managers with a restore identifier wanted is kept, all else ends.
    package func preserveApp() {
        managers.preserved = managers.living.compactMap(\.preserved)
        let kept = managers.preserved.map(\.ordinal)
        managers.appHasEnded()
        peripheral.preserveApp()
        for device in devices where !device.claims.isEmpty {
            device.claims.removeAll { !kept.contains($0) }
            if device.claims.isEmpty { dropLink(to: device) }
        }
        updateScan()
    }

    /// Nothing of an app that has ended is kept any more: the user has ended it, or Bluetooth.
    package func forgetPreserved() {
        let ordinals = managers.preserved.map(\.ordinal)
        managers.preserved = []
        peripheral.forgetPreserved()
        for device in devices {
            for ordinal in ordinals { unclaim(device, for: ordinal) }
        }
    }

    /// A scan that goes on for an app that has ended finds something.
    func notePreserved(_ device: RemoteDevice, in report: AdvertisingReport) {
        for record in managers.preserved {
            guard let services = record.kept.scan?.services, device.advertises(oneOf: services),
                record.kept.scan?.reported.insert(device.address).inserted == true
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
            relaunch?(
                managers.preserved.map(\.identifier),
                peripheral.managers.preserved.map(\.identifier))
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
