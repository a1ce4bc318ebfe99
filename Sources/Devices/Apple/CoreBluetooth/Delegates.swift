/// What a central manager reports to its app.
///
/// Only `centralManagerDidUpdateState` is required.
public protocol CBCentralManagerDelegate: AnyObject {
    /// The radio's state is known, or has changed.
    func centralManagerDidUpdateState(_ central: CBCentralManager)
    /// The system has started the app again, which it had ended: what the manager had is told before anything else.
    func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any])
    /// A peripheral was heard.
    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any], rssi RSSI: NSNumber)
    /// There is a link.
    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral)
    /// A link could not be made.
    func centralManager(
        _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?)
    /// A link ended; without an error where the app wanted it.
    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral,
        error: (any Error)?)
}

extension CBCentralManagerDelegate {
    public func centralManager(
        _ central: CBCentralManager, willRestoreState dict: [String: Any]
    ) {}
    public func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any], rssi RSSI: NSNumber
    ) {}
    public func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {}
    public func centralManager(
        _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?
    ) {}
    public func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral,
        error: (any Error)?
    ) {}
}

/// What a peripheral reports to its app.
///
/// All methods are optional.
public protocol CBPeripheralDelegate: AnyObject {
    /// `services` are known.
    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?)
    /// `characteristics` of a service are known.
    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService,
        error: (any Error)?)
    /// A value was read, or notified.
    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic,
        error: (any Error)?)
    /// A value was written with a response.
    func peripheral(
        _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic,
        error: (any Error)?)
    /// Notifications are on or off.
    func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?)
    /// `descriptors` of a characteristic are known.
    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverDescriptorsFor characteristic: CBCharacteristic,
        error: (any Error)?)
    /// A descriptor was read.
    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor descriptor: CBDescriptor, error: (any Error)?)
    /// A descriptor was written.
    func peripheral(
        _ peripheral: CBPeripheral, didWriteValueFor descriptor: CBDescriptor, error: (any Error)?)
    /// How strong the peripheral is heard.
    func peripheral(
        _ peripheral: CBPeripheral, didReadRSSI RSSI: NSNumber, error: (any Error)?)
    /// Services are gone (and in the list), or there are new ones, which have to be discovered.
    ///
    /// It happens where the system follows changes: with Apple devices, or with all by the parameter
    /// `service-changed` (iOS follows all).
    func peripheral(
        _ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService])
    /// The name is known, or another one.
    func peripheralDidUpdateName(_ peripheral: CBPeripheral)
    /// There is room again for values without a response.
    func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral)
}

extension CBPeripheralDelegate {
    public func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {}
    public func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService,
        error: (any Error)?
    ) {}
    public func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {}
    public func peripheral(
        _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {}
    public func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {}
    public func peripheral(
        _ peripheral: CBPeripheral, didDiscoverDescriptorsFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {}
    public func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor descriptor: CBDescriptor, error: (any Error)?
    ) {}
    public func peripheral(
        _ peripheral: CBPeripheral, didWriteValueFor descriptor: CBDescriptor, error: (any Error)?
    ) {}
    public func peripheral(
        _ peripheral: CBPeripheral, didReadRSSI RSSI: NSNumber, error: (any Error)?
    ) {}
    public func peripheral(
        _ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService]
    ) {}
    public func peripheralDidUpdateName(_ peripheral: CBPeripheral) {}
    /// Does nothing.
    public func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) {}
}
