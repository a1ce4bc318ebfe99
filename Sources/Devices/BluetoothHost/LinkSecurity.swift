package enum LinkSecurity: Equatable, Sendable {
    case open
    /// Encrypted with a key of so many bytes (7 … 16), which came from a pairing with
    /// authentication or not.
    case encrypted(keySize: UInt8, isAuthenticated: Bool)

    package var isEncrypted: Bool { self != .open }
}
