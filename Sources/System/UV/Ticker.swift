import CUV
import Glibc

/// Ticks of the wall clock that the kernel counts, for watchdogs.
///
/// A ``Timer`` bounds each of the loop's waits, which sets and clears a timer of the kernel every time;
/// where the loop waits once for every turn of a device, that is some percent of the turn.
package final class Ticker: Handle {
    private let descriptor: Descriptor
    private var onTick: () throws -> Void = {}

    package init(on loop: Loop) throws(UVError) {
        let number = cuv_ticker()
        try check(number, in: "timerfd_create")
        let descriptor = Descriptor(owning: number)
        self.descriptor = descriptor
        try super.init(on: loop, as: UV_POLL, by: "uv_poll_init") {
            uv_poll_init(loop.raw, $0.assumingMemoryBound(to: uv_poll_t.self), number)
        }
    }

    /// Ticks every `period` milliseconds, at least 1, from now on; what was set before is forgotten.
    ///
    /// Ticks that came while the loop was busy are one.
    package func start(every period: UInt64, _ onTick: @escaping () throws -> Void) throws(UVError)
    {
        precondition(isOpen, "a ticker was started after it was closed")
        self.onTick = onTick
        try set(max(period, 1))
        let result = uv_poll_start(poll, Int32(UV_READABLE.rawValue)) { raw, _, _ in
            let ticker = Handle.owner(Ticker.self, of: raw)
            ticker.forgetTicks()
            ticker.loop.attempt(ticker.onTick)
        }
        try check(result, in: "uv_poll_start")
    }

    /// Ticks no more; it can be started again.
    package func stop() throws(UVError) {
        guard isOpen else { return }
        uv_poll_stop(poll)
        try set(0)
    }

    private func set(_ period: UInt64) throws(UVError) {
        guard let number = descriptor.number else { return }
        try check(cuv_set_ticker(number, period), in: "timerfd_settime")
    }

    private func forgetTicks() {
        var count: UInt64 = 0
        if let number = descriptor.number { _ = read(number, &count, 8) }
    }

    override func dropCallbacks() { onTick = {} }
}
