internal import DeviceKit
internal import DeviceLink

/// Tells one nearby object from another.
public final class NIDiscoveryToken: Hashable, Sendable, CustomStringConvertible {
    private let bytes: [UInt8]

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The token of the accessory that made this configuration data.
    ///
    /// Equal data have equal tokens.
    convenience init(configuration: [UInt8]) {
        let key = configuration.reduce(Keyed(0).with("accessory token")) { $0.with(UInt64($1)) }
        self.init(key.bytes(16))
    }

    /// The token of a session of this device: the same as long as the session lives.
    convenience init(session: Int) {
        self.init(Context.current.random("discovery-token/\(session)").bytes(16))
    }

    /// What the device behind the token can measure: an accessory, distances only.
    public var deviceCapabilities: any NIDeviceCapability {
        DeviceCapabilities(
            distance: true, direction: false, camera: false, extendedDistance: false)
    }

    /// Whether both are the same token.
    public static func == (left: NIDiscoveryToken, right: NIDiscoveryToken) -> Bool {
        left.bytes == right.bytes
    }

    /// Hashes the token's bytes.
    public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }

    /// The token's bytes in digits.
    public var description: String {
        String(hexadecimalPairs: bytes)
    }
}
