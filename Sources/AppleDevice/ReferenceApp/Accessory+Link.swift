internal import AccessoryProtocol
internal import CoreBluetooth
internal import DeviceLink

// The link: discover, subscribe, and only when that is acknowledged begin.
extension Accessory: CBPeripheralDelegate {
    func didConnect() {
        linkState = .connected
        app.note(.appConnected, of: self)
        peripheral.delegate = self
        firstWriteLength = peripheral.maximumWriteValueLength(for: .withoutResponse)
        let services = settings.services.map { CBUUID($0.service) }
        if settings.has(.secondSessionPerService) {
            for service in services { peripheral.discoverServices([service]) }
        } else {
            peripheral.discoverServices(services)
        }
    }

    func didDisconnect() {
        linkState = .disconnected
        receiveCharacteristic = nil
        transmitCharacteristic = nil
        app.note(.appDisconnected, of: self)
        handle(.lost)
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        guard let services = peripheral.services, !services.isEmpty else {
            // With the defect the other service is looked for separately.
            if !settings.has(.secondSessionPerService) { giveUpLink("has no service for messages") }
            return
        }
        for service in services {
            peripheral.discoverCharacteristics(nil, for: service)
        }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService,
        error: (any Error)?
    ) {
        let known = transmitCharacteristic
        for characteristic in service.characteristics ?? [] {
            let uuid = characteristic.uuid.uuid
            for service in settings.services {
                if service.receive == uuid {
                    receiveCharacteristic = characteristic
                    numbers = service.numbers
                }
                if service.transmit == uuid { transmitCharacteristic = characteristic }
            }
        }
        guard let transmitCharacteristic, receiveCharacteristic != nil else {
            return giveUpLink("has no characteristics for messages")
        }
        // Services that have changed may be found by two searches, each asked for by one who told of it.
        let isRepeated = transmitCharacteristic === known
        guard !isRepeated || settings.has(.secondSessionPerService) else { return }
        if settings.has(.initializeBeforeSubscription) { didBecomeReady() }
        let secure = service.characteristics?.first { $0.uuid.uuid == QorvoService.secure }
        if settings.pairs, let secure { return peripheral.readValue(for: secure) }
        peripheral.setNotifyValue(true, for: transmitCharacteristic)
    }

    /// The accessory's attributes are others now: what the app knew of them is void.
    func peripheral(
        _ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService]
    ) {
        guard linkState == .connected else { return }
        receiveCharacteristic = nil
        transmitCharacteristic = nil
        peripheral.discoverServices(settings.services.map { CBUUID($0.service) })
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        // An answer about what is void already.
        guard characteristic === transmitCharacteristic else { return }
        guard error == nil, characteristic.isNotifying else {
            return giveUpLink("cannot be subscribed to")
        }
        app.note(.appSubscribed, of: self)
        if !settings.has(.initializeBeforeSubscription) { didBecomeReady() }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        if characteristic.uuid.uuid == QorvoService.secure {
            return didRead(secure: characteristic, error)
        }
        guard error == nil, characteristic.uuid == transmitCharacteristic?.uuid,
            let value = characteristic.value
        else { return }
        received(value)
    }

    func peripheral(
        _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        guard let error else { return }
        app.log("\(name ?? "an accessory") refused a message: \(error)")
        handle(.requestTimedOut)
    }

    /// The two have paired, or the user did not want that: ranging needs no key while the app is in the foreground.
    private func didRead(secure: CBCharacteristic, _ error: (any Error)?) {
        if let error {
            app.log("\(name ?? "an accessory") is not paired: \(error)")
            if settings.has(.insistsOnPairing) { return peripheral.readValue(for: secure) }
        }
        guard let transmitCharacteristic else { return }
        peripheral.setNotifyValue(true, for: transmitCharacteristic)
    }

    /// The accessory can be talked to: it gets its session.
    private func didBecomeReady() {
        if session == nil || settings.has(.secondSessionPerService) { makeSession() }
        handle(.subscribed)
    }

    /// The link is of no use; what follows is up to the handshake, when the link has ended.
    private func giveUpLink(_ reason: String) {
        app.log("\(name ?? "an accessory") \(reason)")
        app.disconnect(self)
    }
}
