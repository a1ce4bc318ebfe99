import CUV

/// An event loop: what waits for pipes, timers, signals and children, on the thread that made it.
///
/// Neither the loop nor anything on it is `Sendable`, so the compiler keeps all of it on one thread.
/// Callbacks run inside ``run()`` or ``runOnce()`` only, and never one inside another.
package final class Loop {
    private enum State { case idle, running, closed }

    /// As much as a pipe holds by default, so that one read empties it.
    private static let readBufferSize = 65_536

    let raw: UnsafeMutablePointer<uv_loop_t>
    /// One buffer for all pipes, so that it stays in the cache: on Unix libuv asks for memory, fills
    /// it and reports it in one go, and no two reads overlap.
    let readBuffer: UnsafeMutableRawBufferPointer
    /// Children of ours before there was this loop that no loop has started: the business of whoever did.
    let elders: Set<Int32>
    private var state = State.idle
    private var failure: (any Error)?

    /// Makes a loop for the time of `body`, then closes all that is still open on it.
    ///
    /// A child that still runs is killed and waited for, so no zombie is left; nor is an orphan, where
    /// we adopt them (``ThisProcess/adoptOrphans(_:)``).
    /// Callbacks that were set in `body` are not called any more once it has ended. Ignores SIGPIPE
    /// for the whole process: a write to a dead peer is an error, never a signal.
    ///
    /// - Throws: what `body` throws, or an error that was reported to ``fail(_:)`` and not yet thrown,
    ///   or a ``UVError`` where the system has no descriptors for a loop.
    @discardableResult
    package static func with<Value>(_ body: (Loop) throws -> Value) throws -> Value {
        ThisProcess.ignoreBrokenPipes()
        let loop = Loop()
        try loop.open()
        let outcome = Result { try body(loop) }
        loop.close()
        let value = try outcome.get()
        try loop.throwFailure()
        return value
    }

    private init() {
        raw = .allocate(capacity: 1)
        readBuffer = .allocate(byteCount: Loop.readBufferSize, alignment: 64)
        elders = ThisProcess.adoptsOrphans ? ThisProcess.children : []
    }

    deinit {
        raw.deallocate()
        readBuffer.deallocate()
    }

    /// Runs callbacks until nothing is left that could call back, or until ``stop()``.
    ///
    /// - Throws: the first error reported to ``fail(_:)``.
    package func run() throws {
        pass(UV_RUN_DEFAULT)
        try throwFailure()
    }

    /// Waits until something happens, runs its callbacks, and returns whether anything is left.
    ///
    /// - Throws: the first error reported to ``fail(_:)``.
    @discardableResult
    package func runOnce() throws -> Bool {
        let isAlive = pass(UV_RUN_ONCE)
        try throwFailure()
        return isAlive
    }

    /// Lets every callback run that is due now, without waiting for anything.
    package func poll() throws {
        pass(UV_RUN_NOWAIT)
        try throwFailure()
    }

    package var isRunning: Bool { state == .running }

    /// Ends the current run after the callbacks of this pass, or the next run at once.
    package func stop() {
        guard state != .closed else { return }
        uv_stop(raw)
    }

    /// Reports an error from inside a callback: the first one ends the run, which throws it.
    ///
    /// What a callback itself throws comes here by itself.
    package func fail(_ error: any Error) {
        if failure == nil { failure = error }
        stop()
    }

    /// Runs a callback's Swift half and keeps what it throws.
    func attempt(_ callback: () throws -> Void) {
        do { try callback() } catch { fail(error) }
    }

    /// Traps where the loop is closed: a handle made now would never be closed.
    func demandOpen() {
        precondition(state != .closed, "a handle was made on a loop that is closed")
    }

    @discardableResult
    private func pass(_ mode: uv_run_mode) -> Bool {
        switch state {
        case .idle: state = .running
        case .running: preconditionFailure("a callback ran the loop that called it")
        case .closed: preconditionFailure("a loop was run after it was closed")
        }
        defer { state = .idle }
        return uv_run(raw, mode) != 0
    }

    private func throwFailure() throws {
        guard let failure else { return }
        self.failure = nil
        throw failure
    }

    private func open() throws(UVError) {
        do { try check(uv_loop_init(raw), in: "uv_loop_init") } catch {
            state = .closed
            throw error
        }
    }

    private func close() {
        uv_walk(raw, { raw, _ in Handle.owner(of: raw).close() }, nil)
        // More than once, since a stop that is still pending makes a run return at once.
        while pass(UV_RUN_DEFAULT) {}
        endAllOrphans()
        let result = uv_loop_close(raw)
        precondition(
            result == 0, "a loop ended with an open handle: \(UVError.Code(rawValue: result))")
        state = .closed
    }
}
