package import DeviceLink
private import Foundation

extension Date {
    /// A moment of a run, which begins on 1 January 2026, 00:00 UTC.
    ///
    /// `Date()` is that of the turn in a program of one's own, where the C library's clock is the run's. A device of
    /// ours has no such clock: it asks its context.
    package init(_ moment: VirtualTime) {
        self.init(
            timeIntervalSinceReferenceDate: Self.beginning
                + TimeInterval(moment.nanoseconds) / 1_000_000_000)
    }

    /// The beginning of a run, in seconds since 1 January 2001.
    private static let beginning: TimeInterval = 788_918_400

    /// The moment of the run; its beginning for what lies before.
    var moment: VirtualTime {
        VirtualTime.zero
            + Nanoseconds(seconds: timeIntervalSinceReferenceDate - Self.beginning)
    }
}
