import YAML

/// How much a topology may hold; each limit is far above what a person writes.
package enum TopologyLimits {
    /// The most devices, members of groups included.
    package static let devices = 256
    package static let services = 16
    /// The most steps, with those that end others.
    package static let steps = 10_000
    package static let expectations = 1_000
    /// The length of a run: one week of simulated time.
    package static let length: UInt64 = YAMLLimits.duration
}
