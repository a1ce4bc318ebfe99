/// Who may read or write an attribute.
package struct Access {
    /// What the link must be.
    package enum Requirement: Equatable, Sendable {
        case forbidden
        case open
        /// The link must be encrypted; else the answer is Insufficient Encryption (0x0F).
        case encrypted
        /// The link must be encrypted with a key from an authenticated pairing; else the answer is
        /// Insufficient Authentication (0x05).
        case authenticated
    }

    /// What the link must be.
    package var requirement: Requirement
    /// The shortest key in bytes, 7 … 16; with a shorter one the answer is 0x0C.
    package var minimumKeySize: UInt8
    /// Whether this client may; else the answer is Insufficient Authorization (0x08).
    package var isAuthorized: ((Connection) -> Bool)?

    package init(
        _ requirement: Requirement, minimumKeySize: UInt8 = 7,
        isAuthorized: ((Connection) -> Bool)? = nil
    ) {
        self.requirement = requirement
        self.minimumKeySize = minimumKeySize
        self.isAuthorized = isAuthorized
    }

    package static var forbidden: Access { Access(.forbidden) }
    package static var open: Access { Access(.open) }
    package static var encrypted: Access { Access(.encrypted) }
    /// The link must be encrypted with a key from an authenticated pairing.
    package static var authenticated: Access { Access(.authenticated) }
}
