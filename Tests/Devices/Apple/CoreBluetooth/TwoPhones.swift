import AppleFoundation
import Bluetooth
import BluetoothHost
import CoreBluetooth
import DeviceChamber
import DeviceKit

/// Two phones with Bluetooth and nothing else: the app of `ann` is a peripheral, that of `ben` a central.
final class TwoPhones {
    let chamber = Chamber()
    private var phones: [ScriptedPhone] = []
    private var told = 0
    /// What the delegates of both apps heard: the millisecond, who, what.
    private(set) var lines: [String] = []
    private(set) var ann: PeripheralApp?
    private(set) var ben: CentralApp?

    init() throws {
        for (name, address) in [("ann", UInt64(0xA0)), ("ben", 0xB0)] {
            try chamber.add(Reset(name: name, model: "", address: Address(address))) {
                reset, context in
                let phone = ScriptedPhone(scripted: reset, .allowed, in: context)
                phones.append(phone)
                return phone
            }
        }
        inApp(0) { [self] in ann = PeripheralApp { [unowned self] in note("ann", $0) } }
        inApp(1) { [self] in ben = CentralApp { [unowned self] in note("ben", $0) } }
    }

    private func note(_ who: String, _ line: String) {
        lines.append("\(chamber.now.nanoseconds / 1_000_000) \(who) \(line)")
    }

    /// What was heard since this was asked last.
    var heard: [String] {
        defer { told = lines.count }
        return Array(lines[told...])
    }

    func wait(_ seconds: Double = 1) { chamber.run(for: Nanoseconds(seconds * 1_000_000_000)) }

    private func inApp(_ number: Int, _ body: @escaping () -> Void) {
        phones[number].script = body
        chamber.turn(number, .command(name: "script", arguments: []))
        chamber.run(for: 0)
    }

    /// Lets the peripheral's app do something in a turn.
    func ann(_ body: @escaping (PeripheralApp) -> Void) {
        inApp(0) { [self] in if let ann { body(ann) } }
    }

    /// Lets the central's app do something in a turn.
    func ben(_ body: @escaping (CentralApp) -> Void) {
        inApp(1) { [self] in if let ben { body(ben) } }
    }

    /// Lets the system of a phone do something in a turn.
    func system(_ number: Int, _ body: @escaping (BluetoothSystem) -> Void) {
        inApp(number) { [self] in body(phones[number].system) }
    }

    /// The system ends both apps, of which somebody holds the objects, and starts them again.
    func relaunch() {
        for number in 0...1 { system(number) { $0.preserveApp() } }
        let old = (ann, ben)
        inApp(0) { [self] in ann = PeripheralApp { [unowned self] in note("ann", $0) } }
        inApp(1) { [self] in ben = CentralApp { [unowned self] in note("ben", $0) } }
        inApp(0) { withExtendedLifetime(old.0) {} }
    }

    func letGoOfAnn() { inApp(0) { [self] in ann = nil } }

    /// The app of `ann` publishes a service and advertises; that of `ben` connects and discovers all of it.
    func connect(_ characteristics: CBMutableCharacteristic...) {
        ann { $0.publish("AAAA", characteristics) }
        ben { $0.manager?.scanForPeripherals(withServices: [CBUUID(string: "AAAA")]) }
        wait(3)
        _ = heard
    }
}

/// An app that publishes, and answers as it is told.
final class PeripheralApp: CBPeripheralManagerDelegate {
    private(set) var manager: CBPeripheralManager?
    private(set) var requests: [CBATTRequest] = []
    /// What it says to a request; nil for nothing.
    var answer: CBATTError.Code? = .success
    /// What a central reads.
    var value: [UInt8] = []
    private let note: (String) -> Void

    init(_ note: @escaping (String) -> Void) {
        self.note = note
        manager = CBPeripheralManager(
            delegate: self, queue: nil,
            options: [CBPeripheralManagerOptionRestoreIdentifierKey: "ann"])
    }

    func publish(_ uuid: String, _ characteristics: [CBMutableCharacteristic]) {
        let service = CBMutableService(type: CBUUID(string: uuid), primary: true)
        service.characteristics = characteristics
        manager?.add(service)
        manager?.startAdvertising([
            CBAdvertisementDataLocalNameKey: "Ann",
            CBAdvertisementDataServiceUUIDsKey: [service.uuid],
        ])
    }

    func update(_ characteristic: CBMutableCharacteristic, _ value: [UInt8]) -> Bool {
        manager?.updateValue(Data(value), for: characteristic, onSubscribedCentrals: nil) ?? false
    }

