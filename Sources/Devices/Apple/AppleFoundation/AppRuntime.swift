import Basics
package import DeviceKit
import DeviceLink
private import Foundation

/// What stands behind the queues, timers and settings of the app that runs on a device.
///
/// One for each incarnation of a device; the device owns it. When the app is terminated all that waits
/// in its queues and timers is forgotten, its settings are not.
package final class AppRuntime {
    /// What kind of device it is: `iPhone`, or another.
    package var deviceKind = "iPhone"
    /// What the device is called; nil where nobody has said.
    package var deviceName: String?
    /// Whether the user sees the app.
    package private(set) var isInForeground = true
    private var launch: UInt64 = 0
    private var main = MainThread()
    /// Whether the system gives the app no time.
    private var isAsleep = false
    /// What comes due meanwhile, each on its queue.
    private var asleep: [(queue: String, work: () -> Void)] = []
    /// The queue whose item runs now.
    private(set) var channel = DispatchQueue.mainChannel
    /// What queues keep for those who run on them.
    var specifics: [String: [ObjectIdentifier: Any]] = [:]
    private var labels: [String: Int] = [:]
    private var lanes = 0
    private var timers: [Entry?] = []
    private var settings: [String: [UInt8]]
    /// What settings are that were never set; looked up only.
    var registered: [String: Any] = [:]
    /// Who wants to be told of something; nil as long as nobody has asked for it.
    private var centre: NotificationCenter?

    private struct Entry {
        let fire: () -> Void
    }

    /// The runtime of one incarnation; `stored` is what earlier ones kept.
    ///
    /// It becomes the one that `current` finds on this context.
    package init(stored: [StoredPair], in context: Context) {
        settings = stored.reduce(into: [:]) { settings, pair in
            guard pair.key.hasPrefix(Self.prefix) else { return }
            settings[String(pair.key.dropFirst(Self.prefix.count))] = pair.value
        }
        context.attachments[AppRuntime.self] = self
        Executors.deliver()
    }

    /// The runtime of the device whose turn it is; nil outside a turn.
    package static var ofTurn: AppRuntime? { Context.ofTurn?.attachments[AppRuntime.self] }

    /// The runtime of the device whose turn it is.
    package static var current: AppRuntime {
        Context.attached(rule: "queues, timers and settings work only on a simulated Apple device")
    }

    /// Takes a timer of the app's; false where it is none.
    package func handle(_ event: DeviceEvent) -> Bool {
        guard case .timer(let name) = event, name.hasPrefix(Self.timerPrefix),
            let slot = Int(name.dropFirst(Self.timerPrefix.count)), timers.indices.contains(slot)
        else { return false }
        let entry = timers[slot]
        timers[slot] = nil
        guard let entry else { return true }
        if isAsleep { asleep.append((DispatchQueue.mainChannel, entry.fire)) } else { entry.fire() }
        return true
    }

    /// The app is gone: nothing that it left behind will run.
    package func terminate() {
        launch += 1
        for slot in timers.indices where timers[slot] != nil { cancelTimer(slot) }
        labels = [:]
        specifics = [:]
        registered = [:]
        main = MainThread()
        isAsleep = false
        asleep = []
        centre = nil
    }

    // MARK: Notifications

    /// The notification centre of the app's life.
    var notifications: NotificationCenter {
        if let centre { return centre }
        let centre = NotificationCenter()
        self.centre = centre
        return centre
    }

    /// What the notification of an event of the app is called.
    package static func notification(_ event: String) -> String {
        "UIApplication\(event)Notification"
    }

    private func tell(_ event: String) {
        centre?.post(name: .init(Self.notification(event)), object: nil)
    }

    // MARK: Foreground

    /// The app has come to the user's sight, or left it.
    ///
    /// Those who have asked the notification centre are told while the app runs; after a launch it
    /// finds it so.
    package func setForeground(_ isInForeground: Bool, whileRunning isRunning: Bool = true) {
        self.isInForeground = isInForeground
        guard isRunning else { return }
        let events =
            isInForeground
            ? ["WillEnterForeground", "DidBecomeActive"]
            : ["WillResignActive", "DidEnterBackground"]
        onMain { [unowned self] in for event in events { tell(event) } }
    }

    /// The user is about to end the app.
    package func willTerminate() { tell("WillTerminate") }

    // MARK: Queues

    /// Runs `work` on a queue, in a turn of its own, unless the app was terminated meanwhile.
    func post(to queue: String, _ work: @escaping () -> Void) {
        let launch = launch
        Context.current.post(to: queue) { [weak self] in
            guard let self, self.launch == launch else { return }
            guard !isAsleep else { return asleep.append((queue, work)) }
            guard main.hasToWait, queue == DispatchQueue.mainChannel else {
                return on(queue, work)
            }
            main.wait(for: work)
            runNextOnMain()
        }
    }

    /// Runs `work` as an item of a queue.
    func on<Result>(_ queue: String, _ work: () throws -> Result) rethrows -> Result {
        let previous = channel
        channel = queue
        defer { channel = previous }
        return try work()
    }

    /// How many jobs of tasks may overtake each other: a phone has as many fast and slow cores.
    private static let width = 4

    /// The next queue for a job that may run anywhere.
    func nextLane() -> String {
        lanes = (lanes + 1) % Self.width
        return "tasks \(lanes)"
    }

    /// A channel of its own for a queue with this label; labels need not be unique.
    func channel(for label: String) -> String {
        let count = labels[label, default: 0] + 1
        labels[label] = count
        return count == 1 ? "queue \(label)" : "queue \(label)#\(count)"
    }

    // MARK: Sleep

    /// The system gives the app no time any more, or gives it some again: what has come due meanwhile runs then.
    package func setAsleep(_ isAsleep: Bool) {
        guard isAsleep != self.isAsleep else { return }
        self.isAsleep = isAsleep
        let late = asleep
        asleep = []
        for (queue, work) in late { post(to: queue, work) }
    }

    // MARK: A busy main thread

    /// Whether something keeps the main thread busy.
    package var isMainBusy: Bool { main.isBusy }

    /// The main thread gets busy, or is free again.
    package func setMainBusy(_ isBusy: Bool) {
        for _ in 0..<main.setBusy(isBusy) { postTurnOfMain() }
    }

    /// Runs what the system does on the main thread: at once, or in its turn where others wait for that.
    package func onMain(_ work: @escaping () -> Void) {
        guard main.hasToWait else { return work() }
        main.wait(for: work)
        if !main.isBusy { postTurnOfMain() }
    }

    private func postTurnOfMain() {
        Context.current.post(to: DispatchQueue.mainChannel) { [weak self] in self?.runNextOnMain() }
    }

    private func runNextOnMain() {
        if let work = main.takeNext() { on(DispatchQueue.mainChannel, work) }
    }

    // MARK: Timers

    /// Calls `fire` once, in a turn of its own; gives the timer's slot, which is free again then.
    func setTimer(
        after: Nanoseconds, slack: Nanoseconds = 0, _ fire: @escaping () -> Void
    ) -> Int {
        let slot = timers.firstIndex { $0 == nil } ?? timers.count
        if slot == timers.count { timers.append(nil) }
        timers[slot] = Entry(fire: fire)
        Context.current.setTimer(name(ofTimer: slot), after: after, slack: slack)
        return slot
    }

    private func name(ofTimer slot: Int) -> String {
        String(joining: Self.timerPrefix, String(slot))
    }

    /// Frees a timer's slot before it has come due.
    func cancelTimer(_ slot: Int) {
        timers[slot] = nil
        Context.current.cancelTimer(name(ofTimer: slot))
    }

    // MARK: Settings

    /// The bytes under a key of the app's settings.
    func setting(_ key: String) -> [UInt8]? { settings[key] }

    /// Sets or removes the bytes under a key; they survive the device's death.
    func set(_ bytes: [UInt8]?, for key: String) {
        settings[key] = bytes
        Context.current.answer(.store(key: Self.prefix + key, value: bytes))
    }

    /// The app is deleted, and its settings with it.
    package func forgetSettings() {
        for key in settings.keys.sorted() { set(nil, for: key) }
    }

    private static let prefix = "defaults/"
    private static let timerPrefix = "app/"
}
