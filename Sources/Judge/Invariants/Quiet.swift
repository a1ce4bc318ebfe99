import Basics
package import DeviceLink
package import Monitors
package import Promises
package import Traces

/// Silence follows a stop, a disconnect and a suspension.
///
/// 1. The accessory's radio goes off within the bound after it received `stop`, and after its host was
///    told that the link is gone; a radio that starts for a link that is gone goes off too.
/// 2. Where a session is suspended while the accessory may range for it and the link is up, the app
///    sends `stop` (or begins anew) within the bound.
/// 3. No NISession is held for a link that is gone: within its bound it ends, or the link is there
///    again.
///
/// A radio belongs to the link whose `configureAndStart` carried its session id; one whose link is not
/// known has to be off when the accessory has no link at all.
package struct Quiet: Promise {
    package static let about = PromiseDescription(
        .quiet,
        clause: "R4 3.6.1; sessionWasSuspended (Apple); the vendor's default action on disconnect",
        sentence: "After stop, disconnect or suspension the accessory's radio goes off, and no "
            + "session is held for a link that is gone.",
        keeper: .link)

    package static let kinds: [EventKind] = [
        .msgStopReceived, .msgStopSent, .msgInitializeSent,
        .msgConfigureAndStartSent, .msgAccessoryUwbDidStopReceived,
        .msgMalformedSent,
        .linkDown, .linkUp, .airDisconnected, .uwbStarting, .uwbRefused,
        .uwbStopped,
        .niRun, .niPause, .niInvalidate, .niDidRemove, .niDidInvalidate,
        .niSessionWasSuspended, .niSessionSuspensionEnded,
        .appTerminated, .deviceDied, .deviceFrozen, .deviceThawed,
    ]

    private enum Key: Hashable {
        case radio(Scene.RadioKey, because: String)
        case suspended(Scene.SessionKey, link: Int64)
        case held(Scene.SessionKey, peer: String)
    }

    package private(set) var record = Record()
    private let off: Bound
    private let stop: Bound
    private let hold: Bound
    private var obligations = Obligations<Key>()
    /// NISessions that are pending or running, by the event that made them so.
    private var active: SmallMap<Scene.SessionKey, Citation> = [:]
    /// Links on which the accessory was told to range and not since told to stop; looked up only.
    private var ranging: SmallMap<Int64, Bool> = [:]

    /// A monitor with the time a radio has to go off, an app to stop the accessory, and a session to
    /// end after its link.
    package init(
        off: Nanoseconds = .seconds(2), stop: Nanoseconds = .seconds(2),
        hold: Nanoseconds = .seconds(30)
    ) {
        self.off = Bound(
            "off", off, origin: "the longest stop in published firmware blocks for 2 s (StellaUWB)")
        self.stop = Bound(
            "stop", stop,
            origin: "a test-bench bound: the app stops the accessory in the callback itself")
        self.hold = Bound(
            "hold", hold,
            origin: "a test-bench bound: Apple publishes no removal timeout; all defaults are below"
        )
    }

    package var bounds: [Bound] { [off, stop, hold] }
    package var nextDeadline: VirtualTime { obligations.nextDeadline }
    package var openCount: Int { obligations.count }

    package var openObligations: [OpenObligation] {
        obligations.listed(for: Self.about) { open in
            switch open.key {
            case .radio(let key, let reason):
                ("\(key.device), radio \(key.handle)", "the radio goes off, because \(reason)")
            case .suspended(let key, let link):
                ("\(key.device), link \(link)", "\(key.device) tells the accessory to stop")
            case .held(let key, let peer):
                (
                    "\(key.device) – \(peer), NISession \(key.ordinal)",
                    "the NISession ends, or the link comes back"
                )
            }
        }
    }

    package mutating func observe(_ event: TraceEvent, in scene: Scene) {
        switch event.kind {
        case .niRun, .niPause, .niInvalidate, .niDidRemove, .niDidInvalidate,
            .niSessionWasSuspended, .niSessionSuspensionEnded:
            session(event, in: scene)
        case .uwbStarting, .uwbRefused, .uwbStopped: radio(event, in: scene)
        case .msgStopReceived: stopReceived(event, in: scene)
        case .msgConfigureAndStartSent: if let link = event.link { ranging[link] = true }
        case .msgStopSent, .msgInitializeSent, .msgAccessoryUwbDidStopReceived:
            if let link = event.link { ended(link) }
        case .msgMalformedSent:
            // A stop that a fault has spoilt was a stop when the app wrote it.
            if event.isSpoilt, let link = event.link { ended(link) }
        case .linkDown: linkDown(event, in: scene)
        case .airDisconnected: if let link = event.link { closeSuspended(link) }
        case .linkUp: linkUp(event)
        case .appTerminated: forgetApp(of: event.device)
        default:
            if event.kind == .deviceDied { forgetApp(of: event.device) }
            record.excuse(obligations.follow(event))
        }
    }

    package mutating func expire(before moment: VirtualTime, in scene: Scene) {
        for open in obligations.takeOverdue(before: moment) {
            switch open.key {
            case .radio(let key, let reason): stillOn(open, of: key, because: reason, in: scene)
            case .suspended(let key, let link): notStopped(open, of: key, on: link, in: scene)
            case .held(let key, let peer): stillHeld(open, of: key, for: peer)
            }
        }
    }
}

