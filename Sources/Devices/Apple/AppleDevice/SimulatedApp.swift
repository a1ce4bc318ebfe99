public import DeviceKit

/// An app that runs on a simulated Apple device.
///
/// Write it as for iOS, against this package's `CoreBluetooth` and `NearbyInteraction`, and make it a
/// program with `AppleDevice.run(_:program:)`. The system makes the app when it is launched and lets
/// go of it when it is terminated. Global and static variables of the app's Swift modules begin anew with each launch;
/// what else survives it (a C library's state), `keepsGlobalState` is for.
public protocol SimulatedApp: AnyObject {
    /// Names of the parameters that a topology can give to this app, besides the system's.
    static var parameterNames: [String] { get }
    /// Names of the defects that a topology can switch on in this app, besides the system's.
    static var defectNames: [String] { get }

    /// Whether the app can be launched so; asked before the run begins.
    ///
    /// - Throws: `Refusal` with a sentence for the user.
    static func check(_ launch: AppLaunch) throws(Refusal)

    /// The app is launched: `application(_:didFinishLaunchingWithOptions:)`.
    init(_ launch: AppLaunch)

    /// The app has left the foreground, or the screen was locked.
    ///
    /// It goes on running, as an app does that has the background mode `bluetooth-central`.
    func didEnterBackground()
    /// The app is about to enter the foreground.
    func willEnterForeground()
    /// The user quits the app.
    func willTerminate()
    /// The user wants to range with an accessory of this name, or with all.
    func start(peer: String?)
    /// The user wants no more of an accessory of this name, or of all.
    func stop(peer: String?)
}

extension SimulatedApp {
    public static var parameterNames: [String] { [] }
    public static var defectNames: [String] { [] }
    /// Any launch will do.
    public static func check(_ launch: AppLaunch) throws(Refusal) {}
    public func didEnterBackground() {}
    public func willEnterForeground() {}
    public func willTerminate() {}
    public func start(peer: String?) {}
    public func stop(peer: String?) {}
}

/// What a topology says about an app.
public struct AppLaunch: Equatable, Sendable {
    public var device: String
    /// The app's own parameters, in the topology's order.
    public var parameters: [Pair]
    /// The app's own defects.
    public var defects: [String]
    /// The restore identifiers of the central managers for which the system launches it: what iOS has under
    /// `UIApplication.LaunchOptionsKey.bluetoothCentrals`.
    public var bluetoothCentrals: [String] = []
    /// The same of peripheral managers.
    public var bluetoothPeripherals: [String] = []

    public init(device: String, parameters: [Pair] = [], defects: [String] = []) {
        self.device = device
        self.parameters = parameters
        self.defects = defects
    }

    /// The value of a parameter; nil where the topology does not give it.
    public subscript(name: String) -> String? { parameters.last { $0.name == name }?.value }
}
