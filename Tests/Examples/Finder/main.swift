import AppleDevice
import CoreBluetooth
import NearbyInteraction

let service = CBUUID(string: "2E938FD0-6A61-11ED-A1EB-0242AC120002")
let receive = CBUUID(string: "2E93998A-6A61-11ED-A1EB-0242AC120002")
let transmit = CBUUID(string: "2E939AF2-6A61-11ED-A1EB-0242AC120002")

/// Ranges with the first accessory that it hears.
final class Finder: SimulatedApp {
    private var central: CBCentralManager?
    private var peripheral: CBPeripheral?
    private var outbox: CBCharacteristic?
    private var session: NISession?

    init(_ launch: AppLaunch) {
        central = CBCentralManager(delegate: self, queue: nil)
    }

    private func send(_ message: Data) {
        guard let outbox else { return }
        peripheral?.writeValue(message, for: outbox, type: .withResponse)
    }

    private func received(_ message: Data) {
        // 0x01 is accessory configuration data; DidStart and DidStop need nothing done here.
        guard message.first == 0x01,
            let configuration = try? NINearbyAccessoryConfiguration(data: Data(message.dropFirst()))
        else { return }
        session = NISession()
        session?.delegate = self
        session?.run(configuration)
    }
}

extension Finder: CBCentralManagerDelegate {
    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        guard central.state == .poweredOn else { return }
        central.scanForPeripherals(withServices: [service], options: nil)
    }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any], rssi RSSI: NSNumber
    ) {
        guard self.peripheral == nil else { return }
        self.peripheral = peripheral
        central.stopScan()
        central.connect(peripheral)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        peripheral.delegate = self
        peripheral.discoverServices([service])
    }

    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral,
        error: (any Error)?
    ) {
        session?.invalidate()
        session = nil
        central.connect(peripheral)
    }
}

extension Finder: CBPeripheralDelegate {
    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        for service in peripheral.services ?? [] {
            peripheral.discoverCharacteristics([receive, transmit], for: service)
        }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService,
        error: (any Error)?
    ) {
        outbox = service.characteristics?.first { $0.uuid == receive }
        guard let inbox = service.characteristics?.first(where: { $0.uuid == transmit }) else {
            return
        }
        peripheral.setNotifyValue(true, for: inbox)
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        // initialize: only now is somebody there to hear the answer.
        if characteristic.isNotifying { send(Data([0x0A])) }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        if let message = characteristic.value { received(message) }
    }
}

extension Finder: NISessionDelegate {
    func session(
        _ session: NISession, didGenerateShareableConfigurationData data: Data,
        for object: NINearbyObject
    ) {
        // configureAndStart, for the session that is run now.
        if session === self.session { send(Data([0x0B]) + data) }
    }
}

AppleDevice.run(Finder.self, program: "finder")
