import Basics
package import DeviceLink
package import Monitors
package import Promises
package import Traces

/// Once faults have stopped, every wanted session ranges, or ends in an error that is reported.
///
/// A session is wanted from `app.start` until `app.stop`, `app.gaveUp`, an error that no retry cures, or the accessory's
/// own end. Of an app that never tells, deeds are enough: it wants a session from its first `run`, or from the user's
/// start with an accessory that it has ranged with, linked or not, until the user's stop, until it ends the link itself, or
/// pauses or invalidates what ranges over a link that is up. The end of a link that it had asked for before the user's
/// start, or for the user's stop before that, ends nothing that began then. The user ends all wishes with the app; where
/// the system ends it for its memory (jetsam), they wait until it is launched again.
/// While it is wanted and no fault is active, a distance has to be measured
/// within the bound, counted from the wish, from the end of the last fault, from the end of a
/// suspension, from a new link, from the end of somebody else's link to the accessory, or from whatever ended the
/// ranging since then.
///
/// An app that never tells has all that time again when it runs a session once more: it has not given up.
///
/// While the system's dialog of a pairing waits for the user, no time passes.
///
/// Not to blame is: a device that is dead or frozen, whose app is in the background or gone, or whose
/// Bluetooth is off; a suspended session; one that the phone refused because it runs as many as it can; an
/// accessory that serves somebody else on its only link, or whose radio has gone off without a word, as R4 allows it,
/// while the phone's is on, or that advertises while the phone waits for it (they are out of reach); radios that are both
/// on with the same parameters and do not hear one another; a phone whose peer is one that may not range with it, because
/// of an error that no retry cures, or whose user wants no more.
package struct AliveAgain: Promise {
    package static let about = PromiseDescription(
        .aliveAgain,
        clause: "R4 3.6.1",
        sentence: "Once faults have stopped, every wanted session ranges or ends in a reported "
            + "error.",
        keeper: .link)

    private static let faults = EventKind.allCases.filter { $0.family == "fault" }

    package static let kinds: [EventKind] =
        faults + [
            .faultsStopped, .userStart, .userStop, .appStart, .appStop, .appGaveUp, .appTerminated,
            .niRun, .niPause, .niInvalidate, .niDidUpdate, .niDidRemove,
            .niDidInvalidate, .niSessionWasSuspended, .niSessionSuspensionEnded,
            .systemPairing, .systemPaired, .linkUp, .linkDown, .airConnecting, .airDisconnecting,
            .uwbRound, .systemBluetooth,
            .appLaunched,
            .deviceDied, .deviceFrozen, .deviceThawed,
        ]

    struct Pair: Hashable {
        let phone: String
        let accessory: String

        /// The same two from the other end, where the accessory is a phone as well.
        var reversed: Pair { Pair(phone: accessory, accessory: phone) }
    }

    struct Wish {
        /// From what it is known.
        enum Source {
            case told
            /// An app that never tells ran a session, or the user wants one.
            case shown
            /// An app that tells otherwise ran a session: it wants that one and no other.
            case once
        }

        var source: Source
        var since: Citation
        var isSuspended = false
        /// The phone ran as many sessions as it can.
        var isLimited = false
        /// The phone waits for the accessory to advertise.
        var isConnecting = false
        /// Both radios were on with the same parameters and did not hear one another.
        var missed = false
        var wasMeasured = false
    }

    package private(set) var record = Record()
    private let recovery: Bound
    private var wishes: SmallMap<Pair, Wish> = [:]
    /// The phones whose apps tell what they want.
    private var telling: [String] = []
    /// Which accessories a phone has ranged with, or tried to.
    private var partners: [Pair] = []
    /// The links of which the phone's host has asked for the end, and when it did, by the event's number; looked up only.
    private var endsAsked: SmallMap<Int64, UInt64> = [:]
    /// The user's latest stop on each phone; looked up only.
    private var stops: SmallMap<String, Citation> = [:]
    /// How long after a stop an app ends a link for it.
    private static let settling: Nanoseconds = .seconds(1)
    /// The phones whose app the system has ended for its memory.
    private var jetsammed: [String] = []
    /// The phones whose users are asked whether to pair, and with which accessory.
    private var asking: [Pair] = []
    /// Who cannot range with whom, because of an error that no retry cures, or does not want to, until it tries again.
    private var barred: [Pair] = []
    /// Whether a wish has not been fulfilled for the first time.
    private var awaitsFirst = false
    private var obligations = Obligations<Pair>()

    /// A monitor that allows `recovery` for a session to range, and five attempts with an accessory that takes `slowest`
    /// over an answer.
    package init(recovery: Nanoseconds = .seconds(30), slowest: Nanoseconds = 0) {
        // For three seconds an app waits anyhow.
        let longer = slowest - min(slowest, .seconds(3))
        self.recovery = Bound(
            "recovery", (VirtualTime(nanoseconds: recovery) + longer.times(5)).nanoseconds,
            origin:
                "QA1931's longest supervision timeout of 6 s, the reference app's longest pause "
                + "of 8 s, an advertising interval and a handshake, rounded up to ATT's 30 s; five "
                + "times what the topology's answers-within has beyond 3 s comes on top")
    }

    package var bounds: [Bound] { [recovery] }
    package var nextDeadline: VirtualTime { obligations.nextDeadline }
    package var openCount: Int { obligations.count }

    package var openObligations: [OpenObligation] {
        obligations.listed(for: Self.about) { open in
            (
                "\(open.key.phone) – \(open.key.accessory)",
                "a distance is measured, or it is given up"
            )
        }
    }

    package mutating func observe(_ event: TraceEvent, in scene: Scene) {
        switch event.kind {
        case .uwbRound: round(event, in: scene)
        // Most updates tell nothing that is asked.
        case .niDidUpdate where obligations.open.isEmpty && !awaitsFirst: break
        case .faultsStopped: openAll(by: event, in: scene)
        case let kind? where Self.faults.contains(kind):
            if event["ended"] == nil { record.excuse(obligations.closeAll { _ in true }) }
            if kind == .faultCommand { commanded(event) }
        case .appTerminated where jetsammed.contains(event.device): pause(event.device)
        case .appTerminated, .deviceDied: forget(event)
        case .appLaunched:
            jetsammed.removeAll { $0 == event.device }
            openAll(of: event.device, by: event, in: scene)
        case .systemBluetooth: powered(event, in: scene)
        case .airDisconnecting:
            guard let link = event.link, scene.link(link)?.central == event.device else { return }
            // Of two things that a user wants at once an app may hear in one go.
            let stopped = stops[event.device].flatMap {
                event.time < $0.time + Self.settling ? $0.number : nil
            }
            endsAsked[link] = stopped ?? event.number
        case .userStart, .userStop: user(event, in: scene)
        case .deviceFrozen, .deviceThawed: obligations.follow(event)
        default:
            guard let pair = pair(of: event, in: scene) else { return }
            if event.kind == .linkDown { freed(event, in: scene) }
            observe(event, of: pair, in: scene)
            if event.kind == .linkDown, let link = event.link,
                scene.link(link)?.central == event.device
            {
                endsAsked.removeValue(forKey: link)
            }
        }
    }

    /// Who ends the app next: the system, for its memory, or the user.
    private mutating func commanded(_ event: TraceEvent) {
        switch event.text("command") {
        case "jetsam": jetsammed.append(event.device)
        case "terminate": jetsammed.removeAll { $0 == event.device }
        default: break
        }
    }

    private func pair(of event: TraceEvent, in scene: Scene) -> Pair? {
        let peer = event.peer ?? event.niSession.flatMap { scene.peer(of: $0) }
        return peer.map { Pair(phone: event.device, accessory: $0) }
    }

    private mutating func observe(_ event: TraceEvent, of pair: Pair, in scene: Scene) {
        switch event.kind {
        case .appStart:
            if !telling.contains(pair.phone) { telling.append(pair.phone) }
            barred.removeAll { $0 == pair }
            wish(for: pair, Wish(source: .told, since: Citation(event)))
            open(pair, by: event, in: scene)
        case .niRun: run(pair, by: event, in: scene)
        case .niDidUpdate: updated(pair, by: event)
        case .appStop, .appGaveUp: end(pair)
        case .niPause, .niInvalidate:
            // What is put away before it has ranged, or with its link, is only the end of an attempt.
            let isUp = scene.link(of: pair.phone, to: pair.accessory) != nil
            if wishes[pair]?.source == .shown, isUp, !obligations.contains(pair) {
                end(pair)
            } else {
                lost(pair, by: event, in: scene)
            }
        case .niDidRemove:
            if event.text("reason") == "peerEnded" {
                end(pair)
            } else {
                lost(pair, by: event, in: scene)
            }
        case .niDidInvalidate:
            let code = event.number("code") ?? 0
            wishes[pair]?.isLimited = code == -5_885
            if BoundedRetries.incurable.contains(code) {
                bar(pair)
            } else {
                lost(pair, by: event, in: scene)
            }
        case .niSessionWasSuspended:
            wishes[pair]?.isSuspended = true
            record.excuse(obligations.closeAll { $0.key == pair })
        case .niSessionSuspensionEnded:
            wishes[pair]?.isSuspended = false
            open(pair, by: event, in: scene)
        case .linkUp:
            wishes[pair]?.isConnecting = false
            open(pair, by: event, in: scene)
        case .airConnecting: wishes[pair]?.isConnecting = true
        case .systemPairing:
            asking.append(pair)
            obligations.suspend(pair, at: event.time)
        case .systemPaired: answered(pair, at: event.time)
        default:  // link.down
            answered(pair, at: event.time)
            wishes[pair]?.isConnecting = false
            switch wishes[pair]?.source {
            case .told: open(pair, by: event, in: scene)
            case .shown where isEndedByApp(event, of: pair): end(pair)
            case .shown: open(pair, by: event, in: scene)
            case .once, nil: break
            }
        }
    }

    /// Whether the app has ended the link itself, since it wanted the session.
    private func isEndedByApp(_ event: TraceEvent, of pair: Pair) -> Bool {
        guard event.number("reason") == 0x16, let wish = wishes[pair] else { return false }
        let asked = event.link.flatMap { endsAsked[$0] }
        return asked.map { $0 > wish.since.number } ?? true
    }

    /// The user is not asked any more.
    private mutating func answered(_ pair: Pair, at time: VirtualTime) {
        guard asking.contains(pair) else { return }
        asking.removeAll { $0 == pair }
        obligations.resume(pair, at: time)
    }

    /// A phone will not range: nor can a peer that is a phone, too, range with this one.
    private mutating func bar(_ pair: Pair) {
        end(pair)
        if !barred.contains(pair) { barred.append(pair) }
        record.excuse(obligations.closeAll { $0.key == pair.reversed })
    }

    private mutating func wish(for pair: Pair, _ wish: Wish) {
        wishes[pair] = wish
        awaitsFirst = true
    }

    private mutating func run(_ pair: Pair, by event: TraceEvent, in scene: Scene) {
        barred.removeAll { $0 == pair }
        if scene.link(of: pair.phone, to: pair.accessory) != nil, !partners.contains(pair) {
            partners.append(pair)
        }
        if wishes[pair] == nil {
            let isTelling = telling.contains(pair.phone)
            wish(for: pair, Wish(source: isTelling ? .once : .shown, since: Citation(event)))
        }
        wishes[pair]?.isSuspended = false
        wishes[pair]?.isLimited = false
        // Whoever tries once more and cannot tell has not given up.
        if wishes[pair]?.source == .shown, obligations.close(pair) != nil {
            return open(pair, by: event, in: scene)
        }
        if !obligations.contains(pair), wishes[pair]?.wasMeasured == false {
            open(pair, by: event, in: scene)
        }
    }

    /// The ranging ended: who wants it wants it back.
    private mutating func lost(_ pair: Pair, by event: TraceEvent, in scene: Scene) {
        guard let wish = wishes[pair] else { return }
        if wish.source == .once { end(pair) } else { open(pair, by: event, in: scene) }
    }

    /// A user wants something of a phone, or no more of an accessory.
    private mutating func user(_ event: TraceEvent, in scene: Scene) {
        func concerns(_ pair: Pair) -> Bool {
            let (device, peer) = (event.device, event.peer)
            return pair.phone == device && pair.accessory == peer ?? pair.accessory
                || pair.accessory == device && pair.phone == peer ?? pair.phone
        }
        let linked = scene.linkedPeers(of: event.device)
            .map { Pair(phone: event.device, accessory: $0) }
        if event.kind == .userStop {
            stops[event.device] = Citation(event)
            // A phone whose user wants no more is out of reach of one that ranges with it, or is about to.
            for pair in (linked + partners.map(\.reversed)).uniqued
            where pair.phone == event.device && concerns(pair) {
                bar(pair)
            }
            for pair in wishes.keys where concerns(pair) && wishes[pair]?.source == .shown {
                end(pair)
            }
        } else {
            barred.removeAll { $0.phone == event.device && concerns($0) }
            for pair in (linked + partners).uniqued {
                guard concerns(pair), wishes[pair] == nil else { continue }
                wish(for: pair, Wish(source: .shown, since: Citation(event)))
                open(pair, by: event, in: scene)
            }
        }
    }

    private mutating func updated(_ pair: Pair, by event: TraceEvent) {
        guard event.number("distance") != nil else { return }
        if wishes[pair]?.wasMeasured == false {
            wishes[pair]?.wasMeasured = true
            awaitsFirst = wishes.contains { !$0.value.wasMeasured }
        }
        if obligations.close(pair) != nil { record.exercise() }
    }

    private mutating func end(_ pair: Pair) {
        wishes.removeValue(forKey: pair)
        if obligations.close(pair) != nil { record.exercise() }
    }

    private mutating func forget(_ event: TraceEvent) {
        wishes.removeAll { $0.key.phone == event.device }
        if event.kind == .deviceDied { asking.removeAll { $0.phone == event.device } }
        record.excuse(obligations.closeAll { $0.key.phone == event.device })
    }

    /// An accessory that had no link to spare, and so did not advertise, has one: those who waited for it have all
    /// the time again.
    private mutating func freed(_ event: TraceEvent, in scene: Scene) {
        guard scene.devices[event.device]?.isAdvertising != true else { return }
        let waiting = obligations.open.map(\.key).filter { pair in
            pair.accessory == event.device && pair.phone != event.peer
                && scene.link(of: pair.phone, to: pair.accessory) == nil
        }
        for pair in waiting {
            record.excuse(obligations.closeAll { $0.key == pair })
            open(pair, by: event, in: scene)
        }
    }

    /// The system has ended an app: what it wanted waits for its next launch.
    private mutating func pause(_ phone: String) {
        for pair in wishes.keys where pair.phone == phone {
            wishes[pair]?.isConnecting = false
            wishes[pair]?.isSuspended = false
        }
        record.excuse(obligations.closeAll { $0.key.phone == phone })
    }

    /// Bluetooth of a phone goes, and takes pending connections along; or it comes, and all the time begins anew.
    private mutating func powered(_ event: TraceEvent, in scene: Scene) {
        for pair in wishes.keys where pair.phone == event.device {
            wishes[pair]?.isConnecting = false
        }
        guard event.text("power") == "on" else { return }
        record.excuse(obligations.closeAll { $0.key.phone == event.device })
        openAll(of: event.device, by: event, in: scene)
    }

    /// Opens those of a phone, or of all.
    private mutating func openAll(
        of phone: String? = nil, by event: TraceEvent, in scene: Scene
    ) {
        let pairs = wishes.keys.filter { $0.phone == phone ?? $0.phone }.sorted {
            ($0.phone, $0.accessory) < ($1.phone, $1.accessory)
        }
        for pair in pairs { open(pair, by: event, in: scene) }
    }

    private mutating func open(_ pair: Pair, by event: TraceEvent, in scene: Scene) {
        guard let wish = wishes[pair], !wish.isSuspended, !scene.isUnderFault,
            !obligations.contains(pair), !barred.contains(pair), !barred.contains(pair.reversed)
        else { return }
        wishes[pair]?.missed = false
        obligations.open(pair, by: event, keeper: pair.phone, within: recovery.value, in: scene)
        if asking.contains(pair) { obligations.suspend(pair, at: event.time) }
    }

    /// A round that was missed although both radios are on with the same parameters.
    private mutating func round(_ event: TraceEvent, in scene: Scene) {
        guard !obligations.open.isEmpty, event.text("outcome") == "missed",
            let key = event.radio, let mine = scene.radio(key)
        else { return }
        for open in obligations.open where open.key.phone == event.device {
            let isHeard = scene.allRadios(of: open.key.accessory).contains { other in
                other.radio.isOn && other.radio.sessionID == mine.sessionID
                    && other.radio.address == mine.peerAddress
                    && other.radio.peerAddress == mine.address
                    && other.radio.parameters.match(mine.parameters)
            }
            if isHeard { wishes[open.key]?.missed = true }
        }
    }

    package mutating func expire(before moment: VirtualTime, in scene: Scene) {
        for open in obligations.takeOverdue(before: moment) {
            guard let wish = wishes[open.key],
                let (device, why) = blame(for: open.key, wish: wish, in: scene)
            else {
                record.excuse()
                continue
            }
            let (phone, accessory) = (open.key.phone, open.key.accessory)
            record.violate(
                Violation(
                    promise: Self.about.id, device: device, time: open.deadline,
                    key: "\(phone) – \(accessory)",
                    sentence: "\(phone) wanted to range with \(accessory), and no distance was "
                        + "measured from \(open.cause.time.seconds), \(open.cause.kind), to "
                        + "\(open.deadline.seconds): \(why).",
                    events: (wish.since.number < open.cause.number ? [wish.since] : [])
                        + [open.cause]))
        }
    }
}
