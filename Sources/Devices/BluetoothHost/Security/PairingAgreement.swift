package import Bluetooth
package import DeviceLink

/// What a device wants of every pairing.
package struct PairingPolicy: Equatable, Sendable {
    package typealias Interface = PairingFeatures.Interface

    /// What its user can see and press.
    package var interface: PairingFeatures.Interface
    /// Whether it offers LE Secure Connections; legacy pairing alone otherwise.
    package var isSecure: Bool
    /// Whether a user is asked, even where there is nothing to compare.
    package var asksUser: Bool

    package init(
        interface: PairingFeatures.Interface = .noInputNoOutput, isSecure: Bool = true,
        asksUser: Bool = false
    ) {
        self.interface = interface
        self.isSecure = isSecure
        self.asksUser = asksUser
    }

    /// What it says of itself: keys are kept, and wanted from both sides.
    package var features: PairingFeatures {
        PairingFeatures(
            interface: interface, authentication: authentication, centralKeys: .identity,
            peripheralKeys: [.encryption, .identity])
    }

    /// What it asks of a pairing.
    package var authentication: PairingFeatures.Authentication {
        var wanted: PairingFeatures.Authentication = .bonding
        if interface != .noInputNoOutput { wanted.insert(.manInTheMiddle) }
        if isSecure { wanted.insert(.secureConnections) }
        return wanted
    }
}

/// What both sides will do, which follows from request and response (Core Specification Vol 3 Part H 2.3.5.1).
struct PairingAgreement: Equatable, Sendable {
    let request: PairingFeatures
    let response: PairingFeatures
    let isSecure: Bool
    /// Whether a user compares six digits; nobody is asked for anything by the protocol otherwise.
    let compares: Bool
    /// How many bytes of the keys are secret.
    let keySize: UInt8
    let centralKeys: PairingFeatures.Keys
    let peripheralKeys: PairingFeatures.Keys
    /// Whether keys outlive the connection.
    let isKept: Bool

    /// - Throws: why the two cannot pair.
    init(_ request: PairingFeatures, _ response: PairingFeatures) throws(PairingFailure) {
        self.request = request
        self.response = response
        let both = request.authentication.intersection(response.authentication)
        isSecure = both.contains(.secureConnections)
        keySize = min(request.maximumKeySize, response.maximumKeySize)
        guard keySize >= 7 else { throw .encryptionKeySize }
        guard request.maximumKeySize <= 16, response.maximumKeySize <= 16,
            request.centralKeys.isSuperset(of: response.centralKeys),
            request.peripheralKeys.isSuperset(of: response.peripheralKeys)
        else { throw .invalidParameters }
        compares = try Self.compares(request, response, isSecure: isSecure)
        isKept = both.contains(.bonding)
        let made: PairingFeatures.Keys = isSecure ? .encryption : []
        centralKeys = isKept ? response.centralKeys.subtracting(made) : []
        peripheralKeys = isKept ? response.peripheralKeys.subtracting(made) : []
    }

    /// Which of the methods it is (2.3.5.1, tables 2.6 to 2.8); a passkey and out-of-band data are none of ours.
    private static func compares(
        _ request: PairingFeatures, _ response: PairingFeatures, isSecure: Bool
    ) throws(PairingFailure) -> Bool {
        let (here, there) = (request.hasOutOfBandData, response.hasOutOfBandData)
        if isSecure ? here || there : here && there { throw .outOfBandNotAvailable }
        let wanted = request.authentication.union(response.authentication)
        guard wanted.contains(.manInTheMiddle) else { return false }
        let (mine, other) = (request.interface, response.interface)
        if isSecure && mine.compares && other.compares { return true }
        if mine.types && other.types || mine.types && other.shows || mine.shows && other.types {
            throw .authenticationRequirements
        }
        return false
    }
}

extension PairingFeatures.Interface {
    fileprivate var types: Bool { self == .keyboardOnly || self == .keyboardDisplay }
    fileprivate var shows: Bool { self != .keyboardOnly && self != .noInputNoOutput }
}

package struct PairingSides: Equatable, Sendable {
    package var isCentral: Bool
    /// The addresses with which the connection began.
    package var own: Address
    package var peer: Address

    var central: Address { isCentral ? own : peer }
    var peripheral: Address { isCentral ? peer : own }
}

/// What a device has drawn for one pairing, and who it is.
package struct PairingSecrets: Sendable {
    /// The random number that it commits to: 16 bytes.
    package var nonce: [UInt8]
    package var pair: PairingKeyPair
    /// The key of legacy pairing that it gives as a peripheral, and by what it finds it again.
    package var longTermKey: LongTermKey
    /// The key that resolves its private addresses, and its address behind them.
    package var identity: Identity
}

package struct LongTermKey: Equatable, Sendable {
    /// 16 bytes.
    package var key: [UInt8]
    /// By what the peripheral finds it; both are 0 with LE Secure Connections.
    package var random: UInt64 = 0
    package var diversifier: UInt16 = 0
}

/// Who somebody is behind private addresses.
package struct Identity: Equatable, Sendable {
    /// The key that resolves them: 16 bytes.
    package var key: [UInt8]
    package var address: Address

    /// The key, unless it is all 0: then there are no private addresses (Core Specification Vol 3 Part H 3.6.4).
    package var resolvingKey: [UInt8]? { key.contains { $0 != 0 } ? key : nil }
}

package struct PairedKeys: Equatable, Sendable {
    /// The key for later connections; nil where the two did not want to keep one.
    package var longTermKey: LongTermKey?
    /// How many bytes of it are secret.
    package var keySize: UInt8
    /// Whether a user has compared digits.
    package var isAuthenticated: Bool
    /// Whether it was LE Secure Connections.
    package var isSecure: Bool
    /// Who the peer is, where it has said that.
    package var identity: Identity?
}
