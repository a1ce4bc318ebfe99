import AppleDevice
import CoreBluetooth
import DeviceKit

/// An app that is a peripheral, a central, or both, as the parameter `role` says; it tells all that its delegates
/// hear as `phones.heard`.
final class PhonesApp: SimulatedApp {
    static let parameterNames = ["role"]

    private let guest: Guest?
    private let hostess: Hostess?

    init(_ launch: AppLaunch) {
        let role = launch["role"] ?? "both"
        hostess = role == "central" ? nil : Hostess()
        guest = role == "peripheral" ? nil : Guest()
    }

    func start(peer: String?) { hostess?.update() }
    func stop(peer: String?) { hostess?.withdraw() }

    /// Notes in the trace what a delegate heard.
    static func note(_ what: String) {
        Context.current.observe("phones.heard", fields: [Field("what", .text(what))])
    }
}

/// The service that one app has, and the other looks for.
enum Parlour {
    static let service = CBUUID(string: "7A1E0001-5B0C-4D9A-9C8E-2F3B4A5C6D7E")
    static let greeting = CBUUID(string: "7A1E0002-5B0C-4D9A-9C8E-2F3B4A5C6D7E")
    static let news = CBUUID(string: "7A1E0003-5B0C-4D9A-9C8E-2F3B4A5C6D7E")
}

/// The peripheral: it has a greeting, which can be read and written, and news, which can be subscribed to.
final class Hostess: CBPeripheralManagerDelegate {
    private var manager: CBPeripheralManager?
    private var greeting = Data("hello".utf8)
    private let news = CBMutableCharacteristic(
        type: Parlour.news, properties: .notify, value: nil, permissions: .readable)
    private var edition: UInt8 = 0

    init() { manager = CBPeripheralManager(delegate: self, queue: nil) }

    func update() {
        edition += 1
        let isSent = manager?.updateValue(Data([edition]), for: news, onSubscribedCentrals: nil)
        PhonesApp.note("update \(edition) \(isSent ?? false)")
    }

    func withdraw() { manager?.removeAllServices() }

    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        PhonesApp.note("peripheral \(peripheral.state)")
        guard peripheral.state == .poweredOn else { return }
        let service = CBMutableService(type: Parlour.service, primary: true)
        service.characteristics = [
            CBMutableCharacteristic(
                type: Parlour.greeting, properties: [.read, .write], value: nil,
                permissions: [.readable, .writeable]), news,
        ]
        peripheral.add(service)
        peripheral.startAdvertising([CBAdvertisementDataServiceUUIDsKey: [Parlour.service]])
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral,
        didSubscribeTo characteristic: CBCharacteristic
    ) {
        PhonesApp.note("didSubscribe")
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral,
        didUnsubscribeFrom characteristic: CBCharacteristic
    ) {
        PhonesApp.note("didUnsubscribe")
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest)
    {
        PhonesApp.note("didReceiveRead")
        request.value = greeting.dropFirst(request.offset)
        peripheral.respond(to: request, withResult: .success)
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]
    ) {
        PhonesApp.note("didReceiveWrite")
        greeting = requests.reduce(into: Data()) { $0 += $1.value ?? Data() }
        peripheral.respond(to: requests[0], withResult: .success)
    }
}

/// The central: it subscribes to the news, writes a greeting and reads it.
final class Guest: CBCentralManagerDelegate, CBPeripheralDelegate {
    private var manager: CBCentralManager?
    private var host: CBPeripheral?

    init() { manager = CBCentralManager(delegate: self, queue: nil) }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        PhonesApp.note("central \(central.state)")
        guard central.state == .poweredOn, host == nil else { return }
        central.scanForPeripherals(withServices: [Parlour.service])
    }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any], rssi RSSI: NSNumber
    ) {
        guard host == nil else { return }
        PhonesApp.note("didDiscover")
        host = peripheral
        peripheral.delegate = self
        central.stopScan()
        central.connect(peripheral)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        PhonesApp.note("didConnect")
        peripheral.discoverServices([Parlour.service])
    }

    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral,
        error: (any Error)?
    ) {
        PhonesApp.note("didDisconnect")
        central.connect(peripheral)
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        for service in peripheral.services ?? [] {
            peripheral.discoverCharacteristics(nil, for: service)
        }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService,
        error: (any Error)?
    ) {
        for characteristic in service.characteristics ?? [] {
            if characteristic.uuid == Parlour.news {
                peripheral.setNotifyValue(true, for: characteristic)
            } else {
                peripheral.writeValue(Data("hi".utf8), for: characteristic, type: .withResponse)
                peripheral.readValue(for: characteristic)
            }
        }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        let value = Array(characteristic.value ?? Data())
        PhonesApp.note(
            characteristic.uuid == Parlour.news
                ? "news \(value)" : "greeting \(String(decoding: value, as: UTF8.self))")
    }

    func peripheral(
        _ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService]
    ) {
        PhonesApp.note("didModifyServices \(invalidatedServices.count)")
    }
}
