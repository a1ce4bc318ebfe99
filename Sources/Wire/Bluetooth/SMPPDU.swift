package import DeviceLink

/// One PDU of the Security Manager Protocol (Core Specification Vol 3 Part H 3.5 and 3.6).
///
/// Values, keys and coordinates are as they are on the air: least significant byte first.
package enum SMPPDU: Equatable, Sendable {
    case pairingRequest(PairingFeatures)
    case pairingResponse(PairingFeatures)
    /// A commitment to a random number that comes later: 16 bytes.
    case pairingConfirm([UInt8])
    /// The random number: 16 bytes.
    case pairingRandom([UInt8])
    case pairingFailed(PairingFailure)
    /// The long-term key of legacy pairing: 16 bytes.
    case encryptionInformation([UInt8])
    /// By what whoever gave the long-term key finds it again.
    case centralIdentification(diversifier: UInt16, random: UInt64)
    /// The key that resolves the sender's private addresses: 16 bytes.
    case identityInformation([UInt8])
    /// The address that the sender has behind its private ones.
    case identityAddress(Address)
    /// The key by which the sender signs: 16 bytes.
    case signingInformation([UInt8])
    /// The peripheral wants the link to be encrypted, or paired.
    case securityRequest(PairingFeatures.Authentication)
    /// A public key on P-256: both coordinates, 32 bytes each.
    case publicKey(x: [UInt8], y: [UInt8])
    /// The proof that the sender has the same secret: 16 bytes.
    case keyCheck([UInt8])
    /// A key was pressed while a passkey is typed.
    case keypress(UInt8)
}

/// What a side can and wants to do in a pairing (Core Specification Vol 3 Part H 3.5.1).
package struct PairingFeatures: Equatable, Sendable {
    /// What a user can see and press (Vol 3 Part H 2.3.2).
    package enum Interface: UInt8, Sendable {
        case displayOnly = 0
        case displayYesNo = 1
        case keyboardOnly = 2
        case noInputNoOutput = 3
        case keyboardDisplay = 4

        /// Whether it shows six digits and asks whether they are right.
        package var compares: Bool { self == .displayYesNo || self == .keyboardDisplay }
    }

    /// What is asked of the pairing.
    package struct Authentication: OptionSet, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let bonding = Authentication(rawValue: 1)
        /// Protection against somebody in the middle.
        package static let manInTheMiddle = Authentication(rawValue: 1 << 2)
        /// LE Secure Connections; legacy pairing without.
        package static let secureConnections = Authentication(rawValue: 1 << 3)
    }

    /// Which keys a side gives after the link is encrypted.
    package struct Keys: OptionSet, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// A long-term key; with Secure Connections nobody gives one.
        package static let encryption = Keys(rawValue: 1)
        /// The key that resolves private addresses, and the address behind them.
        package static let identity = Keys(rawValue: 1 << 1)
        package static let signing = Keys(rawValue: 1 << 2)
    }

    package var interface: Interface
    /// Whether the side has data of the other one from elsewhere.
    package var hasOutOfBandData: Bool
    package var authentication: Authentication
    /// The longest key in bytes: 7 … 16 where the sender keeps to the specification.
    package var maximumKeySize: UInt8
    /// What the central is to give.
    package var centralKeys: Keys
    /// What the peripheral is to give.
    package var peripheralKeys: Keys

    package init(
        interface: Interface = .noInputNoOutput, hasOutOfBandData: Bool = false,
        authentication: Authentication, maximumKeySize: UInt8 = 16, centralKeys: Keys,
        peripheralKeys: Keys
    ) {
        self.interface = interface
        self.hasOutOfBandData = hasOutOfBandData
        self.authentication = authentication
        self.maximumKeySize = maximumKeySize
        self.centralKeys = centralKeys
        self.peripheralKeys = peripheralKeys
    }
}

/// Why a pairing failed (Core Specification Vol 3 Part H 3.5.5).
package struct PairingFailure: RawRepresentable, Error, Hashable, Sendable {
    /// The reason on the air; every value can occur.
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let outOfBandNotAvailable = PairingFailure(rawValue: 0x02)
    /// What is asked of the pairing cannot be had with these interfaces.
    package static let authenticationRequirements = PairingFailure(rawValue: 0x03)
    /// The random number is not the one that was committed to.
    package static let confirmValueFailed = PairingFailure(rawValue: 0x04)
    package static let pairingNotSupported = PairingFailure(rawValue: 0x05)
    /// The other side's keys are too short.
    package static let encryptionKeySize = PairingFailure(rawValue: 0x06)
    package static let commandNotSupported = PairingFailure(rawValue: 0x07)
    /// Something else, for example a user who does not want to.
    package static let unspecifiedReason = PairingFailure(rawValue: 0x08)
    /// The command has a wrong length, or a parameter out of its range.
    package static let invalidParameters = PairingFailure(rawValue: 0x0A)
    /// The two sides do not have the same secret.
    package static let keyCheckFailed = PairingFailure(rawValue: 0x0B)
    /// The user says that the digits differ.
    package static let numericComparisonFailed = PairingFailure(rawValue: 0x0C)
}

extension SMPPDU {
    package var code: UInt8 {
        switch self {
        case .pairingRequest: 0x01
        case .pairingResponse: 0x02
        case .pairingConfirm: 0x03
        case .pairingRandom: 0x04
        case .pairingFailed: 0x05
        case .encryptionInformation: 0x06
        case .centralIdentification: 0x07
        case .identityInformation: 0x08
        case .identityAddress: 0x09
        case .signingInformation: 0x0A
        case .securityRequest: 0x0B
        case .publicKey: 0x0C
        case .keyCheck: 0x0D
        case .keypress: 0x0E
        }
    }
}
