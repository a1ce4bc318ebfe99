import AppleFoundation
package import DeviceKit

/// An app alone on a device, which does what the test says.
package final class AppBench {
    package let chamber = Chamber()
    private var device: ScriptedDevice?

    /// A device on which `system` makes what the app stands on, and gives what takes its events.
    package init(
        stored: [StoredPair] = [],
        _ system: (Context) -> (DeviceEvent) -> Bool = { _ in { _ in false } }
    ) throws {
        try chamber.add(Reset(name: "ben", model: "", stored: stored)) { reset, context in
            let device = ScriptedDevice(scripted: reset, in: context, system)
            self.device = device
            return device
        }
    }

    /// Lets the app do something in a turn.
    package func app(_ body: @escaping () -> Void) {
        device?.script = body
        chamber.turn(0, .command(name: "script", arguments: []))
        chamber.run(for: 0)
    }

    /// Lets time pass.
    package func wait(_ length: Nanoseconds) { chamber.run(for: length) }
}

private final class ScriptedDevice: Device {
    let runtime: AppRuntime
    private let system: (DeviceEvent) -> Bool
    var script: (() -> Void)?

    init(_ reset: Reset, in context: Context) throws(Refusal) {
        throw Refusal("a scripted device is made by its bench")
    }

    init(
        scripted reset: Reset, in context: Context, _ system: (Context) -> (DeviceEvent) -> Bool
    ) {
        runtime = AppRuntime(stored: reset.stored, in: context)
        self.system = system(context)
    }

    func handle(_ event: DeviceEvent) {
        if case .command = event { return script?() ?? () }
        if !system(event) { _ = runtime.handle(event) }
    }
}