// The accessory's radio.
extension Quiet {
    private mutating func stopReceived(_ event: TraceEvent, in scene: Scene) {
        guard !event.isSpoilt, let link = event.link else { return }
        for (key, _) in scene.radios(of: event.device, link: link) {
            expectSilence(of: key, because: "it received stop", by: event, in: scene)
        }
    }

    private mutating func linkDown(_ event: TraceEvent, in scene: Scene) {
        guard let number = event.link, let link = scene.link(number) else { return }
        obligations.closeAll { open in
            if case .suspended(_, number) = open.key { return event.device == link.central }
            return false
        }
        if event.device == link.central { return sessionsLostLink(event, in: scene) }
        guard event.role != .appleDevice else { return }
        ranging.removeValue(forKey: number)
        for (key, _) in scene.radios(of: event.device, link: number) {
            expectSilence(of: key, because: "its link was gone", by: event, in: scene)
        }
        guard !scene.hasLink(event.device) else { return }
        for (key, radio) in scene.allRadios(of: event.device) where radio.link == nil {
            expectSilence(of: key, because: "its last link was gone", by: event, in: scene)
        }
    }

    private mutating func radio(_ event: TraceEvent, in scene: Scene) {
        guard let key = event.radio else { return }
        guard event.kind == .uwbStarting else {
            obligations.closeAll { open in
                if case .radio(key, _) = open.key { true } else { false }
            }
            if let link = scene.endedRadio?.link { radioEnded(link, at: event.device, in: scene) }
            return
        }
        guard let number = scene.radio(key)?.link else { return }
        if scene.link(number)?.isUp(at: event.device) != true {
            expectSilence(
                of: key, because: "it started for a link that was gone", by: event, in: scene)
        }
    }

    /// The accessory stopped by itself: the app has nothing to stop.
    private mutating func radioEnded(_ link: Int64, at device: String, in scene: Scene) {
        guard scene.link(link)?.peripheral == device else { return }
        closeSuspended(link)
    }

    private mutating func expectSilence(
        of key: Scene.RadioKey, because reason: String, by event: TraceEvent, in scene: Scene
    ) {
        let isOpen = obligations.open.contains { open in
            if case .radio(key, _) = open.key { true } else { false }
        }
        guard !isOpen else { return }
        record.exercise()
        obligations.open(
            .radio(key, because: reason), by: event, keeper: key.device, within: off.value,
            in: scene)
    }

    private mutating func stillOn(
        _ open: Obligations<Key>.Open, of key: Scene.RadioKey, because reason: String,
        in scene: Scene
    ) {
        let start = scene.radio(key)?.cause
        violate(
            open, key: "\(key.device), radio \(key.handle)",
            saying: "\(key.device)'s radio, asked to range"
                + (start.map { " at \($0.time.seconds)" } ?? "")
                + ", was still on at \(open.deadline.seconds), although \(reason) at "
                + "\(open.cause.time.seconds)",
            citing: (start.map { $0.number < open.cause.number ? [$0] : [] } ?? []) + [open.cause])
    }
}

