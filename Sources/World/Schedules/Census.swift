package import DeviceLink

/// How many events a plain run of a topology has: what strategies that count need to know beforehand.
///
/// It follows from the topology alone, so that a seed repeats a run with any strategy.
package struct Census: Sendable {
    /// Steps, at least 1.
    package let steps: UInt64
    /// How many events each channel had; looked up only.
    private let counts: [Keyed: UInt64]

    /// Of a run with so many steps, and so many events of each channel.
    package init(steps: UInt64, counts: [Keyed: UInt64] = [:]) {
        (self.steps, self.counts) = (max(steps, 1), counts)
    }

    package static let unknown = Census(steps: 1)

    func events(of channel: Keyed) -> UInt64 { counts[channel] ?? 0 }
}
