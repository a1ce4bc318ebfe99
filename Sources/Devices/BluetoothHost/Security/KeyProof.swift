import Bluetooth

/// What both sides have after their public keys.
struct SharedSecret: Equatable, Sendable {
    let agreement: PairingAgreement
    /// The shared secret: 32 bytes.
    let bytes: [UInt8]
    /// The x coordinate of the peer's public key.
    let peer: [UInt8]
}

/// The long-term key of Secure Connections, and how each side proves that it has it
/// (Core Specification Vol 3 Part H 2.3.5.6.5).
struct KeyProof: Equatable, Sendable {
    let agreement: PairingAgreement
    let longTermKey: [UInt8]
    /// What this side sends, and what it is to get.
    let own: [UInt8]
    let peer: [UInt8]

    init(_ secret: SharedSecret, own: [UInt8], peer: [UInt8], sides: PairingSides) {
        agreement = secret.agreement
        let (central, peripheral) = sides.isCentral ? (own, peer) : (peer, own)
        let made = PairingCryptography.f5(
            secret: secret.bytes, nonces: (central, peripheral), central: sides.central,
            peripheral: sides.peripheral)
        longTermKey = made.longTermKey.shortened(to: secret.agreement.keySize)
        let nothing = [UInt8](repeating: 0, count: 16)
        let ofCentral = PairingCryptography.f6(
            key: made.checkKey, nonces: (central, peripheral), nothing,
            features: secret.agreement.request.capabilities, own: sides.central,
            other: sides.peripheral)
        let ofPeripheral = PairingCryptography.f6(
            key: made.checkKey, nonces: (peripheral, central), nothing,
            features: secret.agreement.response.capabilities, own: sides.peripheral,
            other: sides.central)
        (self.own, self.peer) =
            sides.isCentral ? (ofCentral, ofPeripheral) : (ofPeripheral, ofCentral)
    }
}

extension PairingFeatures {
    fileprivate var capabilities: (interface: UInt8, hasOutOfBandData: UInt8, authentication: UInt8)
    { (interface.rawValue, hasOutOfBandData ? 1 : 0, authentication.rawValue) }
}