    func respondToLast(_ result: CBATTError.Code) {
        if let request = requests.first { manager?.respond(to: request, withResult: result) }
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, willRestoreState dict: [String: Any]
    ) {
        note("willRestoreState \(dict.keys.sorted())")
    }

    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        note("state \(peripheral.state)")
    }

    func peripheralManagerDidStartAdvertising(
        _ peripheral: CBPeripheralManager, error: (any Error)?
    ) {
        note("didStartAdvertising" + text(error))
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?
    ) {
        note("didAdd \(service.uuid)" + text(error))
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral,
        didSubscribeTo characteristic: CBCharacteristic
    ) {
        note("didSubscribeTo \(characteristic.uuid) up to \(central.maximumUpdateValueLength)")
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral,
        didUnsubscribeFrom characteristic: CBCharacteristic
    ) {
        note("didUnsubscribeFrom \(characteristic.uuid)")
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest
    ) {
        note("didReceiveRead \(request.characteristic.uuid) from \(request.offset)")
        requests = [request]
        request.value = Data(value.dropFirst(request.offset))
        if let answer { peripheral.respond(to: request, withResult: answer) }
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]
    ) {
        let parts = requests.map {
            "\($0.characteristic.uuid) from \($0.offset) \($0.value?.count ?? 0) bytes"
        }
        note("didReceiveWrite " + parts.joined(separator: ", "))
        self.requests = requests
        if let answer { peripheral.respond(to: requests[0], withResult: answer) }
    }

    func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) {
        note("isReady")
    }
}

/// An app that connects to what it finds, and discovers all of it.
final class CentralApp: CBCentralManagerDelegate, CBPeripheralDelegate {
    private(set) var manager: CBCentralManager?
    private(set) var peripheral: CBPeripheral?
    /// What was advertised when it was heard last.
    private(set) var advertised: [String: Any] = [:]
    private let note: (String) -> Void

    init(_ note: @escaping (String) -> Void) {
        self.note = note
        manager = CBCentralManager(
            delegate: self, queue: nil,
            options: [CBCentralManagerOptionRestoreIdentifierKey: "ben"])
    }

    func characteristic(_ uuid: String) -> CBCharacteristic? {
        let all = peripheral?.services?.flatMap { $0.characteristics ?? [] }
        return all?.first { $0.uuid == CBUUID(string: uuid) }
    }

    func subscribe(_ uuid: String, _ isOn: Bool = true) {
        if let found = characteristic(uuid) { peripheral?.setNotifyValue(isOn, for: found) }
    }

    func read(_ uuid: String) {
        if let found = characteristic(uuid) { peripheral?.readValue(for: found) }
    }

    func write(_ bytes: [UInt8], to uuid: String, _ type: CBCharacteristicWriteType = .withResponse)
    {
        guard let found = characteristic(uuid) else { return }
        peripheral?.writeValue(Data(bytes), for: found, type: type)
    }

    func disconnect() {
        if let peripheral { manager?.cancelPeripheralConnection(peripheral) }
    }

    func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any]) {
        peripheral = (dict[CBCentralManagerRestoredStatePeripheralsKey] as? [CBPeripheral])?.first
        peripheral?.delegate = self
        note("willRestoreState \(dict.keys.sorted())")
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        note("state \(central.state)")
    }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any], rssi RSSI: NSNumber
    ) {
        let keys = [CBAdvertisementDataServiceUUIDsKey, CBAdvertisementDataOverflowServiceUUIDsKey]
        let services = keys.map { ((advertisementData[$0] as? [CBUUID]) ?? []).description }
        let name = advertisementData[CBAdvertisementDataLocalNameKey] as? String
        advertised = advertisementData
        note("didDiscover \(name ?? "nil") \(services[0]) \(services[1])")
        self.peripheral = peripheral
        peripheral.delegate = self
        central.connect(peripheral)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        note("didConnect \(peripheral.name ?? "nil")")
        central.stopScan()
        peripheral.discoverServices(nil)
    }

    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral,
        error: (any Error)?
    ) {
        note("didDisconnect" + text(error))
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        let services = (peripheral.services ?? []).filter { $0.uuid.uuidString.count == 4 }
        note("services \(services.map(\.uuid))")
        for service in services {
            peripheral.discoverCharacteristics(nil, for: service)
        }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService,
        error: (any Error)?
    ) {
        note("characteristics of \(service.uuid) \(service.characteristics?.map(\.uuid) ?? [])")
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        let value = Array(characteristic.value ?? Data())
        note(
            "value \(characteristic.uuid) \(value.count < 6 ? "\(value)" : "\(value.count) bytes")"
                + text(error))
    }

    func peripheral(
        _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        note("wrote \(characteristic.uuid)" + text(error))
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        note("notifying \(characteristic.uuid) \(characteristic.isNotifying)" + text(error))
    }

    func peripheralDidUpdateName(_ peripheral: CBPeripheral) {
        note("named \(peripheral.name ?? "nil")")
    }

    func peripheral(
        _ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService]
    ) {
        note("didModifyServices \(invalidatedServices.map(\.uuid))")
    }
}

/// How a test writes an error, behind a space; nothing for none.
func text(_ error: (any Error)?) -> String {
    switch error {
    case nil: ""
    case let error as CBError: " \(error.code)"
    case let error as CBATTError: " ATT \(error.errorCode)"
    case let error?: " \(error)"
    }
}

/// A characteristic that an app makes.
func characteristic(
    _ uuid: String, _ properties: CBCharacteristicProperties,
    _ permissions: CBAttributePermissions = [.readable, .writeable], value: [UInt8]? = nil
) -> CBMutableCharacteristic {
    CBMutableCharacteristic(
        type: CBUUID(string: uuid), properties: properties, value: value.map { Data($0) },
        permissions: permissions)
}
