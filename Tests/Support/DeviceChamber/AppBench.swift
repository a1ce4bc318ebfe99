import AppleFoundation
import DeviceKit

/// An app alone on a device, which does what the test says.
package final class AppBench {
    package let chamber = Chamber()
    private var device: ScriptedDevice?

    package init(stored: [StoredPair] = []) throws {
        try chamber.add(Reset(name: "ben", model: "", stored: stored)) { reset, context in
            let device = ScriptedDevice(scripted: reset, in: context)
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
    var script: (() -> Void)?

    init(_ reset: Reset, in context: Context) throws(Refusal) {
        throw Refusal("a scripted device is made by its bench")
    }

    init(scripted reset: Reset, in context: Context) {
        runtime = AppRuntime(stored: reset.stored, in: context)
    }

    func handle(_ event: DeviceEvent) {
        if case .command = event { return script?() ?? () }
        _ = runtime.handle(event)
    }
}
