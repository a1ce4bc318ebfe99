import AppleFoundation
import Bluetooth
import BluetoothHost
import CoreBluetooth
import DeviceChamber
import DeviceKit

import class BluetoothHost.Host

/// A phone with Bluetooth and nothing else, and a peripheral that the test builds.
final class BluetoothBench: CBCentralManagerDelegate, CBPeripheralDelegate {
    let chamber = Chamber()
    private(set) var central: CBCentralManager?
    private(set) var peripheral: CBPeripheral?
    var calls: [String] = []
    var discovered: [String: Any] = [:]
    private var phone: ScriptedPhone?
    private(set) var server: ServerDevice?

    init(
        stored: [StoredPair] = [], serverStored: [StoredPair] = [], mtu: UInt16 = 100,
        access: BluetoothAccess = .allowed, follows: FollowedPeers = .appleDevices,
        _ build: @escaping (Host) -> Void
    ) throws {
        let addresses = [Address(0xA0), Address(0xB0)]
        let reset = Reset(name: "ben", model: "", address: addresses[0], stored: stored)
        try chamber.add(reset) { reset, context in
            let phone = ScriptedPhone(scripted: reset, access, follows, in: context)
            self.phone = phone
            return phone
        }
        let other = Reset(name: "lock", model: "", address: addresses[1], stored: serverStored)
        try chamber.add(other) { reset, context in
            let server = ServerDevice(reset, mtu: mtu, in: context, build)
            self.server = server
            return server
        }
    }

    /// Lets the app do something in a turn.
    func app(_ body: @escaping () -> Void) {
        phone?.script = body
        chamber.turn(0, .command(name: "script", arguments: []))
        chamber.run(for: 0)
    }

    /// Lets the system switch Bluetooth.
    func power(_ isOn: Bool) { system { $0.setPower(isOn) } }

    /// Does something with the system, in a turn.
    func system(_ body: @escaping (BluetoothSystem) -> Void) {
        app { [phone] in if let phone { body(phone.system) } }
    }

    func wait(_ seconds: Double = 1) { chamber.run(for: Nanoseconds(seconds * 1_000_000_000)) }

    /// What the delegates heard since this was asked last.
    var heard: [String] {
        defer { calls = [] }
        return calls
    }

    /// Makes a manager, finds the peripheral and connects to it.
    func connect() {
        start()
        app { [self] in central?.scanForPeripherals(withServices: [CBUUID(string: "AAAA")]) }
        wait()
        app { [self] in if let peripheral { central?.connect(peripheral) } }
        wait()
    }

    /// Makes a manager.
    func start() {
        app { [self] in central = CBCentralManager(delegate: self, queue: nil) }
    }

    /// Lets go of the manager.
    func letGo() {
        app { [self] in
            central = nil
            peripheral = nil
        }
    }

    /// Lets go of the peripheral, and keeps the manager.
    func letGoOfPeripheral() { app { [self] in peripheral = nil } }

    /// Connects and discovers everything.
    func discover() {
        connect()
        app { [self] in peripheral?.discoverServices(nil) }
        wait()
        app { [self] in
            for service in peripheral?.services ?? [] {
                peripheral?.discoverCharacteristics(nil, for: service)
            }
        }
        wait()
        calls = []
    }

    func characteristic(_ uuid: String) throws -> CBCharacteristic {
        let all = peripheral?.services?.flatMap { $0.characteristics ?? [] } ?? []
        guard let found = all.first(where: { $0.uuid == CBUUID(string: uuid) }) else {
            throw Refusal("no characteristic \(uuid)")
        }
        return found
    }

    // MARK: Delegates

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        calls.append("state \(central.state)")
    }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any], rssi RSSI: NSNumber
    ) {
        self.peripheral = peripheral
        peripheral.delegate = self
        discovered = advertisementData
        calls.append("didDiscover \(peripheral.name ?? "nil") \(RSSI)")
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        calls.append("didConnect")
    }

    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral,
        error: (any Error)?
    ) {
        calls.append("didDisconnect" + text(error))
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        let uuids = peripheral.services?.map(\.uuid.uuidString) ?? []
        calls.append("services \(uuids.joined(separator: " "))")
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        let value = characteristic.value.map { "\(Array($0))" } ?? "nil"
        calls.append("value \(characteristic.uuid) \(value)" + text(error))
    }

    func peripheral(
        _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        calls.append("wrote \(characteristic.uuid)" + text(error))
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        calls.append("notifying \(characteristic.uuid) \(characteristic.isNotifying)" + text(error))
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverDescriptorsFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        let uuids = characteristic.descriptors?.map(\.uuid.uuidString) ?? []
        calls.append("descriptors \(uuids.joined(separator: " "))" + text(error))
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor descriptor: CBDescriptor, error: (any Error)?
    ) {
        calls.append("descriptor \(descriptor.uuid) \(descriptor.value ?? "nil")" + text(error))
    }

    func peripheral(
        _ peripheral: CBPeripheral, didReadRSSI RSSI: NSNumber, error: (any Error)?
    ) {
        calls.append("rssi \(RSSI)" + text(error))
    }

    func peripheral(
        _ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService]
    ) {
        calls.append("didModifyServices \(invalidatedServices.map(\.uuid))")
    }

    func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) {
        calls.append("ready")
    }

    private func text(_ error: (any Error)?) -> String {
        switch error {
        case nil: ""
        case let error as CBError: " \(error.code)"
        case let error as CBATTError: " ATT \(error.errorCode)"
        case let error?: " \(error)"
        }
    }
}

/// A phone that does what the test says.
final class ScriptedPhone: Device {
    let runtime: AppRuntime
    let host: Host
    let system: BluetoothSystem
    var script: (() -> Void)?

    convenience init(_ reset: Reset, in context: Context) throws(Refusal) {
        self.init(scripted: reset, .allowed, in: context)
    }

    init(
        scripted reset: Reset, _ access: BluetoothAccess,
        _ follows: FollowedPeers = .appleDevices, in context: Context
    ) {
        runtime = AppRuntime(stored: reset.stored, in: context)
        host = Host(in: context, stored: reset.stored, limits: HostLimits(mtu: 185))
        system = BluetoothSystem(
            on: host, timing: ConnectionParameters(interval: 24, latency: 0, timeout: 72),
            access: access, follows: follows, stored: reset.stored)
    }

    func handle(_ event: DeviceEvent) {
        if case .command = event { return script?() ?? () }
        if !host.handle(event) { _ = runtime.handle(event) }
    }
}

/// A peripheral that advertises `AAAA` and serves what the test builds.
final class ServerDevice: Device, HostDelegate {
    let host: Host

    init(_ reset: Reset, in context: Context) throws(Refusal) {
        throw Refusal("a server is made by its bench")
    }

    init(_ reset: Reset, mtu: UInt16, in context: Context, _ build: (Host) -> Void) {
        host = Host(in: context, stored: reset.stored, limits: HostLimits(mtu: mtu))
        host.server.addGenericServices(name: reset.name)
        build(host)
        host.delegate = self
    }

    var script: (() -> Void)?

    func handle(_ event: DeviceEvent) {
        if case .boot = event { advertise() }
        if case .command = event { script?() }
        host.handle(event)
    }

    private func advertise() {
        try? host.advertise(
            AdvertisingData(services: ["AAAA"]), scanResponse: AdvertisingData(localName: "lock"),
            interval: 160)
    }

    func host(_ host: Host, didDisconnect connection: Connection, reason: UInt8) { advertise() }
}
