import DeviceKit

/// Where a queue's events come from; only timers are there.
public enum DispatchSource {
    /// How a timer keeps its time, which changes nothing.
    public struct TimerFlags: OptionSet, Sendable {
        public let rawValue: UInt

        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Without any leeway.
        public static let strict = TimerFlags(rawValue: 1)
    }

    /// A timer that does nothing before it is scheduled and resumed.
    public static func makeTimerSource(
        flags: TimerFlags = [], queue: DispatchQueue? = nil
    ) -> any DispatchSourceTimer {
        QueueTimer(on: queue ?? .global())
    }
}

/// A timer of a queue.
public protocol DispatchSourceTimer: AnyObject {
    /// What it does when it is due.
    func setEventHandler(
        qos: DispatchQoS, flags: DispatchWorkItemFlags, handler: (() -> Void)?)
    /// What it does once it was cancelled.
    func setCancelHandler(
        qos: DispatchQoS, flags: DispatchWorkItemFlags, handler: (() -> Void)?)
    /// When it is due first, how often from then on, and how late it may be.
    func schedule(
        deadline: DispatchTime, repeating interval: DispatchTimeInterval,
        leeway: DispatchTimeInterval)
    /// Goes on after `suspend`, or begins.
    func resume()
    /// Does nothing until it is resumed.
    func suspend()
    /// Begins.
    func activate()
    /// Never does anything again.
    func cancel()
    /// Whether it was cancelled.
    var isCancelled: Bool { get }
}

extension DispatchSourceTimer {
    public func setEventHandler(handler: (() -> Void)?) {
        setEventHandler(qos: .unspecified, flags: [], handler: handler)
    }
    public func setEventHandler(handler item: DispatchWorkItem) {
        setEventHandler { item.perform() }
    }
    public func setCancelHandler(handler: (() -> Void)?) {
        setCancelHandler(qos: .unspecified, flags: [], handler: handler)
    }
    public func schedule(deadline: DispatchTime, repeating interval: DispatchTimeInterval = .never)
    {
        schedule(deadline: deadline, repeating: interval, leeway: .nanoseconds(0))
    }
    /// The same with an interval in seconds.
    public func schedule(
        deadline: DispatchTime, repeating interval: Double,
        leeway: DispatchTimeInterval = .nanoseconds(0)
    ) {
        schedule(
            deadline: deadline, repeating: .nanoseconds(Int(Nanoseconds(seconds: interval))),
            leeway: leeway)
    }
}

private final class QueueTimer: DispatchSourceTimer {
    private let queue: DispatchQueue
    private var handler: (() -> Void)?
    private var cancelHandler: (() -> Void)?
    private var due: VirtualTime?
    private var interval = 0.0
    private var leeway = 0.0
    private var slot: Int?
    private var isRunning = false
    private(set) var isCancelled = false

    init(on queue: DispatchQueue) { self.queue = queue }

    // Whoever lets go of a timer has stopped it, as on iOS.
    deinit { if let slot { AppRuntime.current.cancelTimer(slot) } }

    func setEventHandler(
        qos: DispatchQoS, flags: DispatchWorkItemFlags, handler: (() -> Void)?
    ) {
        self.handler = handler
    }

    func setCancelHandler(
        qos: DispatchQoS, flags: DispatchWorkItemFlags, handler: (() -> Void)?
    ) {
        cancelHandler = handler
    }

    func schedule(
        deadline: DispatchTime, repeating interval: DispatchTimeInterval,
        leeway: DispatchTimeInterval
    ) {
        due = deadline.moment
        self.interval = interval.seconds
        self.leeway = leeway.seconds
        set()
    }

    func resume() {
        isRunning = true
        set()
    }

    func activate() { resume() }

    func suspend() {
        isRunning = false
        unset()
    }

    func cancel() {
        guard !isCancelled else { return }
        isCancelled = true
        unset()
        if let cancelHandler { queue.post(cancelHandler) }
        handler = nil
    }

    private func unset() {
        if let slot { AppRuntime.current.cancelTimer(slot) }
        slot = nil
    }

    private func set() {
        unset()
        guard isRunning, !isCancelled, let due else { return }
        slot = AppRuntime.current.setTimer(
            after: due - Context.current.now, slack: Nanoseconds(seconds: leeway)
        ) { [weak self] in self?.comesDue() }
    }

    private func comesDue() {
        slot = nil
        due = interval.isFinite ? due.map { $0 + max(1, Nanoseconds(seconds: interval)) } : nil
        set()
        queue.post { [weak self] in
            guard let self, !isCancelled else { return }
            handler?()
        }
    }
}
