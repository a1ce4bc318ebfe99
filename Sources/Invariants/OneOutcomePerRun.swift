package import DeviceLink
package import Traces

/// Every `run` has exactly one outcome.
///
/// 1. After `run` comes `didStartRunning`, `sessionWasSuspended`, `didInvalidate`, or `didRemove`
///    where the start failed, within the bound. Time in which the user is asked for permission does
///    not count, nor does time in which the device is frozen.
/// 2. `didStartRunning` comes at most once for each `run`.
///
/// Whether `didStartRunning` repeats when a running session is run again is not documented: it may.
package struct OneOutcomePerRun: Promise {
    package static let about = PromiseDescription(
        id: "one-outcome-per-run",
        clause: "NISession.run(_:) and NISessionDelegate (Apple)",
        sentence: "Every run of an NISession has exactly one outcome: it starts, is suspended, is "
            + "removed or is invalidated.",
        keeper: .appleDevice,
        kinds: [
            "ni.created", "ni.run", "ni.pause", "ni.invalidate", "ni.didStartRunning",
            "ni.didRemove", "ni.sessionWasSuspended", "ni.didInvalidate", "system.prompt",
            "system.permission", "app.terminated", "device.died", "device.frozen",
            "device.thawed",
        ])

    private struct Session {
        /// How many `didStartRunning` may still come.
        var starts = 0
        /// Whether it has started and not ended since.
        var isRunning = false
        var lastRun: Citation
        var lastStart: Citation?
    }

    package private(set) var record = Record()
    private let outcome: Bound
    private var sessions: [Scene.SessionKey: Session] = [:]
    private var obligations = Obligations<Scene.SessionKey>()
    /// Devices whose user is being asked; looked up only.
    private var asking: [String: Bool] = [:]

    /// A monitor that waits for an outcome for `outcome`.
    package init(outcome: Nanoseconds = .seconds(10)) {
        self.outcome = Bound(
            "outcome", outcome,
            origin: "a test-bench bound: Apple says that a session starts or is suspended at once")
    }

    package var bounds: [Bound] { [outcome] }
    package var nextDeadline: VirtualTime { obligations.nextDeadline }
    package var openCount: Int { obligations.count }

    package mutating func observe(_ event: TraceEvent, in scene: Scene) {
        switch event.kind {
        case "device.frozen", "device.thawed": obligations.follow(event)
        case "device.died", "app.terminated": forget(event.device)
        case "system.prompt": asking[event.device] = true
        case "system.permission":
            asking[event.device] = false
            restart(event, scene)
        default:
            if let key = event.niSession { observe(event, key, scene) }
        }
    }

    private mutating func observe(
        _ event: TraceEvent, _ key: Scene.SessionKey, _ scene: Scene
    ) {
        switch event.kind {
        case "ni.created": sessions.removeValue(forKey: key)
        case "ni.run": run(event, key, scene)
        case "ni.didStartRunning": start(event, key)
        case "ni.didRemove":
            // It may belong to the run before: it ends the wait but forbids no start.
            obligations.close(key)
            sessions[key]?.isRunning = false
        case "ni.pause":
            obligations.close(key)
            sessions[key]?.isRunning = false
        case "ni.sessionWasSuspended":
            obligations.close(key)
            sessions[key]?.isRunning = false
            sessions[key]?.starts = 0
        default:
            obligations.close(key)
            sessions.removeValue(forKey: key)
        }
    }

    private mutating func run(_ event: TraceEvent, _ key: Scene.SessionKey, _ scene: Scene) {
        record.exercise()
        var session = sessions[key] ?? Session(lastRun: Citation(event))
        session.starts += 1
        session.lastRun = Citation(event)
        sessions[key] = session
        guard !session.isRunning, !obligations.contains(key) else { return }
        obligations.open(key, by: event, keeper: event.device, within: outcome.value, in: scene)
    }

    private mutating func start(_ event: TraceEvent, _ key: Scene.SessionKey) {
        guard var session = sessions[key] else { return }
        obligations.close(key)
        defer { sessions[key] = session }
        session.isRunning = true
        guard session.starts == 0 else {
            session.starts -= 1
            session.lastStart = Citation(event)
            return
        }
        let run = session.lastRun
        record.violate(
            Violation(
                promise: Self.about.id, device: event.device, time: event.time, key: name(key),
                sentence: "\(name(key)) was run at \(run.time.seconds), had its outcome"
                    + (session.lastStart.map { " at \($0.time.seconds)" } ?? "")
                    + ", and got didStartRunning once more at \(event.time.seconds).",
                events: [run] + (session.lastStart.map { [$0] } ?? []) + [Citation(event)]))
    }

    /// The user has answered: sessions that waited for it have all their time again.
    private mutating func restart(_ event: TraceEvent, _ scene: Scene) {
        let waiting = obligations.open.filter { $0.keeper == event.device }
        obligations.closeAll { $0.keeper == event.device }
        for open in waiting {
            obligations.open(
                open.key, by: event, keeper: event.device, within: outcome.value, in: scene)
        }
        if scene.isClosing { record.excuse(waiting.count) }
    }

    private mutating func forget(_ device: String) {
        asking[device] = false
        sessions = sessions.filter { $0.key.device != device }
        record.excuse(obligations.closeAll { $0.keeper == device })
    }

    package mutating func expire(before moment: VirtualTime, in scene: Scene) {
        for open in obligations.takeOverdue(before: moment) {
            guard asking[open.keeper] != true, let run = sessions[open.key]?.lastRun else {
                record.excuse()
                continue
            }
            record.violate(
                Violation(
                    promise: Self.about.id, device: open.keeper, time: open.deadline,
                    key: name(open.key),
                    sentence: "\(name(open.key)) was run at \(run.time.seconds) and had no "
                        + "outcome by \(open.deadline.seconds).",
                    events: [run]))
        }
    }

    private func name(_ key: Scene.SessionKey) -> String {
        "NISession \(key.ordinal) of \(key.device)"
    }
}
