import AppleFoundation
public import DeviceKit

/// An Apple device on which an app of this type runs.
public final class AppleDeviceRunning<App: SimulatedApp>: Device {
    private let system: AppleDeviceSystem

    /// The device of one incarnation.
    ///
    /// - Throws: `Refusal` that names the nearest known model, parameter, choice or defect, or the range
    ///   of a number.
    public init(_ reset: Reset, in context: Context) throws(Refusal) {
        // What an earlier run has left in this program is gone by now.
        AppGlobals.renew()
        let settings = try SystemSettings.read(
            reset, appParameters: App.parameterNames, appDefects: App.defectNames)
        let launch = settings.appLaunch
        try App.check(launch)
        system = AppleDeviceSystem(reset, settings: settings, in: context) {
            var launch = launch
            launch.bluetoothCentrals = $0.centrals
            launch.bluetoothPeripherals = $0.peripherals
            return App(launch)
        }
    }

    public func handle(_ event: DeviceEvent) { system.handle(event) }
}

/// The reference Apple device: the simulated system and the reference app.
package typealias SimulatedAppleDevice = AppleDeviceRunning<ReferenceApp>

/// The main program of a device that runs an app of your own; never returns.
///
/// In a topology the program is an executable device: `AppleDevice.run(MyApp.self, program: "my-app")`.
///
/// - Parameters:
///   - app: The app, made anew at every launch.
///   - program: The program's name for people.
///   - keepsGlobalState: Whether something that the app keeps survives it that is no global or static variable of its
///     Swift modules, such as a C library's; it then gets a new process for every run.
public func run<App: SimulatedApp>(
    _ app: App.Type, program: String, keepsGlobalState: Bool = false
) -> Never {
    lendTurns()
    Context.stampPrints()
    DeviceKit.run(
        AppleDeviceRunning<App>.self, program: program, keepsGlobalState: keepsGlobalState)
}

/// Makes time, chance and tasks of this program those of its device's turns, and its globals those of the app's life.
package func lendTurns() {
    AppGlobals.note()
    Context.lendTimeAndChance()
    Executors.install()
}
