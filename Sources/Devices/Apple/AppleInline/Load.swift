public import AppleDevice
import AppleFoundation
import DeviceKit

/// Offers an app of your own to `--hosting inline`, which loads it as a library and calls its C function
/// `anechoic_device`.
///
/// ```swift
/// @c(anechoic_device)
/// public func load(_ host: UnsafeMutableRawPointer) {
///     AppleInline.load(MyApp.self, program: "my-app", into: host)
/// }
/// ```
///
/// The library has all that it needs inside, the C library excepted: whoever imports this is linked so in a release
/// build.
///
/// - Parameters:
///   - app: The app, made anew at every launch.
///   - program: The program's name for people.
///   - host: What `anechoic_device` was called with.
public func load<App: SimulatedApp>(
    _ app: App.Type, program: String, into host: UnsafeMutableRawPointer
) {
    lendTurns()
    DeviceKit.load(
        AppleDeviceRunning<App>.self, program: program, into: host,
        unless: isVirtual
            ? nil
            : "its Foundation is not inside, so dates would be those of the wall clock; build it by "
                + "swift build -c release")
}

/// Whether Foundation in this library tells the time of the turn.
private var isVirtual: Bool {
    let context = Context(Reset(name: "", model: "")) { _ in }
    return context.asCurrent { Date() == Date(.zero) }
}
