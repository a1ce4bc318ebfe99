import AccessoryProtocol
import CoreBluetooth
import DeviceLink

/// A data link by Bluetooth LE: discover, subscribe, and only when that is acknowledged begin.
final class BluetoothLink: DataLink {
    private(set) var peripheral: CBPeripheral
    let told: Field
    weak var accessory: AppAccessory?
    private unowned let app: ReferenceApp
    /// Where the app writes messages.
    private var receiveCharacteristic: CBCharacteristic?
    /// Where the accessory notifies messages.
    private var transmitCharacteristic: CBCharacteristic?
    private(set) var numbers = MessageNumbers.sample
    /// What could be written when the link came up.
    private var firstWriteLength = 20
    /// Whether the app is told in these moments that it is subscribed.
    private var isJustSubscribed = false
    /// Whether it subscribes once more, without another use of the link.
    private var isSubscribingAnew = false

    init(_ peripheral: CBPeripheral, of app: ReferenceApp) {
        self.peripheral = peripheral
        self.app = app
        told = Field("peripheral", .text(peripheral.address.description))
    }

    /// Bluetooth was reset, after which no peripheral of before is one any more.
    func renew(from central: CBCentralManager) {
        let found = central.retrievePeripherals(withIdentifiers: [peripheral.identifier])
        if let again = found.first { peripheral = again }
    }

    var bluetoothPeerIdentifier: UUID? { peripheral.identifier }

    private var settings: AppSettings { app.settings }

    func connect() { app.central?.connect(peripheral) }

    func disconnect() { app.central?.cancelPeripheralConnection(peripheral) }

    func send(_ data: Data) -> Bool {
        guard let characteristic = receiveCharacteristic else { return false }
        let data = settings.has(.truncatesWrites) ? data.prefix(firstWriteLength) : data
        // With a response nothing is lost, and longer messages are written in parts.
        let isTooEarly = transmitCharacteristic?.isNotifying == false
        peripheral.writeValue(
            data, for: characteristic,
            type: settings.has(.initializeBeforeSubscription) && isTooEarly
                ? .withoutResponse : .withResponse)
        return true
    }

    func listen() {
        guard !isJustSubscribed, !isSubscribingAnew, let transmitCharacteristic else { return }
        isSubscribingAnew = true
        peripheral.setNotifyValue(false, for: transmitCharacteristic)
    }

    func prepare() {
        peripheral.delegate = self
        firstWriteLength = peripheral.maximumWriteValueLength(for: .withoutResponse)
        let services = settings.services.map { CBUUID($0.service) }
        if settings.has(.secondSessionPerService) {
            for service in services { peripheral.discoverServices([service]) }
        } else {
            peripheral.discoverServices(services)
        }
    }

    func reset() {
        receiveCharacteristic = nil
        transmitCharacteristic = nil
        isSubscribingAnew = false
    }
}

extension BluetoothLink: CBPeripheralDelegate {
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
        if settings.has(.initializeBeforeSubscription) { accessory?.linkIsReady() }
        let secure = service.characteristics?.first { $0.uuid.uuid == QorvoService.secure }
        if settings.pairs, let secure { return peripheral.readValue(for: secure) }
        peripheral.setNotifyValue(true, for: transmitCharacteristic)
    }

    /// The accessory's attributes are others now: what the app knew of them is void.
    func peripheral(
        _ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService]
    ) {
        guard accessory?.linkState == .connected else { return }
        reset()
        peripheral.discoverServices(settings.services.map { CBUUID($0.service) })
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        // An answer about what is void already.
        guard characteristic === transmitCharacteristic else { return }
        if isSubscribingAnew, error == nil {
            isSubscribingAnew = !characteristic.isNotifying
            if isSubscribingAnew { peripheral.setNotifyValue(true, for: characteristic) }
            return
        }
        guard error == nil, characteristic.isNotifying else {
            return giveUpLink("cannot be subscribed to")
        }
        if let accessory { app.note(.appSubscribed, of: accessory) }
        isJustSubscribed = true
        if !settings.has(.initializeBeforeSubscription) { accessory?.linkIsReady() }
        isJustSubscribed = false
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
        accessory?.received(value)
    }

    func peripheral(
        _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        guard let error else { return }
        accessory?.log("refused a message: \(error)")
        accessory?.handle(.requestTimedOut)
    }

    /// The two have paired, or the user did not want that: ranging needs no key while the app is in the foreground.
    private func didRead(secure: CBCharacteristic, _ error: (any Error)?) {
        if let error {
            accessory?.log("is not paired: \(error)")
            if settings.has(.insistsOnPairing) { return peripheral.readValue(for: secure) }
        }
        guard let transmitCharacteristic else { return }
        peripheral.setNotifyValue(true, for: transmitCharacteristic)
    }

    private func giveUpLink(_ reason: String) { accessory?.giveUpLink(reason) }
}
