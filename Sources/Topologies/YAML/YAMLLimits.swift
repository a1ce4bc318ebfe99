/// How much a topology file may hold; each limit is far above what a person writes.
package enum TopologyLimits {
    /// Bytes of a file.
    package static let bytes = 1 << 20
    /// Mappings and lists inside one another.
    package static let depth = 32
    /// Keys, values and lists after aliases are resolved.
    package static let nodes = 200_000
    /// Devices.
    package static let devices = 256
    /// Steps.
    package static let steps = 10_000
    /// Expectations.
    package static let expectations = 1_000
    /// Keys of a promise, a fluent or a goal.
    package static let eventKeys = 8
    /// The length of a run: one week of simulated time.
    package static let length: UInt64 = 7 * 24 * 3_600 * 1_000_000_000
}
