internal import DeviceLink
package import Simulation

/// How many events a plain run of a topology has: what strategies that count need to know beforehand.
///
/// It follows from the topology alone, so that a seed repeats a run with any strategy.
package struct Census: Sendable {
    /// Steps, at least 1.
    package let steps: UInt64
    /// How many events each channel had; looked up only.
    private let counts: [Keyed: UInt64]

    /// Of a run that has counted its events.
    package init(of world: World) {
        steps = max(world.step, 1)
        counts = world.eventCounts
    }

    /// Of nothing that is known, or of what is given.
    init(steps: UInt64 = 1, counts: [Keyed: UInt64] = [:]) {
        (self.steps, self.counts) = (steps, counts)
    }

    /// Of nothing that is known.
    package static let unknown = Census()

    func events(of channel: Keyed) -> UInt64 { counts[channel] ?? 0 }
}