// The app's sessions.
extension Quiet {
    private mutating func session(_ event: TraceEvent, in scene: Scene) {
        guard let key = event.niSession else { return }
        if event.kind == .niRun {
            // Two Apple devices need no link to range.
            if event["peer-token"] == nil { active[key] = Citation(event) }
            return closeSession(key, isHeldToo: false)
        }
        if event.kind != .niSessionSuspensionEnded { active.removeValue(forKey: key) }
        closeSession(key, isHeldToo: true)
        guard event.kind == .niSessionWasSuspended, let peer = scene.peer(of: key),
            let link = scene.link(of: event.device, to: peer), ranging[link] == true
        else { return }
        record.exercise()
        obligations.open(
            .suspended(key, link: link), by: event, keeper: event.device, within: stop.value,
            in: scene)
    }

    private mutating func closeSession(_ session: Scene.SessionKey, isHeldToo: Bool) {
        obligations.closeAll { open in
            switch open.key {
            case .suspended(session, _): true
            case .held(session, _): isHeldToo
            default: false
            }
        }
    }

    /// The app has done its part on this link.
    private mutating func ended(_ link: Int64) {
        ranging.removeValue(forKey: link)
        closeSuspended(link)
    }

    private mutating func closeSuspended(_ link: Int64) {
        obligations.closeAll { open in
            if case .suspended(_, link) = open.key { true } else { false }
        }
    }

    private mutating func sessionsLostLink(_ event: TraceEvent, in scene: Scene) {
        guard let peer = event.peer, scene.link(of: event.device, to: peer) == nil else { return }
        let sessions = active.keys.filter {
            $0.device == event.device && scene.peer(of: $0) == peer
        }
        for key in sessions.sorted(by: { $0.ordinal < $1.ordinal }) {
            record.exercise()
            obligations.open(
                .held(key, peer: peer), by: event, keeper: event.device, within: hold.value,
                in: scene)
        }
    }

    private mutating func linkUp(_ event: TraceEvent) {
        obligations.closeAll { open in
            guard case .held(_, let peer) = open.key else { return false }
            return open.keeper == event.device && peer == event.peer
        }
    }

    private mutating func forgetApp(of device: String) {
        active.removeAll { $0.key.device == device }
        obligations.closeAll { open in
            if case .radio = open.key { return false }
            return open.keeper == device
        }
    }

    private mutating func notStopped(
        _ open: Obligations<Key>.Open, of key: Scene.SessionKey, on link: Int64, in scene: Scene
    ) {
        // A request without a response yet: the app's stop may wait behind it.
        if scene.link(link)?.requests.isWaiting == true { return record.excuse() }
        let peer = scene.link(link)?.peripheral ?? "the accessory"
        violate(
            open, key: "\(key.device) – \(peer), link \(link)",
            saying: "NISession \(key.ordinal) of \(key.device) was suspended at "
                + "\(open.cause.time.seconds), and by \(open.deadline.seconds) \(key.device) had not "
                + "told \(peer) to stop",
            citing: [open.cause])
    }

    private mutating func stillHeld(
        _ open: Obligations<Key>.Open, of key: Scene.SessionKey, for peer: String
    ) {
        violate(
            open, key: "\(key.device) – \(peer), NISession \(key.ordinal)",
            saying:
                "\(key.device) still held NISession \(key.ordinal) at \(open.deadline.seconds), although "
                + "its link to \(peer) had been gone since \(open.cause.time.seconds)",
            citing: (active[key].map { [$0] } ?? []) + [open.cause])
    }

    private mutating func violate(
        _ open: Obligations<Key>.Open, key: String, saying what: String, citing events: [Citation]
    ) {
        record.violate(
            Violation(
                promise: Self.about.id, device: open.keeper, time: open.deadline, key: key,
                sentence: what + ".", events: events))
    }
}
