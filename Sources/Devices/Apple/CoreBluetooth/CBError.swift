import Bluetooth
import BluetoothHost

/// The domain of this framework's errors.
public let CBErrorDomain = "CBErrorDomain"
/// The domain of a peer's answers about its attributes.
public let CBATTErrorDomain = "CBATTErrorDomain"

/// Why something on a link failed.
public struct CBError: CustomNSError, Hashable, Sendable {
    /// The codes of `CBError.h`.
    public enum Code: Int, Hashable, Sendable {
        /// Nothing is known about it.
        case unknown = 0
        /// The arguments are not valid.
        case invalidParameters = 1
        /// The handle is not valid.
        case invalidHandle = 2
        /// There is no link.
        case notConnected = 3
        /// There is no room left.
        case outOfSpace = 4
        /// The operation was cancelled.
        case operationCancelled = 5
        /// The link was lost: nothing was heard for the supervision timeout.
        case connectionTimeout = 6
        /// The peripheral ended the link.
        case peripheralDisconnected = 7
        /// The UUID is not allowed.
        case uuidNotAllowed = 8
        /// The peripheral advertises already.
        case alreadyAdvertising = 9
        /// The connection could not be made.
        case connectionFailed = 10
        /// There are too many links.
        case connectionLimitReached = 11
        /// The device is unknown.
        case unknownDevice = 12
        /// The operation is not supported.
        case operationNotSupported = 13
        /// The peripheral has forgotten the pairing.
        case peerRemovedPairingInformation = 14
        /// Encryption took too long.
        case encryptionTimedOut = 15
        /// Too many devices are paired.
        case tooManyLEPairedDevices = 16
        /// The app was told of more values in the background than the system allows.
        case leGattExceededBackgroundNotificationLimit = 17
        /// The app was told of nearly as many values in the background as the system allows.
        case leGattNearBackgroundNotificationLimit = 18
    }

    public let code: Code

    public init(_ code: Code) { self.code = code }

    /// The code as a number.
    public var errorCode: Int { code.rawValue }

    public static var errorDomain: String { CBErrorDomain }

    /// The error for the end of a link that the app did not ask for, by its HCI reason.
    init(reason: UInt8) {
        switch reason {
        case 0x08: self.init(.connectionTimeout)
        case 0x05, 0x06: self.init(.peerRemovedPairingInformation)
        case 0x13, 0x14, 0x15, 0x3B: self.init(.peripheralDisconnected)
        case 0x3D: self.init(.encryptionTimedOut)
        default: self.init(.unknown)
        }
    }
}

extension CBError.Code {
    /// Whether an error has this code: `case CBError.connectionTimeout:`.
    public static func ~= (code: CBError.Code, error: any Error) -> Bool {
        (error as? CBError)?.code == code
    }
}

extension CBError {
    /// The link was lost.
    public static var connectionTimeout: Code { .connectionTimeout }
    /// The peripheral ended the link.
    public static var peripheralDisconnected: Code { .peripheralDisconnected }
    /// The connection could not be made.
    public static var connectionFailed: Code { .connectionFailed }
    /// There is no link.
    public static var notConnected: Code { .notConnected }
    /// The peripheral has forgotten the pairing.
    public static var peerRemovedPairingInformation: Code { .peerRemovedPairingInformation }
    /// Encryption took too long.
    public static var encryptionTimedOut: Code { .encryptionTimedOut }
}

/// Why a peer refused a request about its attributes (Core Specification Vol 3 Part F 3.4.1.1).
public struct CBATTError: CustomNSError, Hashable, Sendable {
    /// The codes of ATT.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The code on the air.
        public let rawValue: Int

