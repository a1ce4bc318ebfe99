public import AppleFoundation
import DeviceKit
import DeviceLink

/// The device that an app runs on.
public final class UIDevice: Sendable {
    /// The device whose turn it is.
    public static let current = UIDevice()

    private init() {}

    /// What the topology says (`device-name`); else what apps get without a special right since iOS 16: the kind of
    /// device, and not its owner's name for it.
    public var name: String { AppRuntime.ofTurn?.deviceName ?? model }
    /// `iPhone` where there is no device around.
    public var model: String { AppRuntime.ofTurn?.deviceKind ?? "iPhone" }
    public var localizedModel: String { model }
    public var systemName: String { model == "iPad" ? "iPadOS" : "iOS" }
    public var systemVersion: String { "26.0" }

    /// The same for a device in every run.
    public var identifierForVendor: UUID? {
        UUID(random: Keyed(0).with("vendor").with(Context.current.name).bytes(16))
    }
}
