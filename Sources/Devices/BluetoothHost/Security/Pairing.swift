package import Bluetooth

/// One pairing, from one side (Core Specification Vol 3 Part H 2.3 and Appendix C): a value that is told what
/// happens, and says what to do.
package struct Pairing: Sendable {
    package enum Action: Equatable, Sendable {
        case send(SMPPDU)
        /// Ask the user; `answer` follows.
        case ask(Question)
        /// Encrypt the link with a key that nobody has to look for (central only).
        case encrypt([UInt8])
        case end(Result<PairedKeys, PairingFailure>)
    }

    package enum Question: Equatable, Sendable {
        /// Whether to pair at all.
        case consent
        /// Whether the other device shows the same six digits.
        case comparison(UInt32)
    }

    let policy: PairingPolicy
    let sides: PairingSides
    let secrets: PairingSecrets
    var state: State

    enum State: Equatable, Sendable {
        /// A central has asked, a peripheral has not been asked.
        case begin
        case consent(PairingAgreement)
        /// Legacy: the peer's confirm value is awaited, then its random number.
        case confirm(PairingAgreement)
        case number(PairingAgreement, confirm: [UInt8])
        /// Secure Connections: the peer's public key is awaited; the central awaits its commitment, and both its nonce.
        case publicKey(PairingAgreement)
        case commitment(SharedSecret)
        case nonce(SharedSecret, commitment: [UInt8])
        /// The user compares; the peer may have done that already.
        case comparison(KeyProof, received: [UInt8]?)
        /// The peer's proof that it has the key is awaited.
        case check(KeyProof)
        /// The link is being encrypted.
        case encryption(PairingAgreement, key: [UInt8])
        case distribution(KeyDistribution)
        case over
    }

    package init(policy: PairingPolicy, sides: PairingSides, secrets: PairingSecrets) {
        self.policy = policy
        self.sides = sides
        self.secrets = secrets
        state = .begin
    }

    /// Whether nothing more will come of it.
    package var isOver: Bool { state == .over }

    /// The key with which the link is to be encrypted now, in a peripheral that is asked for it.
    package var key: [UInt8]? {
        guard case .encryption(_, let key) = state else { return nil }
        return key
    }

    /// How good the key will be, once both sides have agreed.
    package var quality: (keySize: UInt8, isAuthenticated: Bool)? {
        switch state {
        case .encryption(let agreement, _): (agreement.keySize, agreement.compares)
        case .distribution(let distribution):
            (distribution.agreement.keySize, distribution.agreement.compares)
        default: nil
        }
    }

    /// A central asks.
    package func begin() -> [Action] { [.send(.pairingRequest(policy.features))] }

    /// The peer has sent something on the channel of the Security Manager.
    package mutating func receive(_ bytes: ArraySlice<UInt8>) -> [Action] {
        guard state != .over else { return [] }
        do throws(PairingFailure) {
            let pdu = try SMPPDU(bytes)
            if case .pairingFailed(let reason) = pdu { return end(with: reason) }
            return try take(pdu)
        } catch {
            return [.send(.pairingFailed(error))] + end(with: error)
        }
    }

    package mutating func answer(_ accepts: Bool) -> [Action] {
        switch state {
        case .consent(let agreement):
            return accepts ? start(agreement) : refuse(with: .unspecifiedReason)
        case .comparison(let proof, let received):
            guard accepts else { return refuse(with: .numericComparisonFailed) }
            return didCompare(proof, received: received)
        default: return []
        }
    }

    /// The controller has encrypted the link, or could not.
    package mutating func encryptionDidChange(isEncrypted: Bool) -> [Action] {
        guard case .encryption(let agreement, let key) = state else { return [] }
        guard isEncrypted else { return end(with: .unspecifiedReason) }
        let distribution = KeyDistribution(agreement, key: key, sides: sides)
        state = .distribution(distribution)
        return (sides.isCentral && !distribution.isComplete ? [] : gifts(of: agreement)) + settle()
    }

    /// For 30 s nothing has come: it is over, without a word.
    package mutating func timeOut() -> [Action] { end(with: .unspecifiedReason) }

    mutating func refuse(with reason: PairingFailure) -> [Action] {
        [.send(.pairingFailed(reason))] + end(with: reason)
    }

    mutating func end(with reason: PairingFailure) -> [Action] {
        guard state != .over else { return [] }
        state = .over
        return [.end(.failure(reason))]
    }
}
