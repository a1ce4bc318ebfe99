/// Work of which one wants to know when all of it is done.
public final class DispatchGroup {
    private var count = 0
    private var observers: [(queue: DispatchQueue, block: () -> Void)] = []

    public init() {}

    /// One more thing to do.
    public func enter() { count += 1 }

    /// One thing is done.
    ///
    /// Whoever leaves more often than they entered made a mistake, and traps, as on iOS.
    public func leave() {
        precondition(count > 0, "DispatchGroup.leave without enter")
        count -= 1
        guard count == 0 else { return }
        for observer in observers { observer.queue.post(observer.block) }
        observers = []
    }

    /// Runs `block` on a queue once nothing is left to do.
    public func notify(
        qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], queue: DispatchQueue,
        execute block: @escaping () -> Void
    ) {
        if count == 0 { queue.post(block) } else { observers.append((queue, block)) }
    }

    /// Runs an item on a queue once nothing is left to do.
    public func notify(queue: DispatchQueue, work: DispatchWorkItem) {
        notify(queue: queue) { work.perform() }
    }

    /// Returns where nothing is left to do, and traps elsewhere: what it waits for could only happen in a later turn.
    public func wait() {
        precondition(
            count == 0, "DispatchGroup.wait would keep the turn waiting for ever; use notify")
    }

    /// Whether nothing is left to do; one that waits would only be late.
    @discardableResult
    public func wait(timeout: DispatchTime) -> DispatchTimeoutResult {
        count == 0 ? .success : .timedOut
    }
}

/// Whether what was waited for has come.
public enum DispatchTimeoutResult: Sendable { case success, timedOut }

/// A number of things that may be taken.
public final class DispatchSemaphore {
    private var value: Int

    public init(value: Int) { self.value = value }

    /// Gives one back; not 0 where somebody waited for it, and nobody can.
    @discardableResult
    public func signal() -> Int {
        value += 1
        return 0
    }

    /// Takes one; traps where there is none, because whoever has it could only give it back in a later turn.
    public func wait() {
        precondition(
            value > 0, "DispatchSemaphore.wait would keep the turn waiting for ever; use a callback"
        )
        value -= 1
    }

    /// Takes one where there is one; whoever waited would only be late.
    public func wait(timeout: DispatchTime) -> DispatchTimeoutResult {
        guard value > 0 else { return .timedOut }
        value -= 1
        return .success
    }
}
