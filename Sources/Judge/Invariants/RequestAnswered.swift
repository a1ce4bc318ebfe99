package import Basics
package import DeviceLink
package import Monitors
package import Promises
package import Traces

/// Every request is answered, or the one who waits gives up waiting.
///
/// 1. The accessory answers each `initialize` it received with configuration data, each
///    `configureAndStart` with `accessoryUwbDidStart` or `accessoryUwbDidStop`, each `stop` with
///    `accessoryUwbDidStop`, within the bound. R4 leaves it to the maker which messages there are beside the two with
///    data (3.2): an accessory that has sent configuration data unasked owes none for an `initialize`; one that has
///    never said DidStart or DidStop answers a `stop` by its radio, which goes off, and what it does with
///    `configureAndStart` is a matter of ranging-starts-at-once. `accessoryUwbDidStop` also answers a
///    `configureAndStart` from before, as does configuration data where the radio was already asked
///    to start: a new session has taken the old one's place. Configuration data answers every
///    `initialize` that came before: an app that asks again has given up waiting (2). A wrong answer is
///    an answer, and message-order's matter.
/// 2. The app waits for configuration data no longer than the other bound: then it has sent another
///    request, ended the link, or reported an error.
///
/// An ATT error answers the write that brought a message. While the link is down, also where a host does not know yet,
/// or nobody subscribed to answers, nothing is owed; nor for a message that a fault has spoilt.
package struct RequestAnswered: Promise {
    package static let about = PromiseDescription(
        .requestAnswered,
        clause: "R4 2.3 and 3.6.1",
        sentence: "Every request on a link is answered, or given up by the app that waits for it.",
        keeper: .accessory)

    package static let kinds: [EventKind] = [
        .msgInitializeSent, .msgInitializeReceived,
        .msgConfigureAndStartReceived, .msgStopSent, .msgStopReceived,
        .msgAccessoryConfigurationDataSent, .msgAccessoryConfigurationDataReceived,
        .msgAccessoryUwbDidStartSent, .msgAccessoryUwbDidStopSent, .msgMalformedSent,
        .msgGetReservedSent, .msgSetReservedSent, .msgIOSNotifySent,
        .msgMalformedReceived,
        .uwbStarting, .uwbStopped, .uwbRefused, .linkDown, .airDisconnected, .appGaveUp, .appStop,
        .appTerminated,
        .niDidInvalidate, .niSessionWasSuspended, .gattRefused,
        .deviceDied, .deviceFrozen, .deviceThawed,
    ]

    private enum Request: String, Hashable {
        case initialize, configureAndStart, stop
        /// The app's side of an initialize.
        case waiting
    }

    private struct Key: Hashable {
        let link: Int64
        let request: Request
        let peer: String
    }

    package private(set) var record = Record()
    private let answer: Bound
    /// How long an accessory may take, by its name, where that is known.
    private let answersWithin: SmallMap<String, Nanoseconds>
    private let patience: Bound
    private var obligations = Obligations<Key>()
    /// Links whose accessory asked its radio to start while a request was open; looked up only.
    private var askedRadios: SmallMap<Int64, Bool> = [:]
    /// The handle by which an accessory's latest request came, where its phone knows that from an earlier life alone.
    private var oldHandles: SmallMap<Int64, Int64> = [:]

    /// What the profiles of the reference accessory need, beside their handling of messages: the vendors' firmware
    /// answers in the turn of the request, and the longest wait in published firmware is a stop that blocks for 2 s
    /// (StellaUWB).
    static let firmware: Nanoseconds = .seconds(2)

    /// A monitor that allows each accessory so much time for an answer, and an app `patience` for waiting.
    package init(
        answersWithin: SmallMap<String, Nanoseconds> = [:], patience: Nanoseconds = .seconds(35)
    ) {
        self.answersWithin = answersWithin
        answer = Bound(
            "answer", .seconds(20),
            origin: "R4 gives none, so inferred: five attempts of an app that waits for 3 s each; "
                + "the topology's answers-within takes its place, and for a profile of the "
                + "reference accessory 2 s and what its handling-time adds")
        self.patience = Bound(
            "patience", patience,
            origin: "ATT's transaction timeout of 30 s and 5 s to end the link")
    }

    package var bounds: [Bound] { [answer, patience] }
    package var nextDeadline: VirtualTime { obligations.nextDeadline }
    package var openCount: Int { obligations.count }

    package var openObligations: [OpenObligation] {
        obligations.listed(for: Self.about) { open in
            let isWaiting = open.key.request == .waiting
            return (
                "\(open.keeper) – \(open.key.peer), link \(open.key.link)",
                isWaiting
                    ? "\(open.keeper) gets configuration data, or gives up"
                    : "\(open.keeper) answers \(open.key.request.rawValue)"
            )
        }
    }

    package mutating func observe(_ event: TraceEvent, in scene: Scene) {
        switch event.kind {
        case .deviceDied, .deviceFrozen, .deviceThawed:
            record.excuse(obligations.follow(event))
        case .linkDown:
            record.excuse(
                obligations.closeAll { $0.key.link == event.link && $0.keeper == event.device })
            if let link = event.link { askedRadios.removeValue(forKey: link) }
        case .airDisconnected:
            // A host that does not know yet may answer; it leads nowhere and is not seen.
            record.excuse(obligations.closeAll { $0.key.link == event.link })
        case .appTerminated:
            obligations.closeAll { $0.key.request == .waiting && $0.keeper == event.device }
        case .appGaveUp, .appStop, .niDidInvalidate, .niSessionWasSuspended:
            stopWaiting(event)
        case .gattRefused: refused(event)
        case .uwbStarting: radioAsked(event, in: scene)
        case .uwbStopped, .uwbRefused: radioEnded(event, in: scene)
        default: message(event, in: scene)
        }
    }

    private mutating func message(_ event: TraceEvent, in scene: Scene) {
        guard let link = event.link, let peer = event.peer else { return }
        switch event.kind {
        case .msgInitializeSent:
            endWaiting(on: link, by: event)
            guard !event.isSpoilt, !scene.sendsUnasked(peer) else { return }
            open(.waiting, on: link, with: peer, by: event, within: patience.value, in: scene)
        case .msgStopSent, .msgAccessoryConfigurationDataReceived: endWaiting(on: link, by: event)
        case .msgInitializeReceived:
            received(.initialize, on: link, from: peer, by: event, in: scene)
        case .msgConfigureAndStartReceived:
            received(.configureAndStart, on: link, from: peer, by: event, in: scene)
        case .msgStopReceived: received(.stop, on: link, from: peer, by: event, in: scene)
        case .msgMalformedReceived:
            // A fault made this of a request that may have ended the start.
            guard event.isSpoilt else { return }
            record.excuse(
                obligations.closeAll {
                    $0.key.link == link && $0.key.request == .configureAndStart
                })
        case .msgMalformedSent, .msgGetReservedSent, .msgSetReservedSent,
            .msgIOSNotifySent:
            // What cannot be read was sent all the same; and nobody can tell which answer a fault made this of.
            guard event.isSpoilt else {
                if event.kind == .msgMalformedSent {
                    obligations.close(Key(link: link, request: .initialize, peer: peer))
                }
                return
            }
            record.excuse(
                obligations.closeAll { $0.key.link == link && $0.keeper == event.device })
        default: answered(on: link, by: event)
        }
    }

    private mutating func received(
        _ request: Request, on link: Int64, from peer: String, by event: TraceEvent, in scene: Scene
    ) {
        guard !event.isSpoilt, scene.link(link)?.isSubscribed == true else {
            return record.excuse()
        }
        if owesNothing(event.device, for: request, on: link, in: scene) { return record.excuse() }
        record.exercise()
        if let handle = event.number("old-handle") {
            oldHandles[link] = handle
        } else if !oldHandles.isEmpty {
            oldHandles.removeValue(forKey: link)
        }
        if request == .configureAndStart { askedRadios.removeValue(forKey: link) }
        // Who asks anew has given up waiting, and an accessory may begin anew.
        if request == .initialize {
            obligations.close(Key(link: link, request: request, peer: peer))
        }
        open(
            request, on: link, with: peer, by: event,
            within: answersWithin[event.device] ?? answer.value, in: scene)
    }

    private mutating func open(
        _ request: Request, on link: Int64, with peer: String, by event: TraceEvent,
        within bound: Nanoseconds,
        in scene: Scene
    ) {
        obligations.open(
            Key(link: link, request: request, peer: peer), by: event, keeper: event.device,
            within: bound, in: scene)
    }

    private mutating func answered(on link: Int64, by event: TraceEvent) {
        let peer = event.peer ?? ""
        switch event.kind {
        case .msgAccessoryConfigurationDataSent:
            let answered = Key(link: link, request: .initialize, peer: peer)
            obligations.closeAll { $0.key == answered }
            guard askedRadios.removeValue(forKey: link) != nil else { return }
            obligations.closeAll { $0.key.link == link && $0.key.request == .configureAndStart }
        case .msgAccessoryUwbDidStartSent:
            guard
                obligations.close(Key(link: link, request: .configureAndStart, peer: peer)) == nil
            else { return }
            obligations.close(Key(link: link, request: .stop, peer: peer))
        default:
            obligations.close(Key(link: link, request: .stop, peer: peer))
            obligations.closeAll { $0.key.link == link && $0.key.request == .configureAndStart }
        }
    }

    private mutating func radioAsked(_ event: TraceEvent, in scene: Scene) {
        guard let key = event.radio, let link = scene.radio(key)?.link else { return }
        if obligations.open.contains(where: { $0.key.link == link }) { askedRadios[link] = true }
    }

    /// Whether an accessory owes no answer by the way it speaks.
    private func owesNothing(
        _ accessory: String, for request: Request, on link: Int64, in scene: Scene
    ) -> Bool {
        switch request {
        case .initialize: scene.sendsUnasked(accessory)
        case .stop:
            !scene.acknowledges(accessory) && scene.radios(of: accessory, link: link).isEmpty
        case .configureAndStart, .waiting: false
        }
    }

    /// An ATT error is an answer, and the write that it answers has not reached an application.
    private mutating func refused(_ event: TraceEvent) {
        guard event.text("request") == "write", let peer = event.peer,
            let last = obligations.open.last(where: {
                $0.key.link == event.link && $0.keeper == peer
            })
        else { return }
        obligations.close(last.key)
        record.excuse()
    }

    /// A radio that goes off is the answer of an accessory that does not say so.
    private mutating func radioEnded(_ event: TraceEvent, in scene: Scene) {
        guard !scene.acknowledges(event.device), let link = scene.endedRadio?.link else { return }
        record.excuse(obligations.closeAll { $0.key.link == link && $0.key.request == .stop })
    }

    private mutating func endWaiting(on link: Int64, by event: TraceEvent) {
        obligations.closeAll {
            $0.key.link == link && $0.key.request == .waiting && $0.keeper == event.device
        }
    }

    private mutating func stopWaiting(_ event: TraceEvent) {
        obligations.closeAll {
            $0.key.request == .waiting && $0.keeper == event.device
                && (event.peer == nil || $0.key.peer == event.peer)
        }
    }

    package mutating func expire(before moment: VirtualTime, in scene: Scene) {
        for open in obligations.takeOverdue(before: moment) {
            // It may say DidStart at any time until then.
            if open.key.request == .configureAndStart, !scene.acknowledges(open.keeper) {
                record.excuse()
                continue
            }
            let peer = open.key.peer
            let what =
                open.key.request == .waiting
                ? "\(open.keeper) sent initialize to \(peer) at \(open.cause.time.seconds) and was "
                    + "still waiting for configuration data at \(open.deadline.seconds)"
                : "\(open.keeper) received \(open.key.request.rawValue) from \(peer) at "
                    + "\(open.cause.time.seconds)\(oldHandle(of: open.key)) and had not answered it by "
                    + "\(open.deadline.seconds), although the link was up"
            record.violate(
                Violation(
                    promise: Self.about.id, device: open.keeper, time: open.deadline,
                    key: "\(open.keeper) – \(peer), link \(open.key.link)",
                    sentence: what + ".", events: [open.cause]))
        }
    }

    /// That a request may have gone to another attribute, in words; nothing where it has not.
    private func oldHandle(of key: Key) -> String {
        guard let handle = oldHandles[key.link] else { return "" }
        return
            ", in a write to handle \(handle), which \(key.peer) knows from an earlier life of the accessory "
            + "and where another attribute may stand now,"
    }
}
