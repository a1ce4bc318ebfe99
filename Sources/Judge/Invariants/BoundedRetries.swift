import Basics
package import DeviceLink
package import Monitors
package import Promises
package import Traces

/// An app tries again a bounded number of times, with pauses, and not at all where that is pointless.
///
/// A retry is an `initialize` that follows another one to the same accessory on its own: since then
/// there was no new link, no wish of the user, no return from background, suspension or Bluetooth off,
/// and the app has not itself stopped what ranged: then it renews it.
///
/// 1. Two tries are at least the pause apart, unless the first may have waited in its host for the
///    response to another request: then nobody outside knows when the app made it.
/// 2. There are at most so many retries in a window, which begins anew with a wish of the user, with a suspension and
///    its end, and once the accessory has ranged for long enough: that makes up for what failed before.
/// 3. None follows an error that a retry cannot cure (userDidNotAllow, unsupportedPlatform) until the user wants it
///    again; nor, on the same link, one that the accessory's configuration data has caused (invalidConfiguration,
///    incompatiblePeerDevice). Over a new link it may announce something else; and what a fault has made of the data
///    a retry does cure.
package struct BoundedRetries: Promise {
    package static let about = PromiseDescription(
        .boundedRetries,
        clause: "R4 3.6.1; NIError (Apple)",
        sentence:
            "An app retries a session a bounded number of times, with pauses, and never after "
            + "an error that a retry cannot cure.",
        keeper: .app)

    package static let kinds: [EventKind] = [
        .msgInitializeSent, .niDidInvalidate, .linkUp, .userStart, .appStart, .appLaunched,
        .appForeground, .niSessionWasSuspended, .niSessionSuspensionEnded, .systemPermission,
        .systemBluetooth, .appTerminated, .deviceDied, .msgStopSent,
        .msgAccessoryUwbDidStartReceived, .msgAccessoryUwbDidStopReceived,
        .msgAccessoryConfigurationDataReceived,
    ]

    /// Errors that no retry cures, by their raw values, and those of them that are about the accessory's data.
    static let incurable: [Int64] = [-5_889, -5_888, -5_884, -5_881]
    private static let ofData: [Int64] = [-5_888, -5_881]

    private struct Pair: Hashable {
        let phone: String
        let accessory: String
    }

    private struct Tries {
        var last: Citation?
        /// The last one may have waited in its host.
        var hasWaited = false
        /// The next one is the user's or the system's doing, or renews what ranged.
        var isFresh = true
        /// Since when it ranges, as the accessory's last word has it.
        var rangedSince: VirtualTime?
        /// The retries of the present window, oldest first.
        var recent: [Citation] = []
        /// A fault has changed the configuration data that it has.
        var isSpoilt = false
        var error: (name: String, event: Citation, isOfData: Bool)?
    }

    package private(set) var record = Record()
    private let pause: Bound
    private let window: Bound
    private let reset: Bound
    private let limit: Int
    private var tries: SmallMap<Pair, Tries> = [:]

    /// A monitor that allows `limit` retries in a `window`, each `pause` after the try before.
    package init(
        limit: Int = 5, window: Nanoseconds = .seconds(30), pause: Nanoseconds = .milliseconds(500),
        reset: Nanoseconds = .seconds(10)
    ) {
        self.limit = limit
        self.pause = Bound(
            "pause", pause, origin: "the reference app waits 0.5 s before its first retry")
        self.reset = Bound(
            "reset", reset,
            origin: "the reference app counts its attempts anew after ranging for 10 s")
        self.window = Bound(
            "window", window,
            origin: "the reference app retries 5 times, 0.5 s doubling to 8 s: 15.5 s and more")
    }

    package var bounds: [Bound] { [pause, window, reset] }

    package mutating func observe(_ event: TraceEvent, in scene: Scene) {
        switch event.kind {
        case .msgInitializeSent: initializeSent(event, in: scene)
        case .niDidInvalidate: invalidated(event, in: scene)
        case .msgAccessoryUwbDidStartReceived: started(event)
        case .msgAccessoryUwbDidStopReceived: ended(event)
        case .msgStopSent: stopped(event)
        case .msgAccessoryConfigurationDataReceived:
            guard let peer = event.peer else { return }
            tries[Pair(phone: event.device, accessory: peer)]?.isSpoilt = event.isSpoilt
        // What the system suspends has not failed; and no end of it comes where the app lets go of it before.
        case .niSessionWasSuspended:
            guard let peer = event.peer else { return }
            tries[Pair(phone: event.device, accessory: peer)]?.recent = []
        case .appTerminated, .deviceDied:
            tries.removeAll { $0.key.phone == event.device }
        case .linkUp, .systemBluetooth:
            freshen(event, in: scene, isForgiven: false)
        default: freshen(event, in: scene, isForgiven: true)
        }
    }

    /// Something from outside: the next try is no retry.
    ///
    /// `isForgiven`: it is the user's doing, or the end of a suspension, before which the app may have been amid its
    /// tries; what was tried before does not count any more.
    private mutating func freshen(_ event: TraceEvent, in scene: Scene, isForgiven: Bool) {
        let peer = event.peer ?? event.niSession.flatMap { scene.peer(of: $0) }
        for pair in tries.keys where pair.phone == event.device {
            guard peer == nil || pair.accessory == peer else { continue }
            tries[pair]?.isFresh = true
            let isOther = event.kind == .linkUp && tries[pair]?.error?.isOfData == true
            if isForgiven || isOther { tries[pair]?.error = nil }
            if isForgiven { tries[pair]?.recent = [] }
        }
    }

    private mutating func started(_ event: TraceEvent) {
        guard let peer = event.peer else { return }
        tries[Pair(phone: event.device, accessory: peer)]?.rangedSince = event.time
    }

    private mutating func ended(_ event: TraceEvent) {
        guard let peer = event.peer else { return }
        endRanging(Pair(phone: event.device, accessory: peer), at: event.time)
    }

    /// Nothing ranges any more; what did so for long enough makes up for what failed before.
    private mutating func endRanging(_ pair: Pair, at time: VirtualTime) {
        guard let since = tries[pair]?.rangedSince else { return }
        if time >= since + reset.value { tries[pair]?.recent = [] }
        tries[pair]?.rangedSince = nil
    }

    private mutating func stopped(_ event: TraceEvent) {
        guard let peer = event.peer else { return }
        let pair = Pair(phone: event.device, accessory: peer)
        guard tries[pair]?.rangedSince != nil else { return }
        tries[pair]?.isFresh = true
        endRanging(pair, at: event.time)
    }

    private mutating func invalidated(_ event: TraceEvent, in scene: Scene) {
        guard let code = event.number("code"), Self.incurable.contains(code),
            let peer = event.peer ?? event.niSession.flatMap({ scene.peer(of: $0) })
        else { return }
        let pair = Pair(phone: event.device, accessory: peer)
        let isOfData = Self.ofData.contains(code)
        guard !isOfData || tries[pair]?.isSpoilt != true else { return record.excuse() }
        record.exercise()
        tries[pair, default: Tries()].error = (
            event.text("error") ?? "error \(code)", Citation(event), isOfData
        )
    }

    private mutating func initializeSent(_ event: TraceEvent, in scene: Scene) {
        guard let peer = event.peer else { return }
        let pair = Pair(phone: event.device, accessory: peer)
        endRanging(pair, at: event.time)
        var tries = self.tries[pair] ?? Tries()
        defer {
            tries.last = Citation(event)
            tries.hasWaited = scene.link(event.link)?.requests.hasWaited(event) == true
            tries.isFresh = false
            self.tries[pair] = tries
        }
        if let error = tries.error { afterError(event, error: error, in: scene) }
        guard let last = tries.last, !tries.isFresh else { return }
        record.exercise()
        tries.recent.removeAll { $0.time + window.value < event.time + scene.slack }
        tries.recent.append(Citation(event))
        if event.time + scene.slack < last.time + pause.value && !tries.hasWaited {
            violate(
                event, citing: [last],
                saying:
                    "\(event.device) tried \(peer) again \((event.time - last.time).seconds) after the "
                    + "try before; the shortest pause is \(pause.value.seconds)")
        } else if tries.recent.count > limit {
            violate(
                event, citing: Array(tries.recent.dropLast()),
                saying:
                    "\(event.device) tried \(peer) again for the \(tries.recent.count)th time within "
                    + "\(window.value.seconds); \(limit) retries are allowed")
        }
    }

    private mutating func afterError(
        _ event: TraceEvent, error: (name: String, event: Citation, isOfData: Bool),
        in scene: Scene
    ) {
        if let link = scene.link(event.link),
            link.requests.mayHaveWaited(since: error.event.number, until: event)
        {
            return record.excuse()
        }
        violate(
            event, citing: [error.event],
            saying:
                "\(event.device) sent initialize to \(event.peer ?? "?") after \(error.name) at "
                + "\(error.event.time.seconds), which no retry cures")
    }

    private mutating func violate(
        _ event: TraceEvent, citing events: [Citation], saying what: String
    ) {
        record.violate(
            Violation(
                promise: Self.about.id, device: event.device, time: event.time,
                key: "\(event.device) – \(event.peer ?? "?")",
                sentence: "At \(event.time.seconds) \(what).", events: events + [Citation(event)]))
    }
}
