package import DeviceKit
internal import DeviceLink

/// What stands behind the queues, timers and settings of the app that runs on a device.
///
/// One for each incarnation of a device; the device owns it. When the app is terminated all that waits
/// in its queues and timers is forgotten, its settings are not.
package final class AppRuntime {
    private var launch: UInt64 = 0
    private var labels: [String: Int] = [:]
    private var timers: [Entry?] = []
    private var settings: [String: [UInt8]]

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
    }

    /// The runtime of the device whose turn it is.
    package static var current: AppRuntime {
        guard let runtime = Context.current.attachments[AppRuntime.self] else {
            preconditionFailure("queues, timers and settings work only on a simulated Apple device")
        }
        return runtime
    }

    /// Takes a timer of the app's; false where it is none.
    package func handle(_ event: DeviceEvent) -> Bool {
        guard case .timer(let name) = event, name.hasPrefix(Self.timerPrefix),
            let slot = Int(name.dropFirst(Self.timerPrefix.count)), timers.indices.contains(slot)
        else { return false }
        let entry = timers[slot]
        timers[slot] = nil
        entry?.fire()
        return true
    }

    /// The app is gone: nothing that it left behind will run.
    package func terminate() {
        launch += 1
        for slot in timers.indices where timers[slot] != nil { cancelTimer(slot) }
        labels = [:]
    }

    // MARK: Queues

    /// Runs `work` on a queue, in a turn of its own, unless the app was terminated meanwhile.
    func post(to queue: String, _ work: @escaping () -> Void) {
        let launch = launch
        Context.current.post(to: queue) { [weak self] in
            guard let self, self.launch == launch else { return }
            work()
        }
    }

    /// A channel of its own for a queue with this label; labels need not be unique.
    func channel(for label: String) -> String {
        let count = labels[label, default: 0] + 1
        labels[label] = count
        return count == 1 ? "queue \(label)" : "queue \(label)#\(count)"
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

    private static let prefix = "defaults/"
    private static let timerPrefix = "app/"
}
