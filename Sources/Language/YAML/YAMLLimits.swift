import Basics

/// How much a document may hold; each limit is far above what a person writes.
package enum YAMLLimits {
    /// The most bytes of a file: 1 MiB.
    package static let bytes = 1 << 20
    /// Mappings and lists inside one another.
    package static let depth = 32
    /// Keys, values and lists after aliases are resolved.
    package static let nodes = 200_000
    /// The longest duration, in nanoseconds: one week.
    package static let duration = Quantity.longestDuration
}
