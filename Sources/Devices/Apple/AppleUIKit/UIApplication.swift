public import AppleFoundation
import DeviceKit

/// The app, as far as code without a screen asks it.
public final class UIApplication: Sendable {
    public static let shared = UIApplication()

    private init() {}

    /// Where the app is for its user.
    public enum State: Int, Sendable {
        case active = 0
        case inactive = 1
        case background = 2
    }

    public var applicationState: State {
        AppRuntime.current.isInForeground ? .active : .background
    }

    /// The address of the app's settings.
    public static let openSettingsURLString = "app-settings:"

    /// Opening anything changes nothing: it is a line in the device's log.
    public func open(
        _ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:],
        completionHandler: ((Bool) -> Void)? = nil
    ) {
        Context.current.log("the app opens \(url.absoluteString)")
        guard let completionHandler else { return }
        DispatchQueue.main.post { completionHandler(true) }
    }

    public func canOpenURL(_ url: URL) -> Bool { true }

    public struct OpenExternalURLOptionsKey: Hashable, Sendable {}

    /// Screens never turn off by themselves here.
    public var isIdleTimerDisabled: Bool {
        get { false }
        set {}
    }

    // MARK: Background tasks

    /// Runs on: a simulated app keeps its time in the background for as long as it lives.
    public func beginBackgroundTask(
        withName name: String? = nil, expirationHandler: (() -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier {
        UIBackgroundTaskIdentifier(rawValue: 1)
    }

    public func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {}

    // MARK: Notifications

    public static let didBecomeActiveNotification = name("DidBecomeActive")
    public static let willResignActiveNotification = name("WillResignActive")
    public static let didEnterBackgroundNotification = name("DidEnterBackground")
    public static let willEnterForegroundNotification = name("WillEnterForeground")
    public static let willTerminateNotification = name("WillTerminate")

    private static func name(_ event: String) -> Notification.Name {
        Notification.Name(AppRuntime.notification(event))
    }
}

/// Stands for work that goes on in the background.
public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
}
