/// A length of virtual time in nanoseconds.
public typealias Nanoseconds = UInt64

extension Nanoseconds {
    /// So many times this length; the longest there is where that is out of range.
    public func times(_ count: UInt64) -> Nanoseconds {
        let (product, overflow) = multipliedReportingOverflow(by: count)
        return overflow ? .max : product
    }

    public static func microseconds(_ count: UInt64) -> Nanoseconds { count * 1_000 }

    public static func milliseconds(_ count: UInt64) -> Nanoseconds { count * 1_000_000 }

    /// `count` seconds, at most 18,446,744,073 (584 years).
    public static func seconds(_ count: UInt64) -> Nanoseconds { count * 1_000_000_000 }
}

/// A moment of virtual time: whole nanoseconds since the run began.
///
/// Nothing in the core or in a device reads any other clock.
public struct VirtualTime: Comparable, Hashable, Sendable {
    /// Nanoseconds since the run began.
    public var nanoseconds: UInt64

    /// The moment `nanoseconds` after the run began.
    public init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

    /// The beginning of the run.
    public static let zero = VirtualTime(nanoseconds: 0)

    /// A moment that no run reaches.
    public static let never = VirtualTime(nanoseconds: .max)

    public static func < (left: VirtualTime, right: VirtualTime) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// The moment `length` later; `never` where that is out of range.
    public static func + (moment: VirtualTime, length: Nanoseconds) -> VirtualTime {
        let (sum, overflow) = moment.nanoseconds.addingReportingOverflow(length)
        return overflow ? .never : VirtualTime(nanoseconds: sum)
    }

    /// The moment `length` earlier, but not before the beginning; `never` stays.
    public static func - (moment: VirtualTime, length: Nanoseconds) -> VirtualTime {
        guard moment != .never else { return .never }
        return VirtualTime(nanoseconds: moment.nanoseconds - min(length, moment.nanoseconds))
    }

    /// The time from `earlier` to `later`; zero where `later` is not later.
    public static func - (later: VirtualTime, earlier: VirtualTime) -> Nanoseconds {
        later.nanoseconds > earlier.nanoseconds ? later.nanoseconds - earlier.nanoseconds : 0
    }
}
