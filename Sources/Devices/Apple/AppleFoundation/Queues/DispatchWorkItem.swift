/// Work that can be cancelled while it waits.
public final class DispatchWorkItem {
    /// Whether it was cancelled.
    public private(set) var isCancelled = false
    private var isDone = false
    private let block: () -> Void
    private var observers: [(queue: DispatchQueue, block: () -> Void)] = []

    /// Work for a queue; quality of service and flags change nothing.
    public init(
        qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
        block: @escaping () -> Void
    ) {
        self.block = block
    }

    /// Prevents the work from running where it has not yet.
    public func cancel() { isCancelled = true }

    /// Runs the work now, unless it was cancelled.
    public func perform() {
        if !isCancelled { block() }
        isDone = true
        for observer in observers { observer.queue.post(observer.block) }
        observers = []
    }

    /// Runs `block` on a queue once the work is done.
    public func notify(
        qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], queue: DispatchQueue,
        execute block: @escaping () -> Void
    ) {
        if isDone { queue.post(block) } else { observers.append((queue, block)) }
    }

    /// Runs another item on a queue once the work is done.
    public func notify(queue: DispatchQueue, execute item: DispatchWorkItem) {
        notify(queue: queue) { item.perform() }
    }
}

/// How an item is run, which changes nothing here.
public struct DispatchWorkItemFlags: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Alone on its queue.
    public static let barrier = DispatchWorkItemFlags(rawValue: 1)
    /// Without the context of whoever asked.
    public static let detached = DispatchWorkItemFlags(rawValue: 2)
    /// In the context of whoever asked.
    public static let assignCurrentContext = DispatchWorkItemFlags(rawValue: 4)
    /// With no quality of service.
    public static let noQoS = DispatchWorkItemFlags(rawValue: 8)
    /// With the queue's quality of service.
    public static let inheritQoS = DispatchWorkItemFlags(rawValue: 16)
    /// With its own quality of service.
    public static let enforceQoS = DispatchWorkItemFlags(rawValue: 32)
}

/// A quality of service.
///
/// All queues are served alike.
public struct DispatchQoS: Hashable, Sendable {
    /// The qualities, from the least to the most urgent.
    public enum QoSClass: Hashable, Sendable {
        case unspecified, background, utility, `default`, userInitiated, userInteractive
    }

    public let qosClass: QoSClass
    /// How far below the greatest of its class.
    public let relativePriority: Int

    public init(qosClass: QoSClass, relativePriority: Int = 0) {
        (self.qosClass, self.relativePriority) = (qosClass, relativePriority)
    }

    public static let unspecified = DispatchQoS(qosClass: .unspecified)
    public static let background = DispatchQoS(qosClass: .background)
    public static let utility = DispatchQoS(qosClass: .utility)
    public static let `default` = DispatchQoS(qosClass: .default)
    public static let userInitiated = DispatchQoS(qosClass: .userInitiated)
    public static let userInteractive = DispatchQoS(qosClass: .userInteractive)
}
