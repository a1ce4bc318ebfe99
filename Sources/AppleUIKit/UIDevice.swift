public import AppleFoundation
internal import DeviceKit

/// The device that an app runs on.
public final class UIDevice: Sendable {
    /// The device whose turn it is.
    public static let current = UIDevice()

    private init() {}

    /// What apps get without a special right since iOS 16: the kind of device, and not its owner's name for it.
    public var name: String { "iPhone" }
    public var model: String { "iPhone" }
    public var localizedModel: String { model }
    public var systemName: String { "iOS" }
    public var systemVersion: String { "26.0" }

    /// The same for a device in every run.
    public var identifierForVendor: UUID? {
        let hash = Context.current.name.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3
        }
        return UUID(
            uuidString: "00000000-0000-4000-8000-" + String(hash | 1 << 47, radix: 16).suffix(12))
    }
}
