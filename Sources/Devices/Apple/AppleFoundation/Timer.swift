import DeviceKit
public import Foundation

/// A timer of the main run loop, in virtual time.
public final class Timer {
    /// Whether it can still fire.
    public private(set) var isValid = true
    /// The time between two firings; 0 where it fires once.
    public let timeInterval: TimeInterval
    /// How late it may fire.
    public var tolerance: TimeInterval = 0
    /// What whoever made it wants to find with it.
    public let userInfo: Any?

    private let block: (Timer) -> Void
    private var due: VirtualTime
    private var slot: Int?

    private init(
        at due: VirtualTime, _ interval: TimeInterval, repeats: Bool, userInfo: Any? = nil,
        block: @escaping (Timer) -> Void
    ) {
        timeInterval = repeats ? Self.bounded(interval) : 0
        self.due = due
        self.userInfo = userInfo
        self.block = block
    }

    /// As the documentation has it: an interval of 0 or less is 0.1 ms.
    private static func bounded(_ interval: TimeInterval) -> TimeInterval {
        interval > 0 ? interval : 0.000_1
    }

    private static func due(in interval: TimeInterval) -> VirtualTime {
        Context.current.now + Nanoseconds(seconds: bounded(interval))
    }

    /// A timer that a run loop has to take (`RunLoop.add`) before it fires.
    public convenience init(
        timeInterval interval: TimeInterval, repeats: Bool, block: @escaping (Timer) -> Void
    ) {
        self.init(at: Self.due(in: interval), interval, repeats: repeats, block: block)
    }

    /// A timer that fires at a date first.
    public convenience init(
        fire date: Date, interval: TimeInterval, repeats: Bool, block: @escaping (Timer) -> Void
    ) {
        self.init(at: date.moment, interval, repeats: repeats, block: block)
    }

    /// Calls `block` after an interval in seconds, once or again and again.
    ///
    /// The run loop keeps the timer until it is no longer valid.
    @discardableResult
    public static func scheduledTimer(
        withTimeInterval interval: TimeInterval, repeats: Bool,
        block: @escaping (Timer) -> Void
    ) -> Timer {
        let timer = Timer(timeInterval: interval, repeats: repeats, block: block)
        timer.schedule()
        return timer
    }

    /// When it fires next; setting it moves the next firing.
    public var fireDate: Date {
        get { Date(due) }
        set {
            due = newValue.moment
            guard slot != nil else { return }
            unset()
            schedule()
        }
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
        unset()
    }

    private func unset() {
        if let slot { AppRuntime.current.cancelTimer(slot) }
        slot = nil
    }

    /// The run loop takes it.
    func schedule() {
        guard isValid, slot == nil else { return }
        let now = Context.current.now
        slot = AppRuntime.current.setTimer(
            after: due > now ? due - now : 0, slack: Nanoseconds(seconds: tolerance)
        ) { self.comesDue() }
    }

    /// A busy main thread lets it fire once, however often it would have.
    private func comesDue() {
        slot = nil
        AppRuntime.current.onMain { self.fireOnMain() }
    }

    private func fireOnMain() {
        guard isValid else { return }
        if timeInterval > 0 {
            let (interval, now) = (max(Nanoseconds(seconds: timeInterval), 1), Context.current.now)
            let missed = now > due ? (now - due) / interval : 0
            due = due + (missed + 1) * interval
            schedule()
        }
        fire()
    }
}

extension Timer: Hashable {
    /// Whether both are the same timer.
    public static func == (left: Timer, right: Timer) -> Bool { left === right }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The loop of the main thread, which is always running.
public final class RunLoop: Sendable {
    public static let main = RunLoop()
    /// There is no other thread.
    public static var current: RunLoop { main }

    private init() {}

    /// When the loop looks at what it was given, which is always.
    public struct Mode: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let `default` = Mode(rawValue: "kCFRunLoopDefaultMode")
        public static let common = Mode(rawValue: "kCFRunLoopCommonModes")
        /// While the user scrolls.
        public static let tracking = Mode(rawValue: "UITrackingRunLoopMode")
    }

    /// Lets a timer fire.
    public func add(_ timer: Timer, forMode mode: Mode) { timer.schedule() }

    /// Runs `block` in a turn of its own.
    public func perform(_ block: @escaping () -> Void) { DispatchQueue.main.post(block) }

    /// Runs `block` in a turn of its own.
    public func perform(inModes modes: [Mode], block: @escaping () -> Void) { perform(block) }
}
