internal import DeviceLink
internal import Glibc

/// Keeps virtual time with the wall clock, for people who watch.
///
/// Nothing it does reaches the trace.
package final class Pacer {
    private var start: UInt64?

    /// A pacer that starts with the first wait.
    package init() {}

    /// Sleeps until as much real time has passed since the first call as virtual time since 0.
    func wait(until moment: VirtualTime) throws {
        let now = Self.monotonic()
        let begun = start ?? now
        start = begun
        let due = begun + moment.nanoseconds
        guard due > now else { return }
        var rest = timespec(
            tv_sec: Int((due - now) / 1_000_000_000), tv_nsec: Int((due - now) % 1_000_000_000))
        // A signal ends the sleep early, which is just what an interrupted user wants.
        nanosleep(&rest, nil)
    }

    private static func monotonic() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
