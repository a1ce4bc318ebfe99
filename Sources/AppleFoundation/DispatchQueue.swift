internal import DeviceKit

/// A queue of work, in virtual time: every item runs in a turn of its own, after those before it.
///
/// All queues are serial, and only one item of a device runs at a time; in what order items of
/// different queues run is the scheduler's choice.
public final class DispatchQueue: Sendable {
    public let label: String
    private let channel: String

    /// The queue of the main thread.
    public static let main = DispatchQueue("com.apple.main-thread", channel: "main")

    private init(_ label: String, channel: String) {
        self.label = label
        self.channel = channel
    }

    /// A queue of its own.
    ///
    /// The quality of service changes nothing.
    public convenience init(label: String, qos: DispatchQoS = .unspecified) {
        self.init(label, channel: AppRuntime.current.channel(for: label))
    }

    /// The system's queue of a quality of service; they are all the same one.
    public static func global(qos: DispatchQoS = .default) -> DispatchQueue {
        DispatchQueue("com.apple.root", channel: "global")
    }

    /// Runs `work` later.
    public func async(execute work: @escaping () -> Void) { post(work) }

    /// Runs a work item later, unless it is cancelled before.
    public func async(execute workItem: DispatchWorkItem) { post { workItem.perform() } }

    /// What `async` does.
    ///
    /// The compiler demands of a closure given to a function of that name that it could run on
    /// another thread, which ours never does.
    package func post(_ work: @escaping () -> Void) { AppRuntime.current.post(to: channel, work) }

    /// Runs `work` at once: no other item of the device can run at the same time.
    public func sync<Result>(execute work: () throws -> Result) rethrows -> Result { try work() }

    /// Puts `work` on the queue at a later time.
    public func asyncAfter(deadline: DispatchTime, execute work: @escaping () -> Void) {
        post(at: deadline, work)
    }

    /// Puts a work item on the queue at a later time, unless it is cancelled before.
    public func asyncAfter(deadline: DispatchTime, execute workItem: DispatchWorkItem) {
        post(at: deadline) { workItem.perform() }
    }

    private func post(at deadline: DispatchTime, _ work: @escaping () -> Void) {
        let wait = deadline.moment - Context.current.now
        _ = AppRuntime.current.setTimer(after: wait) { self.post(work) }
    }
}

extension DispatchQueue: Hashable, CustomStringConvertible {
    /// Whether both are the same queue.
    public static func == (left: DispatchQueue, right: DispatchQueue) -> Bool {
        left.channel == right.channel
    }

    /// Hashes the queue's name.
    public func hash(into hasher: inout Hasher) { hasher.combine(channel) }

    public var description: String { channel }
}

/// Work that can be cancelled while it waits.
public final class DispatchWorkItem {
    /// Whether it was cancelled.
    public private(set) var isCancelled = false
    private let block: () -> Void

    /// Work for a queue.
    public init(block: @escaping () -> Void) { self.block = block }

    /// Prevents the work from running where it has not yet.
    public func cancel() { isCancelled = true }

    /// Runs the work now, unless it was cancelled.
    public func perform() { if !isCancelled { block() } }
}

/// A quality of service.
///
/// All queues are served alike.
public enum DispatchQoS: Sendable {
    /// The qualities, from the least to the most urgent.
    case unspecified, background, utility, `default`, userInitiated, userInteractive
}

/// A moment for a queue.
public struct DispatchTime: Hashable, Comparable, Sendable {
    let moment: VirtualTime

    /// The moment of this turn.
    public static func now() -> DispatchTime { DispatchTime(moment: Context.current.now) }

    public static func < (left: DispatchTime, right: DispatchTime) -> Bool {
        left.moment < right.moment
    }

    /// The moment so many seconds later.
    public static func + (time: DispatchTime, seconds: Double) -> DispatchTime {
        DispatchTime(moment: time.moment + Nanoseconds(seconds: seconds))
    }

    /// The moment an interval later.
    public static func + (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime {
        DispatchTime(moment: time.moment + interval.nanoseconds)
    }
}

/// A length of time for a queue.
public enum DispatchTimeInterval: Hashable, Sendable {
    case seconds(Int)
    /// Thousandths of a second.
    case milliseconds(Int)
    /// Millionths of a second.
    case microseconds(Int)
    /// Billionths of a second.
    case nanoseconds(Int)

    var nanoseconds: Nanoseconds {
        switch self {
        case .seconds(let count): .seconds(UInt64(max(0, count)))
        case .milliseconds(let count): .milliseconds(UInt64(max(0, count)))
        case .microseconds(let count): .microseconds(UInt64(max(0, count)))
        case .nanoseconds(let count): UInt64(max(0, count))
        }
    }
}

extension Nanoseconds {
    /// The nearest whole number of nanoseconds; negative lengths are none, and the longest is 100
    /// years.
    init(seconds: Double) {
        let bounded = Swift.min(Swift.max(0, seconds), 3_155_760_000)
        self = Nanoseconds((bounded * 1_000_000_000).rounded())
    }
}
