/// How a link is protected.
package enum LinkSecurity: Equatable, Sendable {
    /// Not encrypted.
    case open
    /// Encrypted with a key of so many bytes (7 … 16), which came from a pairing with
    /// authentication or not.
    case encrypted(keySize: UInt8, isAuthenticated: Bool)

    /// Whether the link is encrypted.
    package var isEncrypted: Bool { self != .open }
}
