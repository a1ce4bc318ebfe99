import Basics

/// Why an ATT request was refused (Core Specification Vol 3 Part F 3.4.1.1, Supplement Part B 1.2).
package struct ATTErrorCode: RawRepresentable, Error, Hashable, Sendable {
    /// The code on the air.
    package let rawValue: UInt8

    /// The code on the air; every value can occur.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The handle does not exist.
    package static let invalidHandle = ATTErrorCode(rawValue: 0x01)
    /// The attribute cannot be read.
    package static let readNotPermitted = ATTErrorCode(rawValue: 0x02)
    /// The attribute cannot be written.
    package static let writeNotPermitted = ATTErrorCode(rawValue: 0x03)
    /// The request is malformed.
    package static let invalidPDU = ATTErrorCode(rawValue: 0x04)
    /// The link's key must come from a pairing with authentication.
    package static let insufficientAuthentication = ATTErrorCode(rawValue: 0x05)
    /// The server does not know this request.
    package static let requestNotSupported = ATTErrorCode(rawValue: 0x06)
    /// The offset is past the end of the value.
    package static let invalidOffset = ATTErrorCode(rawValue: 0x07)
    /// This client may not do that.
    package static let insufficientAuthorization = ATTErrorCode(rawValue: 0x08)
    /// Too many prepared writes.
    package static let prepareQueueFull = ATTErrorCode(rawValue: 0x09)
    /// There is no such attribute in the range.
    package static let attributeNotFound = ATTErrorCode(rawValue: 0x0A)
    /// The value is too short for a Read Blob Request.
    package static let attributeNotLong = ATTErrorCode(rawValue: 0x0B)
    /// The link's key is too short.
    package static let insufficientEncryptionKeySize = ATTErrorCode(rawValue: 0x0C)
    /// The value has a length that the attribute does not take.
    package static let invalidAttributeValueLength = ATTErrorCode(rawValue: 0x0D)
    /// Something went wrong inside the server.
    package static let unlikelyError = ATTErrorCode(rawValue: 0x0E)
    /// The link must be encrypted.
    package static let insufficientEncryption = ATTErrorCode(rawValue: 0x0F)
    /// The type does not group attributes.
    package static let unsupportedGroupType = ATTErrorCode(rawValue: 0x10)
    /// The server ran out of something.
    package static let insufficientResources = ATTErrorCode(rawValue: 0x11)
    /// The client's picture of the database is out of date.
    package static let databaseOutOfSync = ATTErrorCode(rawValue: 0x12)
    /// The attribute does not take this value.
    package static let valueNotAllowed = ATTErrorCode(rawValue: 0x13)
    /// Common profile error: the write was refused.
    package static let writeRequestRejected = ATTErrorCode(rawValue: 0xFC)
    /// Common profile error: notifications or indications are not configured as they must be.
    package static let improperClientConfiguration = ATTErrorCode(rawValue: 0xFD)
    /// Common profile error: the procedure is already running.
    package static let procedureAlreadyInProgress = ATTErrorCode(rawValue: 0xFE)
    /// Common profile error: the value is out of range.
    package static let outOfRange = ATTErrorCode(rawValue: 0xFF)

    /// A service's own error: 0x80 … 0x9F.
    package static func application(_ code: UInt8) -> ATTErrorCode {
        precondition((0x80...0x9F).contains(code), "application errors are 0x80 … 0x9F")
        return ATTErrorCode(rawValue: code)
    }

    /// Whether the code belongs to the service and not to ATT.
    package var isApplication: Bool { (0x80...0x9F).contains(rawValue) }
}

extension ATTErrorCode: CustomStringConvertible {
    /// The name in the trace, for example `invalid-handle`.
    package var description: String {
        if (0x01...0x13).contains(rawValue) { return Self.names[Int(rawValue) - 1] }
        if rawValue >= 0xFC { return Self.profileNames[Int(rawValue) - 0xFC] }
        let digits = String(hexadecimal: rawValue, digits: 2)
        return isApplication ? "application-error-0x\(digits)" : "error-0x\(digits)"
    }

    private static let names = [
        "invalid-handle", "read-not-permitted", "write-not-permitted", "invalid-pdu",
        "insufficient-authentication", "request-not-supported", "invalid-offset",
        "insufficient-authorization", "prepare-queue-full", "attribute-not-found",
        "attribute-not-long", "insufficient-encryption-key-size",
        "invalid-attribute-value-length", "unlikely-error", "insufficient-encryption",
        "unsupported-group-type", "insufficient-resources", "database-out-of-sync",
        "value-not-allowed",
    ]

    private static let profileNames = [
        "write-request-rejected", "improper-client-configuration",
        "procedure-already-in-progress", "out-of-range",
    ]
}
