import Basics
import DeviceKit
package import DeviceLink

/// Tells one nearby object from another.
///
/// It can be archived and sent to another device.
public final class NIDiscoveryToken: NSObject, NSCopying, NSSecureCoding, Sendable {
    /// Whose token it is, what that can measure, its device's Bluetooth address, and what tells it from others.
    ///
    /// Apple's tokens are opaque, and so is this one to an app.
    let bytes: [UInt8]

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// What a token begins with.
    private enum Owner: UInt8 {
        case accessory = 0
        /// A session of an Apple device.
        case session = 1
    }

    private static let addressPlace = 2..<8
    private static let length = 24

    private convenience init(
        _ owner: Owner, _ capabilities: DeviceCapabilities, at address: Address, _ rest: [UInt8]
    ) {
        let octets = Self.addressPlace.indices.map {
            UInt8(
                truncatingIfNeeded: address.value >> (8 * UInt64($0 - Self.addressPlace.lowerBound))
            )
        }
        self.init([owner.rawValue, capabilities.bits] + octets + rest)
    }

    /// The token of the accessory that made this configuration data.
    ///
    /// Equal data have equal tokens.
    convenience init(configuration: [UInt8]) {
        let key = configuration.reduce(Keyed(0).with("accessory token")) { $0.with(UInt64($1)) }
        self.init(.accessory, .accessory, at: Address(0), key.bytes(16))
    }

    /// The token of a session of this device: the same as long as the session lives.
    convenience init(session: Int, of system: NearbyInteractionSystem) {
        self.init(
            .session, system.parameters.capabilities, at: system.address,
            Context.current.random("discovery-token/\(session)").bytes(16))
    }

    /// Whether it stands for a session of an Apple device.
    var isOfSession: Bool { bytes[0] == Owner.session.rawValue }

    /// The Bluetooth address of the device that made it.
    var address: Address {
        Address(bytes[Self.addressPlace].reversed().reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// What the device behind the token can measure: an accessory, distances only.
    public var deviceCapabilities: any NIDeviceCapability { DeviceCapabilities(bits: bytes[1]) }

    // MARK: Copies

    public static var supportsSecureCoding: Bool { true }
    private static let key = "bytes"

    /// A token from an archive; nil where that has none.
    public convenience init?(coder: NSCoder) {
        guard let data = coder.decodeObject(of: NSData.self, forKey: Self.key),
            data.length == Self.length, Owner(rawValue: data[0]) != nil
        else { return nil }
        self.init(Array(data as Data))
    }

    public func encode(with coder: NSCoder) {
        coder.encode(NSData(data: Data(bytes)), forKey: Self.key)
    }

    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// What the trace says of it.
    package var told: Field { Field("peer-token", .bytes(bytes)) }

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
