internal import Crypto

/// A private key on P-256 and its public one, for one pairing.
package struct PairingKeyPair: Sendable {
    private let key: P256.KeyAgreement.PrivateKey
    /// The coordinates of the public key, 32 bytes each, least significant byte first.
    package let x: [UInt8]
    package let y: [UInt8]

    /// The pair of a private key; nil where these 32 bytes, least significant one first, are none: 0, or not less than
    /// the order of the curve.
    package init?(private bytes: [UInt8]) {
        let bigEndian = Array(bytes.reversed())
        guard let key = try? P256.KeyAgreement.PrivateKey(rawRepresentation: bigEndian) else {
            return nil
        }
        self.key = key
        let point = Array(key.publicKey.rawRepresentation)
        x = point[..<32].reversed()
        y = point[32...].reversed()
    }

    /// The secret shared with a peer (32 bytes, least significant one first); nil where its coordinates are those of
    /// no point on the curve, by which an attacker would learn our private key.
    package func secret(withX x: [UInt8], y: [UInt8]) -> [UInt8]? {
        let point = Array(x.reversed() + y.reversed())
        guard let peer = try? P256.KeyAgreement.PublicKey(rawRepresentation: point),
            let secret = try? key.sharedSecretFromKeyAgreement(with: peer)
        else { return nil }
        return secret.withUnsafeBytes { $0.reversed() }
    }
}
