import CUV

/// A timer of the wall clock, for watchdogs and pacing; virtual time never comes from it.
package final class Timer: Handle {
    private var onFire: () throws -> Void = {}

    private var timer: UnsafeMutablePointer<uv_timer_t> {
        memory.assumingMemoryBound(to: uv_timer_t.self)
    }

    package init(on loop: Loop) throws(UVError) {
        try super.init(on: loop, as: UV_TIMER, by: "uv_timer_init") {
            uv_timer_init(loop.raw, $0.assumingMemoryBound(to: uv_timer_t.self))
        }
    }

    /// Fires after `delay` milliseconds from now, then every `period` milliseconds where that is
    /// above zero; what was set before is forgotten.
    ///
    /// Timers due at the same millisecond fire in the order in which they were started.
    package func start(
        after delay: UInt64, every period: UInt64 = 0, _ onFire: @escaping () throws -> Void
    ) {
        precondition(isOpen, "a timer was started after it was closed")
        self.onFire = onFire
        // libuv counts from the time it last looked at, which a long callback leaves behind.
        uv_update_time(loop.raw)
        let result = uv_timer_start(
            timer,
            { raw in
                let timer = Handle.owner(Timer.self, of: raw)
                timer.loop.attempt(timer.onFire)
            }, delay, period)
        precondition(result == 0, "uv_timer_start refuses closing timers only")
    }

    /// Unsets the timer; it can be started again.
    package func stop() {
        guard isOpen else { return }
        uv_timer_stop(timer)
    }

    override func dropCallbacks() { onFire = {} }
}
