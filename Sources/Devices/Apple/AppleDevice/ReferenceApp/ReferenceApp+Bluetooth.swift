package import CoreBluetooth
import DeviceKit

extension ReferenceApp: CBCentralManagerDelegate {
    package func centralManagerDidUpdateState(_ central: CBCentralManager) {
        switch central.state {
        case .poweredOn:
            for case let link as BluetoothLink in accessories.map(\.link) {
                link.renew(from: central)
            }
            updateScan()
            for accessory in accessories where accessory.handshake.state == .offline {
                let isTakenForPending =
                    settings.has(.keepsConnectingFlag) && accessory.linkState == .disconnected
                if !isTakenForPending { connect(accessory) }
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

    private func discovered(_ peripheral: CBPeripheral) -> AppAccessory {
        let accessory = AppAccessory(BluetoothLink(peripheral, of: self), of: self)
        accessories.append(accessory)
        note(.appFound, of: accessory)
        return accessory
    }

    private func accessory(of peripheral: CBPeripheral) -> AppAccessory? {
        accessories.first { ($0.link as? BluetoothLink)?.peripheral == peripheral }
    }

    package func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        accessory(of: peripheral)?.linkDidConnect()
        updateListTimer()
    }

    package func centralManager(
        _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?
    ) {
        guard let accessory = accessory(of: peripheral) else { return }
        accessory.linkState = .disconnected
        accessory.handle(.lost())
    }

    package func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral,
        error: (any Error)?
    ) {
        guard let accessory = accessory(of: peripheral), accessory.linkState == .connected else {
            return
        }
        accessory.linkDidEnd((error as? CBError).map { "\($0.code)" })
    }
}

// Who is looked for, and who is still there.
extension ReferenceApp {
    /// Scans for their services until all accessories that are wanted have a link or had one: those
    /// come back by a pending connection.
    func updateScan() {
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

extension AppAccessory {
    /// Whether it must be heard again and again to stay on the list.
    var isOnProbation: Bool {
        switch linkState {
        case .discovered, .connecting: true
        case .disconnected: false
        case .connected: settings.has(.losesConnectedAccessories)
        }
    }
}
