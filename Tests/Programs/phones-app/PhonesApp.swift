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
        let restored = launch.bluetoothCentrals + launch.bluetoothPeripherals
        if !restored.isEmpty { Self.note("launched for \(restored.joined(separator: " "))") }
        hostess = role == "central" ? nil : Hostess()
        guest = role == "peripheral" ? nil : Guest()
    }

    func start(peer: String?) {
        hostess?.update()
        guest?.read()
    }
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
    private var news = CBMutableCharacteristic(
        type: Parlour.news, properties: .notify, value: nil, permissions: .readable)
    private var edition: UInt8 = 0
    private var isRestored = false

    init() {
        manager = CBPeripheralManager(
            delegate: self, queue: nil,
            options: [CBPeripheralManagerOptionRestoreIdentifierKey: "hostess"])
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, willRestoreState dict: [String: Any]
    ) {
        let services = dict[CBPeripheralManagerRestoredStateServicesKey] as? [CBMutableService]
        let data = dict[CBPeripheralManagerRestoredStateAdvertisementDataKey] as? [String: Any]
        let all = services?.flatMap { $0.characteristics ?? [] } ?? []
        if let kept = all.first(where: { $0.uuid == Parlour.news }) as? CBMutableCharacteristic {
            news = kept
        }
        isRestored = services?.isEmpty == false
        PhonesApp.note(
            "peripheral willRestoreState \(services?.count ?? 0) \(data?.count ?? 0) "
                + "\(news.subscribedCentrals?.count ?? 0)")
    }

    func update() {
        edition += 1
        let isSent = manager?.updateValue(Data([edition]), for: news, onSubscribedCentrals: nil)
        PhonesApp.note("update \(edition) \(isSent ?? false)")
    }

    func withdraw() { manager?.removeAllServices() }

    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        PhonesApp.note("peripheral \(peripheral.state)")
        guard peripheral.state == .poweredOn, !isRestored else { return }
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

    init() {
        manager = CBCentralManager(
            delegate: self, queue: nil,
            options: [CBCentralManagerOptionRestoreIdentifierKey: "guest"])
    }

    func read() {
        let all = host?.services?.flatMap { $0.characteristics ?? [] } ?? []
        for greeting in all where greeting.uuid == Parlour.greeting {
            host?.readValue(for: greeting)
        }
    }

    func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any]) {
        let peripherals = dict[CBCentralManagerRestoredStatePeripheralsKey] as? [CBPeripheral]
        let services = dict[CBCentralManagerRestoredStateScanServicesKey] as? [CBUUID]
        host = peripherals?.first
        host?.delegate = self
        let state = host.map { "\($0.state) \($0.services?.count ?? 0)" } ?? "none"
        PhonesApp.note("central willRestoreState \(state), scans for \(services?.count ?? 0)")
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        PhonesApp.note("central \(central.state)")
        if central.state == .resetting { host = nil }
        guard central.state == .poweredOn, host == nil, !central.isScanning else { return }
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
