import Basics
import Bluetooth
package import DeviceKit

/// A key shared with a peer, and how good it is.
package struct Bond: Equatable, Sendable {
    /// The long-term key: 16 bytes.
    package var key: [UInt8]
    /// How many bytes of the key are secret: 7 … 16.
    package var keySize: UInt8
    /// Whether the pairing was protected against a man in the middle.
    package var isAuthenticated: Bool
    /// By what the peripheral finds the key of legacy pairing; both are 0 otherwise.
    package var random: UInt64
    package var diversifier: UInt16
    /// The key that resolves the peer's private addresses: 16 bytes; nil where it gave none.
    package var resolvingKey: [UInt8]?

    package init(
        key: [UInt8], keySize: UInt8 = 16, isAuthenticated: Bool = false, random: UInt64 = 0,
        diversifier: UInt16 = 0, resolvingKey: [UInt8]? = nil
    ) {
        precondition(key.count == 16, "a long-term key has 16 bytes")
        self.random = random
        self.diversifier = diversifier
        self.resolvingKey = resolvingKey
        self.key = key
        self.keySize = keySize
        self.isAuthenticated = isAuthenticated
    }

    /// Reads what was stored; nil where it is none of this.
    ///
    /// The key, its size (16 where it is missing) and whether it is authenticated (not, where that is missing); of a
    /// pairing also the numbers of the key (10 bytes), and the peer's resolving key (16 more).
    package init?(stored bytes: [UInt8]) {
        guard (16...18).contains(bytes.count) || [28, 44].contains(bytes.count) else { return nil }
        let size = bytes.count > 16 ? bytes[16] : 16
        guard (7...16).contains(size) else { return nil }
        self.init(
            key: Array(bytes[..<16]), keySize: size,
            isAuthenticated: bytes.count > 17 && bytes[17] & 1 == 1)
        guard bytes.count > 18 else { return }
        random = UInt64(littleEndian: bytes[18..<26])
        diversifier = UInt16(bytes[26]) | UInt16(bytes[27]) << 8
        if bytes.count > 28 { resolvingKey = Array(bytes[28...]) }
    }

    /// The bytes to store: 18, of a pairing 28 or 44.
    package var stored: [UInt8] {
        var bytes = key + [keySize, isAuthenticated ? 1 : 0]
        guard random != 0 || diversifier != 0 || resolvingKey != nil else { return bytes }
        bytes.append(littleEndian: random)
        bytes.append(littleEndian: diversifier)
        return bytes + (resolvingKey ?? [])
    }

    /// The key as the controller wants it.
    var longTermKey: LongTermKey {
        LongTermKey(key: key, random: random, diversifier: diversifier)
    }

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
        get { values[BondKey.of(peer)].flatMap { Bond(stored: $0) } }
        set { store(newValue?.stored, under: BondKey.of(peer)) }
    }

    /// The peers that have a key, in the order of their addresses.
    var peers: [Address] {
        values.keys.filter { $0.hasPrefix(BondKey.prefix) }.compactMap { key in
            Address(written: key.dropFirst(BondKey.prefix.count))
        }.sorted()
    }

    /// The address that a peer really has: a private one is resolved by the keys of bonded peers, any other is itself.
    func identity(of peer: Address) -> Address {
        guard peer.isResolvable, self[bond: peer] == nil else { return peer }
        return peers.first { known in
            self[bond: known]?.resolvingKey.map { peer.isResolved(by: $0) } == true
        } ?? peer
    }

    /// The key that resolves this device's own private addresses; nil before one was drawn.
    var ownResolvingKey: [UInt8]? {
        get { values[Host.identityKey].flatMap { $0.count == 16 ? $0 : nil } }
        set { store(newValue, under: Host.identityKey) }
    }

    /// What somebody else has stored under a key; nil where it was erased.
    mutating func note(_ value: [UInt8]?, under key: String) { values[key] = value }

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
            let bytes = newValue.flatMap { [UInt8](littleEndian: $0) + $1.bytes }
            store(bytes.isEmpty ? nil : bytes, under: "cccd/\(peer)")
        }
    }

    /// What a bonded peer knows of this device's attributes: its Client Supported Features, and the Database Hash of
    /// then; nil where that was never kept.
    subscript(database peer: Address) -> [UInt8]? {
        get { values["database/\(peer)"].flatMap { $0.count == 17 ? $0 : nil } }
        set { store(newValue, under: "database/\(peer)") }
    }

    private mutating func store(_ value: [UInt8]?, under key: String) {
        guard values[key] != value else { return }
        values[key] = value
        context.answer(.store(key: key, value: value))
    }
}

// For a host below firmware that has the storage in its own hands.
extension Host {
    /// Under which the key is stored that resolves this device's own private addresses.
    package static let identityKey = "identity-key"

    /// What is stored of the bond with a peer; nil where there is none.
    package func storedBond(with peer: Address) -> [UInt8]? { bonds[bond: peer]?.stored }

    /// The firmware has stored something of the host's by itself; nil where it has erased it.
    package func note(_ value: [UInt8]?, under key: String) { bonds.note(value, under: key) }
}

extension Address {
    /// Reads six hexadecimal octets with colons; nil where it is none.
    fileprivate init?(written text: Substring) {
        let octets = text.split(separator: ":").map { UInt8($0, radix: 16) }
        guard octets.count == 6 else { return nil }
        var value: UInt64 = 0
        for octet in octets {
            guard let octet else { return nil }
            value = value << 8 | UInt64(octet)
        }
        self.init(value)
    }
}
