package import DeviceLink
package import Traces

/// Nothing comes of an invalidated session.
///
/// 1. After `didInvalidate` a session gets no callback at all. After the app's own `invalidate()` it
///    may get `didInvalidate`, and for a moment what was posted to the delegate's queue before.
/// 2. The app does not run it again.
/// 3. The app sends none of its shareable data any more. What it wrote before the invalidation may
///    still leave the host afterwards, as long as requests have been queueing since then.
package struct NothingAfterInvalidation: Promise {
    package static let about = PromiseDescription(
        id: "nothing-after-invalidation",
        clause: "NISessionDelegate session(_:didInvalidateWith:) (Apple)",
        sentence:
            "An invalidated NISession gets no callback, is not run again, and its data is not "
            + "sent any more.",
        keeper: .app,
        kinds: [
            "ni.created", "ni.run", "ni.invalidate", "ni.didStartRunning",
            "ni.didGenerateShareableConfigurationData", "ni.didUpdate", "ni.didRemove",
            "ni.sessionWasSuspended", "ni.sessionSuspensionEnded", "ni.didInvalidate",
            "msg.configureAndStart.sent",
        ])

    private struct Death {
        let event: Citation
        /// Whether the app did it and has not been called back about it.
        var awaitsCallback: Bool
        /// Until when earlier callbacks may still arrive.
        let settled: VirtualTime
    }

    package private(set) var record = Record()
    private let settling: Bound
    private var deaths = BoundedMap<Scene.SessionKey, Death>(capacity: 4_096)

    /// A monitor that lets earlier callbacks arrive for `settling` after the app's `invalidate()`.
    package init(settling: Nanoseconds = .seconds(1)) {
        self.settling = Bound(
            "settling", settling,
            origin: "what was posted to a delegate's queue waits there for its queue delay")
    }

    package var bounds: [Bound] { [settling] }

    package mutating func observe(_ event: TraceEvent, in scene: Scene) {
        if event.kind == "msg.configureAndStart.sent" { return sent(event, scene) }
        guard let key = event.niSession else { return }
        guard let death = deaths[key] else { return bury(key, event) }
        switch event.kind {
        case "ni.created": deaths.removeValue(forKey: key)
        case "ni.invalidate": break
        case "ni.didInvalidate" where death.awaitsCallback:
            deaths.set(
                key, Death(event: Citation(event), awaitsCallback: false, settled: .zero))
        case "ni.run":
            violate(event, death, "the app ran \(name(key)) again", key)
        default:
            guard event.time > death.settled else { return }
            violate(event, death, "\(name(key)) got \(event.kind.dropFirst(3))", key)
        }
    }

    private mutating func bury(_ key: Scene.SessionKey, _ event: TraceEvent) {
        switch event.kind {
        case "ni.didInvalidate":
            deaths.set(
                key, Death(event: Citation(event), awaitsCallback: false, settled: .zero))
        case "ni.invalidate":
            deaths.set(
                key,
                Death(
                    event: Citation(event), awaitsCallback: true,
                    settled: event.time + settling.value))
        default: return
        }
        record.exercise()
    }

    private mutating func sent(_ event: TraceEvent, _ scene: Scene) {
        guard let bytes = event.bytes("shareable"), let key = scene.generated[bytes],
            key.device == event.device, let death = deaths[key]
        else { return }
        if let link = scene.link(event.link),
            link.requests.mayHaveWaited(since: death.event.number, until: event)
        {
            return record.excuse()
        }
        violate(
            event, death,
            "\(event.device) sent the shareable data of \(name(key)) to \(event.peer ?? "?")", key)
    }

    private mutating func violate(
        _ event: TraceEvent, _ death: Death, _ what: String, _ key: Scene.SessionKey
    ) {
        record.violate(
            Violation(
                promise: Self.about.id, device: event.device, time: event.time,
                key: name(key),
                sentence: "At \(event.time.seconds) \(what), although it had been invalidated at "
                    + "\(death.event.time.seconds).",
                events: [death.event, Citation(event)]))
    }

    private func name(_ key: Scene.SessionKey) -> String {
        "NISession \(key.ordinal) of \(key.device)"
    }
}
