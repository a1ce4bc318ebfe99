import DeviceKit

/// A queue of work, in virtual time: every item runs in a turn of its own, after those before it.
///
/// All queues are serial, and only one item of a device runs at a time; in what order items of
/// different queues run is the scheduler's choice.
public final class DispatchQueue: Sendable {
    public let label: String
    /// The quality of service that it was made with, which changes nothing.
    public let qos: DispatchQoS
    let channel: String

    /// The queue of the main thread.
    public static let main = DispatchQueue(
        "com.apple.main-thread", channel: mainChannel, qos: .userInteractive)
    static let mainChannel = "main"

    private init(_ label: String, channel: String, qos: DispatchQoS) {
        self.label = label
        self.channel = channel
        self.qos = qos
    }

    /// A queue of its own.
    ///
    /// It is serial, whatever its attributes are: a concurrent queue may run its items one after another. Quality of
    /// service and target change nothing.
    public convenience init(
        label: String, qos: DispatchQoS = .unspecified, attributes: Attributes = [],
        autoreleaseFrequency: AutoreleaseFrequency = .inherit, target: DispatchQueue? = nil
    ) {
        // A global of the program is made before the first turn.
        self.init(
            label, channel: AppRuntime.ofTurn?.channel(for: label) ?? "queue \(label)", qos: qos)
    }

    /// The system's queue of a quality of service; they are all the same one.
    public static func global(qos: DispatchQoS.QoSClass = .default) -> DispatchQueue {
        DispatchQueue("com.apple.root.\(qos)", channel: "global", qos: DispatchQoS(qosClass: qos))
    }

    /// What a queue is made with.
    public struct Attributes: OptionSet, Sendable {
        public let rawValue: UInt64

        public init(rawValue: UInt64) { self.rawValue = rawValue }

        /// Its items may run at the same time.
        public static let concurrent = Attributes(rawValue: 1 << 1)
    }

    /// When objects are let go of, which is at once here.
    public enum AutoreleaseFrequency: Sendable { case inherit, workItem, never }

    // MARK: Later

    /// Runs `work` later, in `group` where there is one.
    public func async(
        group: DispatchGroup? = nil, qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [],
        execute work: @escaping () -> Void
    ) {
        guard let group else { return post(work) }
        group.enter()
        post {
            work()
            group.leave()
        }
    }

    /// Runs a work item later, unless it is cancelled before.
    public func async(execute workItem: DispatchWorkItem) { post { workItem.perform() } }

    /// Runs a work item of a group later.
    public func async(group: DispatchGroup, execute workItem: DispatchWorkItem) {
        group.enter()
        post {
            workItem.perform()
            group.leave()
        }
    }

    /// What `async` does.
    ///
    /// The compiler demands of a closure given to a function of that name that it could run on
    /// another thread, which ours never does.
    package func post(_ work: @escaping () -> Void) { AppRuntime.current.post(to: channel, work) }

    /// Puts `work` on the queue at a later time.
    public func asyncAfter(
        deadline: DispatchTime, qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
        execute work: @escaping () -> Void
    ) {
        post(at: deadline.moment, work)
    }

    /// Puts `work` on the queue at a time of day.
    public func asyncAfter(
        wallDeadline: DispatchWallTime, qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [], execute work: @escaping () -> Void
    ) {
        post(at: wallDeadline.moment, work)
    }

    /// Puts a work item on the queue at a later time, unless it is cancelled before.
    public func asyncAfter(deadline: DispatchTime, execute workItem: DispatchWorkItem) {
        post(at: deadline.moment) { workItem.perform() }
    }

    /// Puts a work item on the queue at a time of day, unless it is cancelled before.
    public func asyncAfter(wallDeadline: DispatchWallTime, execute workItem: DispatchWorkItem) {
        post(at: wallDeadline.moment) { workItem.perform() }
    }

    private func post(at moment: VirtualTime, _ work: @escaping () -> Void) {
        let wait = moment - Context.current.now
        _ = AppRuntime.current.setTimer(after: wait) { self.post(work) }
    }

    // MARK: Now

    /// Runs `work` at once: no other item of the device can run at the same time.
    ///
    /// On the main queue from the main queue it would wait for itself for ever, and traps, as on iOS.
    public func sync<Result>(execute work: () throws -> Result) rethrows -> Result {
        let runtime = AppRuntime.current
        precondition(
            runtime.channel != channel || channel == "global",
            "DispatchQueue.sync on the queue '\(label)' from that queue waits for itself for ever")
        return try runtime.on(channel, work)
    }

    /// Runs `work` at once.
    public func sync<Result>(
        flags: DispatchWorkItemFlags, execute work: () throws -> Result
    ) rethrows -> Result {
        try sync(execute: work)
    }

    /// Runs a work item at once.
    public func sync(execute workItem: DispatchWorkItem) { sync { workItem.perform() } }

    /// Runs `work` so many times, one after another.
    public static func concurrentPerform(iterations: Int, execute work: (Int) -> Void) {
        for iteration in 0..<max(0, iterations) { work(iteration) }
    }

    // MARK: Values

    /// Keeps a value for whoever runs on the queue; nil removes it.
    public func setSpecific<Value>(key: DispatchSpecificKey<Value>, value: Value?) {
        AppRuntime.current.specifics[channel, default: [:]][ObjectIdentifier(key)] = value
    }

    /// The queue's value, where there is one.
    public func getSpecific<Value>(key: DispatchSpecificKey<Value>) -> Value? {
        AppRuntime.current.specifics[channel]?[ObjectIdentifier(key)] as? Value
    }

    /// The value of the queue that runs now.
    public static func getSpecific<Value>(key: DispatchSpecificKey<Value>) -> Value? {
        let runtime = AppRuntime.current
        return runtime.specifics[runtime.channel]?[ObjectIdentifier(key)] as? Value
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

/// The name of a value that queues may have.
public final class DispatchSpecificKey<Value>: Sendable {
    public init() {}
}

/// Where an item has to run, which is asked where one is not sure.
public enum DispatchPredicate: Sendable {
    case onQueue(DispatchQueue)
    case onQueueAsBarrier(DispatchQueue)
    case notOnQueue(DispatchQueue)
}

/// Traps where the item that runs now is not where it has to be.
public func dispatchPrecondition(condition: @autoclosure () -> DispatchPredicate) {
    let channel = AppRuntime.current.channel
    switch condition() {
    case .onQueue(let queue), .onQueueAsBarrier(let queue):
        precondition(queue.channel == channel, "this runs on '\(channel)' and not on '\(queue)'")
    case .notOnQueue(let queue):
        precondition(queue.channel != channel, "this runs on '\(channel)'")
    }
}
