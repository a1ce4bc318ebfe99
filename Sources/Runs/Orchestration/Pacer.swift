import DeviceLink
import Glibc
package import UV

/// Keeps virtual time with the wall clock, for people who watch, to a millisecond.
///
/// Nothing it does reaches the trace, but how far a device that goes by that clock is behind.
package final class Pacer {
    private let loop: Loop
    private let timer: Timer
    /// Whether the loop waits in a callback of its own, or stands still and is to be run here.
    private let blocks: Bool
    private var start: UInt64?
    private var waiting: [(moment: VirtualTime, work: () throws -> Void)] = []
    private var isCancelled = false

    /// A pacer that starts with the first work; `blocks` where that is not done on the loop.
    package init(_ loop: Loop, blocks: Bool) throws {
        self.loop = loop
        self.blocks = blocks
        timer = try Timer(on: loop)
    }

    /// Does some work as soon as as much real time has passed since the last work of time 0 as virtual time.
    func perform(at moment: VirtualTime, _ work: @escaping () throws -> Void) throws {
        if blocks {
            while !isCancelled, wait(for: moment, {}) { try loop.runOnce() }
            if !isCancelled { try work() }
        } else {
            waiting.append((moment, work))
            if waiting.count == 1 { try performDue() }
        }
    }

    /// How much more real time than virtual time has passed since the last work of time 0.
    func lag(behind moment: VirtualTime) -> Nanoseconds {
        let now = Self.monotonic()
        let due = (start ?? now) + moment.nanoseconds
        return now > due ? now - due : 0
    }

    func cancel() {
        isCancelled = true
        waiting = []
        if timer.isOpen { timer.stop() }
    }

    package func close() { timer.close() }

    private func performDue() throws {
        while let next = waiting.first {
            guard !wait(for: next.moment, { [unowned self] in try performDue() }) else { return }
            try next.work()
            if !waiting.isEmpty { waiting.removeFirst() }
        }
    }

    /// Starts the timer; false where the moment has come.
    private func wait(for moment: VirtualTime, _ onFire: @escaping () throws -> Void) -> Bool {
        let now = Self.monotonic()
        // Time 0 lasts until the programs are there.
        let begun = moment == .zero ? now : start ?? now
        start = begun
        let due = begun + moment.nanoseconds
        guard due > now else { return false }
        timer.start(after: (due - now + 999_999) / 1_000_000, onFire)
        return true
    }

    private static func monotonic() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
