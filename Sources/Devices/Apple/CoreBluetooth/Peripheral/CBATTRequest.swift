import Bluetooth
import BluetoothHost

/// What a central asks of a characteristic whose value the app gives.
public final class CBATTRequest {
    /// Who asks.
    public let central: CBCentral
    public let characteristic: CBCharacteristic
    /// Where in the value it begins to read or to write, in bytes.
    public let offset: Int
    /// What is written; where it is read, what the app sets before it responds: the value from `offset` on.
    public var value: Data?

    let request: DeferredRequest

    init(
        _ request: DeferredRequest, of central: CBCentral,
        for characteristic: CBCharacteristic, offset: Int, value: Data? = nil
    ) {
        self.request = request
        self.central = central
        self.characteristic = characteristic
        self.offset = offset
        self.value = value
    }

    /// Answers the central.
    func respond(with result: CBATTError.Code) {
        guard result == .success else {
            let code = ATTErrorCode(rawValue: UInt8(truncatingIfNeeded: result.rawValue))
            return request.answer(.failure(code))
        }
        request.answer(.success(Array(value ?? Data())))
    }
}
