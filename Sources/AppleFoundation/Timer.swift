internal import DeviceKit

/// A timer of the main run loop, in virtual time.
public final class Timer {
    /// Whether it can still fire.
    public private(set) var isValid = true
    /// The time between two firings; 0 where it fires once.
    public let timeInterval: TimeInterval
    /// When it fires next.
    public private(set) var fireDate: Date
    /// How late it may fire.
    public var tolerance: TimeInterval = 0

    private let block: (Timer) -> Void
    private var slot: Int?

    private init(_ interval: TimeInterval, repeats: Bool, block: @escaping (Timer) -> Void) {
        // As the documentation has it: an interval of 0 or less is 0.1 ms.
        let interval = interval > 0 ? interval : 0.000_1
        timeInterval = repeats ? interval : 0
        fireDate = Date(timeIntervalSinceNow: interval)
        self.block = block
    }

    /// Calls `block` after an interval in seconds, once or again and again.
    ///
    /// The run loop keeps the timer until it is no longer valid.
    @discardableResult
    public static func scheduledTimer(
        withTimeInterval interval: TimeInterval, repeats: Bool,
        block: @escaping (Timer) -> Void
    ) -> Timer {
        let timer = Timer(interval, repeats: repeats, block: block)
        timer.schedule()
        return timer
    }

    /// Fires now; a timer that does not repeat is no longer valid then.
    public func fire() {
        guard isValid else { return }
        if timeInterval == 0 { invalidate() }
        block(self)
    }

    /// Never fires again.
    public func invalidate() {
        isValid = false
        if let slot { AppRuntime.current.cancelTimer(slot) }
        slot = nil
    }

    private func schedule() {
        let wait = Nanoseconds(seconds: fireDate.timeIntervalSinceNow)
        let slack = Nanoseconds(seconds: tolerance)
        slot = AppRuntime.current.setTimer(after: wait, slack: slack) { self.comesDue() }
    }

    private func comesDue() {
        slot = nil
        if timeInterval > 0 {
            fireDate = max(fireDate.addingTimeInterval(timeInterval), Date())
            schedule()
        }
        fire()
    }
}
