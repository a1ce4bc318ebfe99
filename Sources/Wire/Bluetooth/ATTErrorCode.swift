import Basics

/// Why an ATT request was refused (Core Specification Vol 3 Part F 3.4.1.1, Supplement Part B 1.2).
package struct ATTErrorCode: RawRepresentable, Error, Hashable, Sendable {
    package let rawValue: UInt8

    /// The code on the air; every value can occur.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let invalidHandle = ATTErrorCode(rawValue: 0x01)
    package static let readNotPermitted = ATTErrorCode(rawValue: 0x02)
    package static let writeNotPermitted = ATTErrorCode(rawValue: 0x03)
    package static let invalidPDU = ATTErrorCode(rawValue: 0x04)
    /// The link's key must come from a pairing with authentication.
    package static let insufficientAuthentication = ATTErrorCode(rawValue: 0x05)
    package static let requestNotSupported = ATTErrorCode(rawValue: 0x06)
    package static let invalidOffset = ATTErrorCode(rawValue: 0x07)
    /// This client may not do that.
    package static let insufficientAuthorization = ATTErrorCode(rawValue: 0x08)
    package static let prepareQueueFull = ATTErrorCode(rawValue: 0x09)
    package static let attributeNotFound = ATTErrorCode(rawValue: 0x0A)
    /// The value is too short for a Read Blob Request.
    package static let attributeNotLong = ATTErrorCode(rawValue: 0x0B)
    package static let insufficientEncryptionKeySize = ATTErrorCode(rawValue: 0x0C)
    package static let invalidAttributeValueLength = ATTErrorCode(rawValue: 0x0D)
    /// Something went wrong inside the server.
    package static let unlikelyError = ATTErrorCode(rawValue: 0x0E)
    package static let insufficientEncryption = ATTErrorCode(rawValue: 0x0F)
    package static let unsupportedGroupType = ATTErrorCode(rawValue: 0x10)
    package static let insufficientResources = ATTErrorCode(rawValue: 0x11)
    /// The client's picture of the database is out of date.
    package static let databaseOutOfSync = ATTErrorCode(rawValue: 0x12)
    package static let valueNotAllowed = ATTErrorCode(rawValue: 0x13)
}

extension ATTErrorCode: CustomStringConvertible {
    /// The name in the trace, for example `invalid-handle`.
    package var description: String {
        if (0x01...0x13).contains(rawValue) { return Self.names[Int(rawValue) - 1] }
        if rawValue >= 0xFC { return Self.profileNames[Int(rawValue) - 0xFC] }
        let digits = String(hexadecimal: rawValue, digits: 2)
        // These are a service's own.
        return (0x80...0x9F).contains(rawValue)
            ? "application-error-0x\(digits)" : "error-0x\(digits)"
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

    /// Those of common profiles.
    private static let profileNames = [
        "write-request-rejected", "improper-client-configuration",
        "procedure-already-in-progress", "out-of-range",
    ]
}
