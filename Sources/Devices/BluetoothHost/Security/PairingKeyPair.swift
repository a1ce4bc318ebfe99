/// A private key on P-256 and its public one, for one pairing.
package struct PairingKeyPair: Sendable {
    private let key: [UInt8]
    /// The coordinates of the public key, 32 bytes each, least significant byte first.
    package let x: [UInt8]
    package let y: [UInt8]

    /// The pair of a private key; nil where these 32 bytes, least significant one first, are none: 0, or not less than
    /// the order of the curve.
    package init?(private bytes: [UInt8]) {
        key = bytes.reversed()
        guard let point = P256.multiply(nil, by: key) else { return nil }
        x = point.x.reversed()
        y = point.y.reversed()
    }

    /// The secret shared with a peer (32 bytes, least significant one first); nil where its coordinates are those of
    /// no point on the curve, by which an attacker would learn our private key.
    package func secret(withX x: [UInt8], y: [UInt8]) -> [UInt8]? {
        guard x.count == 32, y.count == 32 else { return nil }
        return P256.multiply((x.reversed(), y.reversed()), by: key)?.x.reversed()
    }
}
