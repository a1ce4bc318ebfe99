import DeviceKit

/// A moment for a queue.
public struct DispatchTime: Hashable, Comparable, Sendable {
    let moment: VirtualTime

    init(moment: VirtualTime) { self.moment = moment }

    /// So many nanoseconds since the run began.
    public init(uptimeNanoseconds: UInt64) {
        moment = .zero + Nanoseconds(uptimeNanoseconds)
    }

    /// The moment of this turn.
    public static func now() -> DispatchTime { DispatchTime(moment: Context.current.now) }

    /// Never.
    public static let distantFuture = DispatchTime(uptimeNanoseconds: .max / 2)

    /// Nanoseconds since the run began.
    public var uptimeNanoseconds: UInt64 { moment.nanoseconds }

    public static func < (left: DispatchTime, right: DispatchTime) -> Bool {
        left.moment < right.moment
    }

    /// The moment so many seconds later; earlier where they are negative.
    public func advanced(bySeconds seconds: Double) -> DispatchTime {
        seconds < 0
            ? DispatchTime(moment: moment.earlier(by: Nanoseconds(seconds: -seconds)))
            : DispatchTime(moment: moment + Nanoseconds(seconds: seconds))
    }

    /// The moment an interval later; earlier where it is negative.
    public func advanced(by interval: DispatchTimeInterval) -> DispatchTime {
        advanced(bySeconds: interval.seconds)
    }
}

/// A time of day for a queue.
public struct DispatchWallTime: Hashable, Comparable, Sendable {
    let moment: VirtualTime

    /// The moment of this turn.
    public static func now() -> DispatchWallTime {
        DispatchWallTime(moment: Context.current.now)
    }

    public static func < (left: DispatchWallTime, right: DispatchWallTime) -> Bool {
        left.moment < right.moment
    }

    /// The moment so many seconds later; earlier where they are negative.
    public func advanced(bySeconds seconds: Double) -> DispatchWallTime {
        DispatchWallTime(moment: DispatchTime(moment: moment).advanced(bySeconds: seconds).moment)
    }
}

/// A length of time for a queue.
public enum DispatchTimeInterval: Hashable, Sendable {
    case seconds(Int)
    /// Thousandths of a second.
    case milliseconds(Int)
    /// Millionths of a second.
    case microseconds(Int)
    /// Billionths of a second.
    case nanoseconds(Int)
    /// For ever.
    case never

    /// The length in seconds, which Dispatch does not tell; the package's plugin needs it.
    public var seconds: Double {
        switch self {
        case .seconds(let count): Double(count)
        case .milliseconds(let count): Double(count) / 1_000
        case .microseconds(let count): Double(count) / 1_000_000
        case .nanoseconds(let count): Double(count) / 1_000_000_000
        case .never: .infinity
        }
    }
}

// A file that imports Foundation alone has operators of the same meaning, which the package's plugin makes; these
// give way to them.
extension DispatchTime {
    /// The moment so many seconds later.
    @_disfavoredOverload
    public static func + (time: DispatchTime, seconds: Double) -> DispatchTime {
        time.advanced(bySeconds: seconds)
    }

    /// The moment so many seconds earlier.
    @_disfavoredOverload
    public static func - (time: DispatchTime, seconds: Double) -> DispatchTime {
        time.advanced(bySeconds: -seconds)
    }

    /// The moment an interval later.
    @_disfavoredOverload
    public static func + (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime {
        time.advanced(by: interval)
    }

    /// The moment an interval earlier.
    @_disfavoredOverload
    public static func - (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime {
        time.advanced(bySeconds: -interval.seconds)
    }
}

extension DispatchWallTime {
    /// The moment so many seconds later.
    @_disfavoredOverload
    public static func + (time: DispatchWallTime, seconds: Double) -> DispatchWallTime {
        time.advanced(bySeconds: seconds)
    }

    /// The moment so many seconds earlier.
    @_disfavoredOverload
    public static func - (time: DispatchWallTime, seconds: Double) -> DispatchWallTime {
        time.advanced(bySeconds: -seconds)
    }

    /// The moment an interval earlier.
    @_disfavoredOverload
    public static func - (
        time: DispatchWallTime, interval: DispatchTimeInterval
    ) -> DispatchWallTime {
        time.advanced(bySeconds: -interval.seconds)
    }

    /// The moment an interval later.
    @_disfavoredOverload
    public static func + (
        time: DispatchWallTime, interval: DispatchTimeInterval
    ) -> DispatchWallTime {
        time.advanced(bySeconds: interval.seconds)
    }
}

extension Nanoseconds {
    /// The nearest whole number of nanoseconds; negative lengths are none, and the longest is 100
    /// years.
    init(seconds: Double) {
        let bounded = Swift.min(Swift.max(0, seconds), 3_155_760_000)
        self = Nanoseconds((bounded * 1_000_000_000).rounded())
    }
}

extension VirtualTime {
    /// The moment so much earlier, and none before the run.
    fileprivate func earlier(by length: Nanoseconds) -> VirtualTime {
        .zero + (nanoseconds > length ? nanoseconds - length : 0)
    }
}
