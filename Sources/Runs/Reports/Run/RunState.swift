import DeviceLink
package import Invariants
package import Monitors
package import Simulation

/// The state of a run at one moment: the core, the apps' sessions, and what the promises wait for.
package struct RunState: Encodable, Equatable, Sendable {
    /// The version of this document.
    package var schema = 1
    /// The topology's name: `dropout/mid-handshake`.
    package let topology: String
    package let seed: UInt64
    /// Devices, links, radios and what is pending.
    package let world: WorldSnapshot
    /// The NISessions that were not invalidated.
    package let sessions: [NISessions.Session]
    /// What promises wait for.
    package let obligations: [OpenObligation]

    /// The state of a run whose events so far `judge` and `sessions` have taken.
    package init(
        topology: String, seed: UInt64, world: WorldSnapshot, judge: Judge, sessions: NISessions
    ) {
        self.topology = topology
        self.seed = seed
        self.world = Self.completed(world, from: judge.scene)
        self.sessions = sessions.all
        obligations = judge.openObligations(at: VirtualTime(nanoseconds: world.time))
    }

    /// Adds what the trace says of apps and radios.
    private static func completed(_ world: WorldSnapshot, from scene: Scene) -> WorldSnapshot {
        var world = world
        for index in world.devices.indices {
            let device = scene.device(world.devices[index].name)
            if device.isAppGone { world.devices[index].doing.append("app terminated") }
            if device.isInBackground { world.devices[index].doing.append("app in the background") }
            if device.isBluetoothOff { world.devices[index].doing.append("Bluetooth off") }
        }
        return world
    }
}
