package import BluetoothHost

extension AccessoryParameters {
    /// What the accessory wants of a pairing; nil where it does not pair.
    ///
    /// Nobody is asked: who holds it presses its button as soon as there are digits to compare.
    package var pairingPolicy: PairingPolicy? {
        let interface: PairingPolicy.Interface =
            switch pairingInterface {
            case .noInputNoOutput: .noInputNoOutput
            case .displayYesNo: .displayYesNo
            }
        return switch pairing {
        case .none: nil
        case .legacy: PairingPolicy(interface: interface, isSecure: false)
        case .secureConnections: PairingPolicy(interface: interface)
        }
    }
}
