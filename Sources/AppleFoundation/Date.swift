internal import DeviceKit

/// A length of time in seconds.
public typealias TimeInterval = Double

/// A moment of virtual time.
///
/// Every run begins on 1 January 2026, 00:00 UTC.
public struct Date: Hashable, Comparable, Sendable {
    /// Nanoseconds since 1 January 2001, 00:00 UTC.
    private var nanoseconds: Int64

    private init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// The moment of this turn.
    public init() {
        self.init(nanoseconds: Self.beginning + Int64(clamping: Context.current.now.nanoseconds))
    }

    /// The moment of this turn.
    public static var now: Date { Date() }

    /// So many seconds after 1 January 2001, 00:00 UTC.
    public init(timeIntervalSinceReferenceDate seconds: TimeInterval) {
        self.init(nanoseconds: Self.nanoseconds(seconds))
    }

    /// So many seconds after 1 January 1970, 00:00 UTC.
    public init(timeIntervalSince1970 seconds: TimeInterval) {
        self.init(
            timeIntervalSinceReferenceDate: seconds - Self.timeIntervalBetween1970AndReferenceDate)
    }

    /// So many seconds after the moment of this turn.
    public init(timeIntervalSinceNow seconds: TimeInterval) {
        self = Date().addingTimeInterval(seconds)
    }

    /// So many seconds after another moment.
    public init(timeInterval seconds: TimeInterval, since date: Date) {
        self = date.addingTimeInterval(seconds)
    }

    /// Seconds since 1 January 2001, 00:00 UTC.
    public var timeIntervalSinceReferenceDate: TimeInterval {
        TimeInterval(nanoseconds) / 1_000_000_000
    }

    /// Seconds since 1 January 1970, 00:00 UTC.
    public var timeIntervalSince1970: TimeInterval {
        timeIntervalSinceReferenceDate + Self.timeIntervalBetween1970AndReferenceDate
    }

    /// Seconds since the moment of this turn; negative for the past.
    public var timeIntervalSinceNow: TimeInterval { timeIntervalSince(Date()) }

    /// Seconds since another moment; negative where it is later.
    public func timeIntervalSince(_ other: Date) -> TimeInterval {
        TimeInterval(nanoseconds.subtractingReportingOverflow(other.nanoseconds).partialValue)
            / 1_000_000_000
    }

    /// The moment so many seconds later.
    public func addingTimeInterval(_ seconds: TimeInterval) -> Date {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(Self.nanoseconds(seconds))
        guard !overflow else { return seconds > 0 ? .distantFuture : .distantPast }
        return Date(nanoseconds: sum)
    }

    /// Moves the moment by so many seconds.
    public mutating func addTimeInterval(_ seconds: TimeInterval) {
        self = addingTimeInterval(seconds)
    }

    /// The earliest moment.
    public static let distantPast = Date(nanoseconds: .min / 2)
    /// The latest moment.
    public static let distantFuture = Date(nanoseconds: .max / 2)
    /// Seconds from 1 January 1970 to 1 January 2001.
    public static let timeIntervalBetween1970AndReferenceDate: TimeInterval = 978_307_200

    public static func < (left: Date, right: Date) -> Bool { left.nanoseconds < right.nanoseconds }

    /// The moment so many seconds later.
    public static func + (date: Date, seconds: TimeInterval) -> Date {
        date.addingTimeInterval(seconds)
    }

    /// The moment so many seconds earlier.
    public static func - (date: Date, seconds: TimeInterval) -> Date {
        date.addingTimeInterval(-seconds)
    }

    /// The beginning of a run, in nanoseconds since 2001.
    private static let beginning: Int64 = 788_918_400 * 1_000_000_000

    private static func nanoseconds(_ seconds: TimeInterval) -> Int64 {
        let nanoseconds = (seconds * 1_000_000_000).rounded()
        return Int64(exactly: nanoseconds) ?? (seconds > 0 ? .max / 2 : .min / 2)
    }
}

extension Date: CustomStringConvertible {
    /// Seconds since 1 January 2001.
    public var description: String { "\(timeIntervalSinceReferenceDate) s after 2001-01-01" }
}
