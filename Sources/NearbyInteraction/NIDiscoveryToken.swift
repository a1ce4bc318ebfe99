internal import DeviceKit
internal import DeviceLink

/// Tells one nearby object from another.
///
/// It can be archived and sent to another device.
public final class NIDiscoveryToken: NSObject, NSCopying, NSSecureCoding, Sendable {
    private let bytes: [UInt8]

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    private static let length = 16

    /// The token of the accessory that made this configuration data.
    ///
    /// Equal data have equal tokens.
    convenience init(configuration: [UInt8]) {
        let key = configuration.reduce(Keyed(0).with("accessory token")) { $0.with(UInt64($1)) }
        self.init(key.bytes(Self.length))
    }

    /// The token of a session of this device: the same as long as the session lives.
    convenience init(session: Int) {
        self.init(Context.current.random("discovery-token/\(session)").bytes(Self.length))
    }

    /// What the device behind the token can measure: an accessory, distances only.
    public var deviceCapabilities: any NIDeviceCapability {
        DeviceCapabilities(
            distance: true, direction: false, camera: false, extendedDistance: false)
    }

    // MARK: Copies

    public static var supportsSecureCoding: Bool { true }
    private static let key = "bytes"

    /// A token from an archive; nil where that has none.
    public convenience init?(coder: NSCoder) {
        guard let data = coder.decodeObject(of: NSData.self, forKey: Self.key),
            data.length == Self.length
        else { return nil }
        self.init(Array(data as Data))
    }

    public func encode(with coder: NSCoder) {
        coder.encode(NSData(data: Data(bytes)), forKey: Self.key)
    }

    public func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: Comparing

    /// Whether both are the same token.
    public override func isEqual(_ other: Any?) -> Bool {
        (other as? NIDiscoveryToken)?.bytes == bytes
    }

    public override var hash: Int {
        Int(truncatingIfNeeded: bytes.prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
    }

    /// The token's bytes in digits.
    public override var description: String { String(hexadecimalPairs: bytes) }
}
