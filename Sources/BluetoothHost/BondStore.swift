import Bluetooth
import DeviceKit

/// A key shared with a peer, and how good it is.
package struct Bond: Equatable, Sendable {
    /// The long-term key: 16 bytes.
    package var key: [UInt8]
    /// How many bytes of the key are secret: 7 … 16.
    package var keySize: UInt8
    /// Whether the pairing was protected against a man in the middle.
    package var isAuthenticated: Bool

    package init(key: [UInt8], keySize: UInt8 = 16, isAuthenticated: Bool = false) {
        precondition(key.count == 16, "a long-term key has 16 bytes")
        self.key = key
        self.keySize = keySize
        self.isAuthenticated = isAuthenticated
    }

    /// Reads what was stored: the key, its size (16 where it is missing) and whether it is
    /// authenticated (not, where that is missing); nil where it is none of this.
    package init?(stored bytes: [UInt8]) {
        guard (16...18).contains(bytes.count) else { return nil }
        let size = bytes.count > 16 ? bytes[16] : 16
        guard (7...16).contains(size) else { return nil }
        self.init(
            key: Array(bytes[..<16]), keySize: size,
            isAuthenticated: bytes.count > 17 && bytes[17] & 1 == 1)
    }

    /// The bytes to store: 18.
    package var stored: [UInt8] { key + [keySize, isAuthenticated ? 1 : 0] }

    /// The protection of a link that is encrypted with this key.
    var security: LinkSecurity {
        .encrypted(keySize: keySize, isAuthenticated: isAuthenticated)
    }
}

/// Keys of peers, and what bonded peers have subscribed to; all of it outlives the device.
struct BondStore {
    private let context: Context
    /// By the key of the pair; only ever looked up.
    private var values: [String: [UInt8]] = [:]

    init(in context: Context, stored: [StoredPair]) {
        self.context = context
        for pair in stored { values[pair.key] = pair.value }
    }

    subscript(bond peer: Address) -> Bond? {
        get { values[String(joining: "bond/", peer.description)].flatMap { Bond(stored: $0) } }
        set { store(newValue?.stored, under: "bond/\(peer)") }
    }

    /// What a bonded peer has subscribed to, by the handle of the configuration descriptor.
    subscript(subscriptions peer: Address) -> [(handle: UInt16, Subscription)] {
        get {
            let bytes = values[String(joining: "cccd/", peer.description)] ?? []
            return stride(from: 0, to: bytes.count - bytes.count % 4, by: 4).map { start in
                let handle = UInt16(bytes[start]) | UInt16(bytes[start + 1]) << 8
                let value = UInt16(bytes[start + 2]) | UInt16(bytes[start + 3]) << 8
                return (handle, Subscription(rawValue: value))
            }
        }
        set {
            let bytes = newValue.flatMap { handle, subscription in
                [UInt8(truncatingIfNeeded: handle), UInt8(truncatingIfNeeded: handle >> 8)]
                    + subscription.bytes
            }
            store(bytes.isEmpty ? nil : bytes, under: "cccd/\(peer)")
        }
    }

    private mutating func store(_ value: [UInt8]?, under key: String) {
        guard values[key] != value else { return }
        values[key] = value
        context.answer(.store(key: key, value: value))
    }
}
