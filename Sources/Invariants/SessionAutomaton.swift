package import DeviceLink
package import Traces

/// Every NISession follows the automaton of its life cycle.
///
///     idle, removed, paused, suspendEnded --run--> pending
///     pending --didStartRunning--> running      pending, running --sessionWasSuspended--> suspended
///     pending, running --didRemove--> removed   suspended --sessionSuspensionEnded--> suspendEnded
///     running --run--> running, with a start still to come     any --didInvalidate--> invalid
///
/// 1. Updates come in running only, shareable data in pending and running.
/// 2. A suspension ends once, and only `run` leads out of it: it is no error to wait.
/// 3. The app does not run a suspended session.
///
/// Not its matter: how often `didStartRunning` comes (one-outcome-per-run), and what follows an
/// invalidation (nothing-after-invalidation). What was posted to the delegate's queue before the app
/// called `run` or `pause` may still arrive for a moment afterwards.
package struct SessionAutomaton: Promise {
    package static let about = PromiseDescription(
        id: "session-automaton",
        clause: "NISessionDelegate (Apple, Initiating and maintaining a session)",
        sentence: "Every NISession goes through its states in the documented order.",
        keeper: .appleDevice,
        kinds: [
            "ni.created", "ni.run", "ni.pause", "ni.invalidate", "ni.didStartRunning",
            "ni.didGenerateShareableConfigurationData", "ni.didUpdate", "ni.didRemove",
            "ni.sessionWasSuspended", "ni.sessionSuspensionEnded", "ni.didInvalidate",
            "app.terminated", "device.died",
        ])

    private enum Phase: String {
        case idle, pending, running
        case suspended, suspendEnded = "a suspension that has ended"
        case removed, paused
    }

    private struct Session {
        var phase: Phase
        /// The event that led here.
        var since: Citation
        /// Callbacks of the phase before may still arrive until then.
        var settled: VirtualTime = .zero
    }

    package private(set) var record = Record()
    private let settling: Bound
    private var sessions: [Scene.SessionKey: Session] = [:]

    /// A monitor that lets callbacks of an earlier phase arrive for `settling` after the app acted.
    package init(settling: Nanoseconds = .seconds(1)) {
        self.settling = Bound(
            "settling", settling,
            origin: "what was posted to a delegate's queue waits there for its queue delay")
    }

    package var bounds: [Bound] { [settling] }

    package mutating func observe(_ event: TraceEvent, in scene: Scene) {
        guard let key = event.niSession else {
            sessions = sessions.filter { $0.key.device != event.device }
            return
        }
        switch event.kind {
        case "ni.created":
            sessions[key] = Session(phase: .idle, since: Citation(event))
        case "ni.run": run(key, event, scene)
        case "ni.pause": move(key, to: .paused, by: event, settling: settling.value)
        case "ni.invalidate", "ni.didInvalidate": sessions.removeValue(forKey: key)
        default: callback(key, event, scene)
        }
    }

    private mutating func run(_ key: Scene.SessionKey, _ event: TraceEvent, _ scene: Scene) {
        record.exercise()
        guard let session = sessions[key] else {
            sessions[key] = Session(phase: .pending, since: Citation(event))
            return
        }
        switch session.phase {
        case .suspended:
            violate(event, session, "the app ran it", scene)
            move(key, to: .pending, by: event)
        case .running: move(key, to: .running, by: event, settling: settling.value)
        case .pending: move(key, to: .pending, by: event, settling: settling.value)
        case .idle, .suspendEnded, .removed, .paused: move(key, to: .pending, by: event)
        }
    }

    private mutating func callback(_ key: Scene.SessionKey, _ event: TraceEvent, _ scene: Scene) {
        // An invalid session is gone from the table: what follows is another promise's matter.
        guard let session = sessions[key] else { return }
        record.exercise()
        let name = String(event.kind.dropFirst(3))
        if let next = Self.next(after: session.phase, name) {
            move(key, to: next, by: event)
        } else if event.time <= session.settled && session.phase != .idle {
            if name == "didStartRunning" { move(key, to: .running, by: event) }
        } else {
            violate(event, session, "it got \(name)", scene)
            if let next = Self.target(of: name) { move(key, to: next, by: event) }
        }
    }

    /// The phase a callback leads to; nil where it is not allowed.
    private static func next(after phase: Phase, _ callback: String) -> Phase? {
        switch (phase, callback) {
        case (.pending, "didStartRunning"), (.running, "didStartRunning"), (.running, "didUpdate"):
            .running
        case (.pending, "didGenerateShareableConfigurationData"),
            (.running, "didGenerateShareableConfigurationData"):
            phase
        case (.pending, "didRemove"), (.running, "didRemove"): .removed
        case (.pending, "sessionWasSuspended"), (.running, "sessionWasSuspended"),
            (.suspendEnded, "sessionWasSuspended"):
            .suspended
        case (.suspended, "sessionSuspensionEnded"): .suspendEnded
        default: nil
        }
    }

    /// Where a callback leads whatever was before; nil where it changes nothing.
    private static func target(of callback: String) -> Phase? {
        switch callback {
        case "didRemove": .removed
        case "sessionWasSuspended": .suspended
        case "sessionSuspensionEnded": .suspendEnded
        default: nil
        }
    }

    private mutating func move(
        _ key: Scene.SessionKey, to phase: Phase, by event: TraceEvent,
        settling: Nanoseconds? = nil
    ) {
        let before = sessions[key]
        if before?.phase == phase && settling == nil { return }
        sessions[key] = Session(
            phase: phase, since: Citation(event),
            settled: settling.map { event.time + $0 } ?? before?.settled ?? .zero)
    }

    private mutating func violate(
        _ event: TraceEvent, _ session: Session, _ what: String, _ scene: Scene
    ) {
        let number = event.number("ni-session") ?? 0
        record.violate(
            Violation(
                promise: Self.about.id, device: event.device, time: event.time,
                key: "\(event.device), NISession \(number)",
                sentence: "At \(event.time.seconds) \(what), NISession \(number) of "
                    + "\(event.device), although it has been \(session.phase.rawValue) since "
                    + "\(session.since.time.seconds).",
                events: [session.since, Citation(event)]))
    }
}
