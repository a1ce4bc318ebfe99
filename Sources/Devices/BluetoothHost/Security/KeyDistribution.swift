import Bluetooth

/// The keys that a side gets, one after the other (Core Specification Vol 3 Part H 2.4.3.2 and 3.6.1).
struct KeyDistribution: Equatable, Sendable {
    let agreement: PairingAgreement
    /// The key that encrypts the link now.
    private let key: [UInt8]
    /// Codes of what is still to come, in their order.
    private var awaited: [UInt8]
    private var longTermKey: LongTermKey?
    private var identityKey: [UInt8] = []
    private var identity: Identity?

    init(_ agreement: PairingAgreement, key: [UInt8], sides: PairingSides) {
        self.agreement = agreement
        self.key = key
        let keys = sides.isCentral ? agreement.peripheralKeys : agreement.centralKeys
        awaited = []
        if keys.contains(.encryption) { awaited += [0x06, 0x07] }
        if keys.contains(.identity) { awaited += [0x08, 0x09] }
        if keys.contains(.signing) { awaited += [0x0A] }
    }

    var isComplete: Bool { awaited.isEmpty }

    mutating func take(_ pdu: SMPPDU) throws(PairingFailure) {
        guard pdu.code == awaited.first else { throw .unspecifiedReason }
        awaited.removeFirst()
        switch pdu {
        case .encryptionInformation(let key): longTermKey = LongTermKey(key: key)
        case .centralIdentification(let diversifier, let random):
            longTermKey?.diversifier = diversifier
            longTermKey?.random = random
        case .identityInformation(let key): identityKey = key
        case .identityAddress(let address):
            identity = Identity(key: identityKey, address: address)
        default: break
        }
    }

    /// What the pairing has brought, to a side that has given `own`.
    func paired(giving own: LongTermKey, as sides: PairingSides) -> PairedKeys {
        PairedKeys(
            longTermKey: agreement.isKept ? kept(own, as: sides) : nil,
            keySize: agreement.keySize, isAuthenticated: agreement.compares,
            isSecure: agreement.isSecure, identity: identity)
    }

    /// The key of both, or the peripheral's.
    private func kept(_ own: LongTermKey, as sides: PairingSides) -> LongTermKey? {
        if agreement.isSecure { return LongTermKey(key: key) }
        if sides.isCentral { return longTermKey }
        guard agreement.peripheralKeys.contains(.encryption) else { return nil }
        return LongTermKey(
            key: own.key.shortened(to: agreement.keySize), random: own.random,
            diversifier: own.diversifier)
    }
}
