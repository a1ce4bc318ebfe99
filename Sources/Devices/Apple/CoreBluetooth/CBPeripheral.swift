import Bluetooth
import BluetoothHost
import DeviceKit

/// A device that an app finds and connects to.
public final class CBPeripheral: CBPeer {
    /// Hears what happens; the peripheral does not keep it alive.
    public weak var delegate: (any CBPeripheralDelegate)?
    /// The name it advertises, or has advertised; of one that never does, the name that the system asks for.
    public var name: String? { device.name }
    /// The state of the link.
    public internal(set) var state = CBPeripheralState.disconnected
    /// The services that were discovered on this link; nil before.
    public private(set) var services: [CBService]?

    private weak var manager: CBCentralManager?
    /// Characteristics by the handle of their value.
    ///
    /// Looked up only.
    private var characteristics: [UInt16: CBCharacteristic] = [:]

    init(_ device: RemoteDevice, of manager: CBCentralManager) {
        self.manager = manager
        super.init(device)
    }

    /// A peripheral as the system has kept it.
    init(_ preserved: CBCentralManager.Kept.Peripheral, of manager: CBCentralManager) {
        self.manager = manager
        super.init(preserved.device)
        state = preserved.state
        guard !preserved.services.isEmpty else { return }
        services = preserved.services.map { service in
            let restored = CBService(service.remote, of: self)
            restored.characteristics = service.characteristics?.map { remote, isNotifying in
                let characteristic = CBCharacteristic(remote, of: restored)
                characteristic.isNotifying = isNotifying
                characteristics[remote.value] = characteristic
                return characteristic
            }
            return restored
        }
    }

    /// The services as the system keeps them.
    var preserved: [CBCentralManager.Kept.Service] {
        (services ?? []).map { service in
            CBCentralManager.Kept.Service(
                remote: service.remote,
                characteristics: service.characteristics?.map { ($0.remote, $0.isNotifying) })
        }
    }

    deinit { manager?.letGo(of: device) }

    override public var description: String { "\(super.description) (\(name ?? "no name"))" }

    /// Calls the delegate in a turn of its own.
    private func post(_ call: @escaping (CBPeripheral, (any CBPeripheralDelegate)?) -> Void) {
        manager?.post { [weak self] in
            guard let self else { return }
            call(self, delegate)
        }
    }

    /// Tells the delegate what was asked for, or why it cannot be had.
    typealias Telling<Value> = (
        CBPeripheral, (any CBPeripheralDelegate)?, Value?, (any Error)?
    ) -> Void

    /// Calls the delegate with a result, unless the app hears of the link's end instead.
    func post<Value>(
        _ result: Result<Value, GATTError>, to call: @escaping Telling<Value>
    ) {
        switch result {
        case .success(let value): post { call($0, $1, value, nil) }
        case .failure(let failure):
            guard let error = failure.seenByApp else { return }
            post { call($0, $1, nil, error) }
        }
    }

    /// Asks the peer, encrypting the link where it wants that, and calls the delegate with what comes of it.
    func ask<Value>(
        _ operation: @escaping (GATTClient, @escaping Completion<Value>) -> Void,
        then call: @escaping Telling<Value>
    ) {
        let done: Completion<Value> = { [weak self] in self?.post($0, to: call) }
        device.link?.perform(endingWith: done, operation)
    }

    func forgetServices() {
        services = nil
        characteristics = [:]
    }

    /// Services in a range of handles are gone, or new ones are there.
    func servicesChanged(in range: HandleRange) {
        post { peripheral, delegate in
            let known = peripheral.services ?? []
            let gone = known.filter { range.contains($0.remote.range.first) }
            if peripheral.services != nil {
                peripheral.services = known.filter { !gone.contains($0) }
            }
            peripheral.characteristics = peripheral.characteristics.filter {
                !range.contains($0.key)
            }
            delegate?.peripheral(peripheral, didModifyServices: gone)
        }
    }

    /// The peer has told its name.
    func named(_ name: String) {
        post { peripheral, delegate in
            peripheral.device.name = name
            delegate?.peripheralDidUpdateName(peripheral)
        }
    }
}

// Discovery.
extension CBPeripheral {
    /// Services that the system keeps to itself (R4 4.1 for the Nearby Interaction Service).
    private static let hidden: [BluetoothUUID] = [
        .genericAccess, .genericAttribute, "48FE3E40-0817-4BB2-8633-3073689C2DBA",
    ]

    /// Discovers services of these types (nil: all).
    public func discoverServices(_ serviceUUIDs: [CBUUID]?) {
        device.link?.discoverServices { [weak self] result in
            self?.post(result) { peripheral, delegate, found, error in
                if let found { peripheral.add(found, of: serviceUUIDs) }
                delegate?.peripheral(peripheral, didDiscoverServices: error)
            }
        }
    }

    private func add(_ found: [RemoteService], of wanted: [CBUUID]?) {
        let known = services ?? []
        let shown = BluetoothSystem.current.shown?.service.uuid
        let visible = found.filter { $0.uuid == shown || !Self.hidden.contains($0.uuid) }
        services = visible.compactMap { remote in
            if let service = known.first(where: { $0.remote == remote }) { return service }
            let isWanted =
                remote.uuid == shown || wanted?.contains { $0.uuid == remote.uuid } ?? true
            return isWanted ? showing(CBService(remote, of: self)) : nil
        }
    }

