internal import AccessoryProtocol
package import CoreBluetooth
package import DeviceKit
internal import NearbyInteraction
internal import Vocabulary

/// The reference app: finds accessories, keeps several at once, and ranges with each in a session of
/// its own.
package final class ReferenceApp: SimulatedApp {
    package static let parameterNames =
        AppParameter.allCases.map(\.rawValue) + [MessageService.parameter]
    package static let defectNames = AppDefect.allCases.map(\.rawValue)

    let settings: AppSettings
    /// Where sessions call back; nil is the main queue.
    let sessionQueue: DispatchQueue?
    /// The one configuration and its accessory, for the defect that has only one.
    var configuration: NINearbyAccessoryConfiguration?
    weak var configurationOwner: Accessory?
    /// The sessions of lost links, for the defect that does not end them.
    var forgotten: [NISession] = []

    private var accessories: [Accessory] = []
    private var central: CBCentralManager?
    private var listTimer: Timer?
    private var isInBackground = false

    package static func check(_ launch: AppLaunch) throws(Refusal) { _ = try AppSettings(launch) }

    package init(_ launch: AppLaunch) {
        guard let settings = try? AppSettings(launch) else {
            preconditionFailure("an app is launched only with what was checked before")
        }
        self.settings = settings
        sessionQueue = settings.usesOwnQueue ? DispatchQueue(label: "nearby-interaction") : nil
        central = CBCentralManager(delegate: self, queue: nil)
    }

    package func didEnterBackground() { isInBackground = true }

    package func willEnterForeground() { isInBackground = false }

    package func start(peer: String?) { each(named: peer) { $0.handle(.start) } }

    package func stop(peer: String?) { each(named: peer) { $0.handle(.stop) } }

    private func each(named name: String?, _ body: (Accessory) -> Void) {
        for accessory in accessories where name == nil || accessory.name == name {
            body(accessory)
        }
    }

    /// A session that has closed makes room for one that waits for that.
    func sessionClosed(of accessory: Accessory) {
        for other in accessories where other !== accessory { other.handle(.sessionClosed) }
    }
}

// Links.
extension ReferenceApp {
    func connect(_ accessory: Accessory) {
        if accessory.linkState == .discovered { accessory.linkState = .connecting }
        central?.connect(accessory.peripheral)
        updateScan()
    }

    func disconnect(_ accessory: Accessory) {
        central?.cancelPeripheralConnection(accessory.peripheral)
    }

    /// Scans for their services until all accessories that are wanted have a link or had one: those
    /// come back by a pending connection.
    private func updateScan() {
        guard let central, central.state == .poweredOn else { return }
        let found = accessories.filter { $0.linkState != .discovered }.compactMap(\.name)
        let isComplete = !settings.peers.isEmpty && settings.peers.allSatisfy(found.contains)
        switch (isComplete, central.isScanning) {
        case (true, true): central.stopScan()
        case (false, false):
            // Duplicates tell that an accessory is still there.
            central.scanForPeripherals(
                withServices: settings.services.map { CBUUID($0.service) },
                options: [CBCentralManagerScanOptionAllowDuplicatesKey: true])
        case (true, false), (false, true): break
        }
    }

    // MARK: The list

    /// The timer runs only while somebody on the list has no link and never had one.
    private func updateListTimer() {
        let isNeeded = accessories.contains { $0.isOnProbation }
        if isNeeded, listTimer == nil {
            listTimer = Timer.scheduledTimer(withTimeInterval: 0.2, repeats: true) {
                [weak self] _ in self?.dropSilent()
            }
        } else if !isNeeded {
            listTimer?.invalidate()
            listTimer = nil
        }
    }

    private func dropSilent() {
        for accessory in accessories where accessory.isOnProbation {
            let silence = TimeInterval(Context.current.now - accessory.lastHeard) / 1_000_000_000
            guard silence > settings.lostAfter else { continue }
            note(.appLost, of: accessory)
            if settings.has(.keepsLostAccessories) { continue }
            disconnect(accessory)
            accessory.forget()
            accessories.removeAll { $0 === accessory }
        }
        updateScan()
        updateListTimer()
    }
}

extension Accessory {
    /// Whether it must be heard again and again to stay on the list.
    fileprivate var isOnProbation: Bool {
        switch linkState {
        case .discovered, .connecting: true
        case .disconnected: false
        case .connected: settings.has(.losesConnectedAccessories)
        }
    }
}

extension ReferenceApp: CBCentralManagerDelegate {
    package func centralManagerDidUpdateState(_ central: CBCentralManager) {
        switch central.state {
        case .poweredOn:
            updateScan()
            for accessory in accessories where accessory.handshake.state == .offline {
                connect(accessory)
            }
        default: switchedOff()
        }
    }

    /// Links end, and what was only heard is no longer known to be there.
    private func switchedOff() {
        accessories.removeAll { accessory in
            if accessory.isOnProbation { note(.appLost, of: accessory) }
            return accessory.isOnProbation
        }
        for accessory in accessories { accessory.handle(.switchedOff) }
        updateListTimer()
    }

    package func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any], rssi RSSI: NSNumber
    ) {
        let accessory = accessory(of: peripheral) ?? discovered(peripheral)
        accessory.lastHeard = Context.current.now
        accessory.name = peripheral.name ?? accessory.name
        if accessory.linkState == .discovered, settings.wants(accessory.name) { connect(accessory) }
        updateListTimer()
    }

    private func discovered(_ peripheral: CBPeripheral) -> Accessory {
        let accessory = Accessory(peripheral, of: self)
        accessories.append(accessory)
        note(.appFound, of: accessory)
        return accessory
    }

    private func accessory(of peripheral: CBPeripheral) -> Accessory? {
        accessories.first { $0.peripheral == peripheral }
    }

    package func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        accessory(of: peripheral)?.didConnect()
        updateListTimer()
    }

    package func centralManager(
        _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?
    ) {
        guard let accessory = accessory(of: peripheral) else { return }
        accessory.linkState = .disconnected
        accessory.handle(.lost)
    }

    package func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral,
        error: (any Error)?
    ) {
        guard let accessory = accessory(of: peripheral), accessory.linkState == .connected else {
            return
        }
        accessory.didDisconnect()
    }
}

// What the app reports.
extension ReferenceApp {
    /// Notes something about an accessory for the trace.
    func note(_ kind: EventKind, of accessory: Accessory, with fields: Field...) {
        Context.current.observe(kind, fields: [accessory.told] + fields)
    }

    /// A local notification; the user sees it only while the app is in the background.
    func notify(_ text: String, from accessory: Accessory) {
        guard isInBackground || settings.has(.notifiesInForeground) else { return }
        note(.appNotification, of: accessory, with: Field("text", .text(text)))
    }

    func log(_ line: String) { Context.current.log(line) }
}
