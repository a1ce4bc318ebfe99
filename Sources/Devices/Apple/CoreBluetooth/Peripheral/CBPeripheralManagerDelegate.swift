/// What a peripheral manager reports to its app.
///
/// Only `peripheralManagerDidUpdateState` is required.
public protocol CBPeripheralManagerDelegate: AnyObject {
    /// The radio's state is known, or has changed.
    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager)
    /// The system has started the app again, which it had ended: what the manager had is told before anything else.
    func peripheralManager(
        _ peripheral: CBPeripheralManager, willRestoreState dict: [String: Any])
    /// Advertising has begun, or could not.
    func peripheralManagerDidStartAdvertising(
        _ peripheral: CBPeripheralManager, error: (any Error)?)
    /// A service is published, or could not be.
    func peripheralManager(
        _ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?)
    /// A central wants to hear of a value.
    func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral,
        didSubscribeTo characteristic: CBCharacteristic)
    /// A central wants to hear of a value no more, or is gone.
    func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral,
        didUnsubscribeFrom characteristic: CBCharacteristic)
    /// A central reads a value that the app gives: it has to be answered by `respond`.
    ///
    /// Who does not respond lets the central wait for 30 s (Core Specification Vol 3 Part F 3.3.3).
    func peripheralManager(
        _ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest)
    /// A central writes values: all or none of them have to be taken, and the first request be answered by `respond`.
    func peripheralManager(
        _ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest])
    /// There is room again for values after `updateValue` has said no.
    func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager)
}

extension CBPeripheralManagerDelegate {
    public func peripheralManager(
        _ peripheral: CBPeripheralManager, willRestoreState dict: [String: Any]
    ) {}
    public func peripheralManagerDidStartAdvertising(
        _ peripheral: CBPeripheralManager, error: (any Error)?
    ) {}
    public func peripheralManager(
        _ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?
    ) {}
    public func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral,
        didSubscribeTo characteristic: CBCharacteristic
    ) {}
    public func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral,
        didUnsubscribeFrom characteristic: CBCharacteristic
    ) {}
    public func peripheralManager(
        _ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest
    ) {}
    public func peripheralManager(
        _ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]
    ) {}
    public func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) {}
}
