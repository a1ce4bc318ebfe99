import Bluetooth

// What each PDU means in each state; any other one ends the pairing.
extension Pairing {
    mutating func take(_ pdu: SMPPDU) throws(PairingFailure) -> [Action] {
        switch (state, pdu) {
        // A peripheral may ask while the central has already begun, and keys pressed are news for nobody here.
        case (_, .securityRequest) where sides.isCentral: return []
        case (_, .keypress): return []
        case (.begin, .pairingRequest(let request)) where !sides.isCentral:
            return propose(
                try PairingAgreement(request, response(to: request)))
        case (.begin, .pairingResponse(let response)) where sides.isCentral:
            return propose(try PairingAgreement(policy.features, response))
        case (.confirm(let agreement), .pairingConfirm(let value)):
            state = .number(agreement, confirm: value)
            return [.send(sides.isCentral ? .pairingRandom(secrets.nonce) : confirm(agreement))]
        case (.number(let agreement, let value), .pairingRandom(let number)):
            return try takeNumber(number, committedTo: value, agreement)
        case (.publicKey(let agreement), .publicKey(let x, let y)):
            return try takeKey(x, y, agreement)
        case (.commitment(let secret), .pairingConfirm(let value)):
            state = .nonce(secret, commitment: value)
            return [.send(.pairingRandom(secrets.nonce))]
        case (.nonce(let secret, let commitment), .pairingRandom(let nonce)):
            return try takeNonce(nonce, committedTo: commitment, secret)
        case (.comparison(let proof, nil), .keyCheck(let value)) where !sides.isCentral:
            state = .comparison(proof, received: value)
            return []
        case (.check(let proof), .keyCheck(let value)): return try takeCheck(value, proof)
        case (.distribution(var distribution), _):
            try distribution.take(pdu)
            state = .distribution(distribution)
            let gives = sides.isCentral && distribution.isComplete
            return (gives ? gifts(of: distribution.agreement) : []) + settle()
        case (_, .pairingRequest) where sides.isCentral: throw .commandNotSupported
        default: throw .unspecifiedReason
        }
    }

    /// Only what the central asks for is given.
    private func response(to request: PairingFeatures) -> PairingFeatures {
        var response = policy.features
        response.centralKeys.formIntersection(request.centralKeys)
        response.peripheralKeys.formIntersection(request.peripheralKeys)
        return response
    }

    /// Both know how it will go; a user may have to agree, before a peripheral answers.
    private mutating func propose(_ agreement: PairingAgreement) -> [Action] {
        guard policy.asksUser, !agreement.compares else { return start(agreement) }
        state = .consent(agreement)
        return [.ask(.consent)]
    }

    /// Phase 2 begins.
    mutating func start(_ agreement: PairingAgreement) -> [Action] {
        state = agreement.isSecure ? .publicKey(agreement) : .confirm(agreement)
        guard sides.isCentral else { return [.send(.pairingResponse(agreement.response))] }
        return [.send(agreement.isSecure ? publicKey : confirm(agreement))]
    }

    // MARK: Legacy pairing (2.3.5.5), with a temporary key of 0: Just Works

    private var temporaryKey: [UInt8] { Array(repeating: 0, count: 16) }

    private func confirm(_ agreement: PairingAgreement) -> SMPPDU {
        .pairingConfirm(confirm(of: secrets.nonce, agreement))
    }

    private func confirm(of number: [UInt8], _ agreement: PairingAgreement) -> [UInt8] {
        PairingCryptography.c1(
            key: temporaryKey, random: number,
            .init(
                request: SMPPDU.pairingRequest(agreement.request).bytes,
                response: SMPPDU.pairingResponse(agreement.response).bytes,
                central: sides.central, peripheral: sides.peripheral))
    }

    private mutating func takeNumber(
        _ number: [UInt8], committedTo value: [UInt8], _ agreement: PairingAgreement
    ) throws(PairingFailure) -> [Action] {
        guard confirm(of: number, agreement) == value else { throw .confirmValueFailed }
        let (central, peripheral) =
            sides.isCentral ? (secrets.nonce, number) : (number, secrets.nonce)
        let key = PairingCryptography.s1(
            key: temporaryKey, peripheral: peripheral, central: central
        ).shortened(to: agreement.keySize)
        state = .encryption(agreement, key: key)
        return [sides.isCentral ? .encrypt(key) : .send(.pairingRandom(secrets.nonce))]
    }