        /// A code of the air.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Nothing failed: the answer to a request that is served.
        public static let success = Code(rawValue: 0x00)
        /// The handle is not valid.
        public static let invalidHandle = Code(rawValue: 0x01)
        /// The attribute cannot be read.
        public static let readNotPermitted = Code(rawValue: 0x02)
        /// The attribute cannot be written.
        public static let writeNotPermitted = Code(rawValue: 0x03)
        /// The request was malformed.
        public static let invalidPdu = Code(rawValue: 0x04)
        /// The link must be authenticated.
        public static let insufficientAuthentication = Code(rawValue: 0x05)
        /// The request is not supported.
        public static let requestNotSupported = Code(rawValue: 0x06)
        /// The offset is past the end of the value.
        public static let invalidOffset = Code(rawValue: 0x07)
        /// This client may not.
        public static let insufficientAuthorization = Code(rawValue: 0x08)
        /// Too many writes are prepared.
        public static let prepareQueueFull = Code(rawValue: 0x09)
        /// No attribute of this type in this range.
        public static let attributeNotFound = Code(rawValue: 0x0A)
        /// The attribute cannot be read in parts.
        public static let attributeNotLong = Code(rawValue: 0x0B)
        /// The link's key is too short.
        public static let insufficientEncryptionKeySize = Code(rawValue: 0x0C)
        /// The value has the wrong length.
        public static let invalidAttributeValueLength = Code(rawValue: 0x0D)
        /// Something unlikely happened.
        public static let unlikelyError = Code(rawValue: 0x0E)
        /// The link must be encrypted.
        public static let insufficientEncryption = Code(rawValue: 0x0F)
        /// The type is none that groups attributes.
        public static let unsupportedGroupType = Code(rawValue: 0x10)
        /// The peer ran out of something.
        public static let insufficientResources = Code(rawValue: 0x11)

        /// Whether an error has this code: `case CBATTError.insufficientEncryption:`.
        public static func ~= (code: Code, error: any Error) -> Bool {
            (error as? CBATTError)?.code == code
        }
    }

    public let code: Code

    public init(_ code: Code) { self.code = code }

    /// The code as a number.
    public var errorCode: Int { code.rawValue }

    public static var errorDomain: String { CBATTErrorDomain }
}

// As Apple's API writes them where a code is wanted: `CBATTError.success`.
extension CBATTError {
    /// Nothing failed: the answer to a request that is served.
    public static var success: Code { .success }
    /// The handle is not valid.
    public static var invalidHandle: Code { .invalidHandle }
    /// The attribute cannot be read.
    public static var readNotPermitted: Code { .readNotPermitted }
    /// The attribute cannot be written.
    public static var writeNotPermitted: Code { .writeNotPermitted }
    /// The request was malformed.
    public static var invalidPdu: Code { .invalidPdu }
    /// The link must be authenticated.
    public static var insufficientAuthentication: Code { .insufficientAuthentication }
    /// The request is not supported.
    public static var requestNotSupported: Code { .requestNotSupported }
    /// The offset is past the end of the value.
    public static var invalidOffset: Code { .invalidOffset }
    /// This client may not.
    public static var insufficientAuthorization: Code { .insufficientAuthorization }
    /// Too many writes are prepared.
    public static var prepareQueueFull: Code { .prepareQueueFull }
    /// No attribute of this type in this range.
    public static var attributeNotFound: Code { .attributeNotFound }
    /// The attribute cannot be read in parts.
    public static var attributeNotLong: Code { .attributeNotLong }
    /// The link's key is too short.
    public static var insufficientEncryptionKeySize: Code { .insufficientEncryptionKeySize }
    /// The value has the wrong length.
    public static var invalidAttributeValueLength: Code { .invalidAttributeValueLength }
    /// Something unlikely happened.
    public static var unlikelyError: Code { .unlikelyError }
    /// The link must be encrypted.
    public static var insufficientEncryption: Code { .insufficientEncryption }
    /// The type is none that groups attributes.
    public static var unsupportedGroupType: Code { .unsupportedGroupType }
    /// The peer ran out of something.
    public static var insufficientResources: Code { .insufficientResources }
}

extension GATTError {
    /// The error an app sees; nil where it hears of the link's end instead.
    var seenByApp: (any Error)? {
        switch self {
        case .att(let code, _, _): CBATTError(CBATTError.Code(rawValue: Int(code.rawValue)))
        case .timedOut: CBError(.connectionTimeout)
        case .invalidResponse: CBError(.unknown)
        case .disconnected: nil
        }
    }

    /// Whether an encrypted link may change the answer.
    var wantsSecurity: Bool {
        [.insufficientEncryption, .insufficientAuthentication, .insufficientEncryptionKeySize]
            .contains(code)
    }
}