    /// Notes that the app is shown a service, whatever the app says of it.
    private func showing(_ service: CBService) -> CBService {
        Context.current.observe(
            .appService,
            fields: [
                Field("peripheral", .text(address.description)),
                Field("service", .text(service.uuid.uuidString)),
            ])
        return service
    }

    /// Discovers characteristics of these types (nil: all) of a service.
    public func discoverCharacteristics(_ characteristicUUIDs: [CBUUID]?, for service: CBService) {
        device.link?.discoverCharacteristics(of: service.remote) { [weak self] result in
            self?.post(result) { peripheral, delegate, found, error in
                if let found { peripheral.add(found, of: characteristicUUIDs, to: service) }
                delegate?.peripheral(
                    peripheral, didDiscoverCharacteristicsFor: service, error: error)
            }
        }
    }

    private func add(
        _ found: [RemoteCharacteristic], of wanted: [CBUUID]?, to service: CBService
    ) {
        let known = service.characteristics ?? []
        let all = found.compactMap { remote -> CBCharacteristic? in
            if let same = known.first(where: { $0.remote == remote }) { return same }
            let isWanted = wanted?.contains { $0.uuid == remote.uuid } ?? true
            return isWanted ? CBCharacteristic(remote, of: service) : nil
        }
        service.characteristics = all
        for characteristic in all { characteristics[characteristic.remote.value] = characteristic }
    }
}

// Values.
extension CBPeripheral {
    /// Reads a value, however long it is.
    public func readValue(for characteristic: CBCharacteristic) {
        ask {
            $0.readLong(characteristic.remote.value, completion: $1)
        } then: { peripheral, delegate, value, error in
            if let value { characteristic.value = Data(value) }
            delegate?.peripheral(peripheral, didUpdateValueFor: characteristic, error: error)
        }
    }

    /// Writes a value.
    ///
    /// With a response, a value longer than fits is written in parts; without, it is cut, and lost
    /// where there is no room (`canSendWriteWithoutResponse`).
    public func writeValue(
        _ data: Data, for characteristic: CBCharacteristic, type: CBCharacteristicWriteType
    ) {
        let (bytes, handle) = (Array(data), characteristic.remote.value)
        guard type == .withResponse else {
            _ = device.link?.connection.client.writeWithoutResponse(bytes, to: handle)
            return
        }
        ask {
            $0.write(bytes, to: handle, completion: $1)
        } then: { peripheral, delegate, _, error in
            delegate?.peripheral(peripheral, didWriteValueFor: characteristic, error: error)
        }
    }

    /// The longest value that can be written at once, in bytes: 20 without a response until the two
    /// sides have agreed on more.
    public func maximumWriteValueLength(for type: CBCharacteristicWriteType) -> Int {
        switch type {
        case .withResponse: 512
        case .withoutResponse: device.link?.connection.maximumValueLength ?? 20
        }
    }

    /// Whether there is room for a value without a response.
    ///
    /// Where there is none on a living link, whoever asked hears `peripheralIsReady` when there is.
    public var canSendWriteWithoutResponse: Bool {
        device.link?.connection.client.canWriteWithoutResponse ?? false
    }

    /// Asks how strong the peripheral is heard: at its last advertisement, in dBm.
    public func readRSSI() {
        let isConnected = state == .connected
        post { peripheral, delegate in
            let strength = NSNumber(value: peripheral.device.rssi ?? Self.noStrength)
            delegate?.peripheral(
                peripheral, didReadRSSI: strength,
                error: isConnected ? nil : CBError(.notConnected))
        }
    }

    /// What HCI says where there is none (Core Specification Vol 4 Part E 7.5.4).
    private static let noStrength: Int8 = 127

    func becameReady() {
        post { $1?.peripheralIsReady(toSendWriteWithoutResponse: $0) }
    }

    /// A value was notified; characteristics that the app has not discovered are ignored.
    func notified(_ value: [UInt8], of handle: UInt16) {
        post { peripheral, delegate in
            guard let characteristic = peripheral.characteristics[handle] else { return }
            characteristic.value = Data(value)
            delegate?.peripheral(peripheral, didUpdateValueFor: characteristic, error: nil)
        }
    }
}

// Notifications.
extension CBPeripheral {
    /// Switches notifications of a characteristic (or indications, where it has only those).
    ///
    /// What the app asks for later leaves later, also where the descriptor has to be looked for first.
    public func setNotifyValue(_ enabled: Bool, for characteristic: CBCharacteristic) {
        let kind: Subscription =
            characteristic.properties.contains(.notify) ? .notifications : .indications
        ask {
            $0.subscribe(enabled ? kind : [], to: characteristic.remote, completion: $1)
        } then: { peripheral, delegate, _, error in
            if error == nil { characteristic.isNotifying = enabled }
            delegate?.peripheral(
                peripheral, didUpdateNotificationStateFor: characteristic, error: error)
        }
    }
}