    // MARK: LE Secure Connections (2.3.5.6)

    private var publicKey: SMPPDU { .publicKey(x: secrets.pair.x, y: secrets.pair.y) }

    private mutating func takeKey(
        _ x: [UInt8], _ y: [UInt8], _ agreement: PairingAgreement
    ) throws(PairingFailure) -> [Action] {
        // Who sends our own key back knows no private one (2.3.5.6.1).
        guard x != secrets.pair.x else { throw .unspecifiedReason }
        guard let bytes = secrets.pair.secret(withX: x, y: y) else { throw .keyCheckFailed }
        let secret = SharedSecret(agreement: agreement, bytes: bytes, peer: x)
        guard !sides.isCentral else {
            state = .commitment(secret)
            return []
        }
        state = .nonce(secret, commitment: [])
        let value = PairingCryptography.f4(secrets.pair.x, x, nonce: secrets.nonce, 0)
        return [.send(publicKey), .send(.pairingConfirm(value))]
    }

    private mutating func takeNonce(
        _ nonce: [UInt8], committedTo value: [UInt8], _ secret: SharedSecret
    ) throws(PairingFailure) -> [Action] {
        let own = secrets.pair.x
        if sides.isCentral, PairingCryptography.f4(secret.peer, own, nonce: nonce, 0) != value {
            throw .confirmValueFailed
        }
        let proof = KeyProof(secret, own: secrets.nonce, peer: nonce, sides: sides)
        let reply: [Action] = sides.isCentral ? [] : [.send(.pairingRandom(secrets.nonce))]
        guard secret.agreement.compares else {
            state = .check(proof)
            return reply + (sides.isCentral ? [.send(.keyCheck(proof.own))] : [])
        }
        state = .comparison(proof, received: nil)
        let (central, peripheral) =
            sides.isCentral
            ? ((own, secrets.nonce), (secret.peer, nonce))
            : ((secret.peer, nonce), (own, secrets.nonce))
        let digits = PairingCryptography.g2(
            central.0, peripheral.0, nonces: (central.1, peripheral.1))
        return reply + [.ask(.comparison(digits))]
    }

    /// The user has seen the same digits.
    mutating func didCompare(_ proof: KeyProof, received: [UInt8]?) -> [Action] {
        state = .check(proof)
        if sides.isCentral { return [.send(.keyCheck(proof.own))] }
        guard let received else { return [] }
        do throws(PairingFailure) {
            return try takeCheck(received, proof)
        } catch {
            return refuse(with: error)
        }
    }

    private mutating func takeCheck(
        _ value: [UInt8], _ proof: KeyProof
    ) throws(PairingFailure) -> [Action] {
        guard value == proof.peer else { throw .keyCheckFailed }
        state = .encryption(proof.agreement, key: proof.longTermKey)
        return [sides.isCentral ? .encrypt(proof.longTermKey) : .send(.keyCheck(proof.own))]
    }

    // MARK: Keys (2.4.3)

    /// What this side gives; the peripheral first, the central when it has all.
    func gifts(of agreement: PairingAgreement) -> [Action] {
        let keys = sides.isCentral ? agreement.centralKeys : agreement.peripheralKeys
        var pdus: [SMPPDU] = []
        if keys.contains(.encryption) {
            let key = secrets.longTermKey
            pdus.append(.encryptionInformation(key.key.shortened(to: agreement.keySize)))
            pdus.append(.centralIdentification(diversifier: key.diversifier, random: key.random))
        }
        if keys.contains(.identity) {
            pdus.append(.identityInformation(secrets.identity.key))
            pdus.append(.identityAddress(secrets.identity.address))
        }
        return pdus.map { .send($0) }
    }

    /// It is over when the peer has given everything.
    mutating func settle() -> [Action] {
        guard case .distribution(let distribution) = state, distribution.isComplete else {
            return []
        }
        state = .over
        return [.end(.success(distribution.paired(giving: secrets.longTermKey, as: sides)))]
    }
}

extension [UInt8] {
    /// A key of which only so many bytes are secret: the most significant ones are 0 (2.3.4).
    func shortened(to size: UInt8) -> [UInt8] {
        indices.map { $0 < Int(size) ? self[$0] : 0 }
    }
}
