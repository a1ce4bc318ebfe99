import Basics
package import DeviceLink
package import Monitors
package import Promises
package import Traces

/// What belongs to one session or link reaches it, and never another.
///
/// 1. The app runs a session with configuration data that came from that session's accessory.
/// 2. The app sends shareable data to the accessory whose configuration data the session was run with.
/// 3. Shareable data is sent to its accessory at all, within the bound, as long as the link is up and
///    neither side has begun anew or ended the session.
/// 4. An accessory starts its radio with the session id that it was sent itself, and with the address
///    of the configuration data it sent on that link.
/// 5. A `stop` on one link ends no ranging of another.
///
/// Session ids and addresses are read only where the data has the public layout; data of another form
/// is compared as a whole.
package struct RoutedRight: Promise {
    package static let about = PromiseDescription(
        .routedRight,
        clause: "R4 3.5.1, 3.5.3 and 4.3.2",
        sentence: "Configuration data, shareable data, session ids, addresses and stops reach the "
            + "session they belong to, and no other.",
        keeper: .link)

    package static let kinds: [EventKind] = [
        .niRun, .msgConfigureAndStartSent, .msgConfigureAndStartReceived,
        .msgAccessoryConfigurationDataSent, .msgInitializeReceived,
        .msgStopReceived, .msgAccessoryUwbDidStopSent, .uwbStarting, .uwbStopped,
        .niDidGenerateShareableConfigurationData, .msgInitializeSent, .msgStopSent,
        .msgMalformedSent, .msgAccessoryUwbDidStopReceived, .linkDown,
        .airDisconnected,
        .niPause,
        .niInvalidate, .niDidInvalidate, .niDidRemove, .niSessionWasSuspended,
        .appStop, .appTerminated, .deviceDied, .deviceFrozen, .deviceThawed,
    ]

    private struct AddressKey: Hashable {
        let accessory: String
        let address: Int64
    }

    private struct Use {
        let link: Int64
        let event: Citation
    }

    private struct Delivery: Hashable {
        let session: Scene.SessionKey
        let peer: String
        let link: Int64
    }

    package private(set) var record = Record()
    private let forwarding: Bound
    private var deliveries = Obligations<Delivery>()
    /// The event with which the app or its accessory last began anew on a link, or ended.
    private var turns = BoundedMap<Int64, UInt64>(capacity: 4_096)
    /// Which accessories the configuration data of a session came from.
    private var origins = BoundedMap<Scene.SessionKey, (sources: [String], run: Citation)>(
        capacity: 4_096)
    /// Who received a session id.
    private var receivers = BoundedMap<Int64, (device: String, event: Citation)>(capacity: 4_096)
    private var accessories: SmallMap<String, Bool> = [:]
    /// The link on which an accessory last announced an address.
    private var addresses = BoundedMap<AddressKey, Use>(capacity: 4_096)
    private var ownAddress = BoundedMap<Int64, Int64>(capacity: 4_096)
    /// Stops that each link's accessory has not answered, and whether it was told to begin anew.
    private var pendingStops = BoundedMap<Int64, Citation>(capacity: 4_096)
    private var reinitialized = BoundedMap<Int64, Citation>(capacity: 4_096)
    /// Radios that went off in the present step.
    private var stopped: [Use] = []
    private var stoppedStep: UInt64 = .max

    /// A monitor that allows `forwarding` for shareable data to leave the phone.
    package init(forwarding: Nanoseconds = .seconds(2)) {
        self.forwarding = Bound(
            "forwarding", forwarding,
            origin: "R4 3.5.1 says without any delay; a test-bench bound for a host whose queue is "
                + "not empty")
    }

    package var bounds: [Bound] { [forwarding] }
    package var nextDeadline: VirtualTime { deliveries.nextDeadline }
    package var openCount: Int { deliveries.count }

    package var openObligations: [OpenObligation] {
        deliveries.listed(for: Self.about) { open in
            (
                "\(open.keeper) – \(open.key.peer), link \(open.key.link)",
                "\(open.keeper) sends the shareable data of NISession \(open.key.session.ordinal)"
            )
        }
    }

    package mutating func observe(_ event: TraceEvent, in scene: Scene) {
        switch event.kind {
        case .niRun: run(event, in: scene)
        case .niDidGenerateShareableConfigurationData: generated(event, in: scene)
        case .msgConfigureAndStartSent:
            if let link = event.link { deliveries.closeAll { $0.key.link == link } }
            sent(event, in: scene)
        case .msgConfigureAndStartReceived: received(event)
        case .msgAccessoryConfigurationDataSent: announced(event)
        case .msgInitializeReceived:
            if let link = event.link { reinitialized.set(link, to: Citation(event)) }
        case .msgStopReceived:
            if let link = event.link { pendingStops.set(link, to: Citation(event)) }
        case .msgAccessoryUwbDidStopSent: stopAnswered(event, in: scene)
        case .uwbStarting: starting(event, in: scene)
        case .uwbStopped: radioOff(event, in: scene)
        default: excuse(event)
        }
    }
}

// The way of shareable data.
extension RoutedRight {
    private mutating func generated(_ event: TraceEvent, in scene: Scene) {
        guard let key = event.niSession, let run = origins[key]?.run,
            let peer = scene.peer(of: key), let link = scene.link(of: event.device, to: peer),
            turns[link].map({ $0 < run.number }) != false
        else { return }
        record.exercise()
        deliveries.open(
            Delivery(session: key, peer: peer, link: link), by: event, keeper: event.device,
            within: forwarding.value, in: scene)
    }

    private mutating func excuse(_ event: TraceEvent) {
        switch event.kind {
        case .msgInitializeSent, .msgStopSent, .msgAccessoryUwbDidStopReceived:
            guard let link = event.link else { return }
            turns.set(link, to: event.number)
            deliveries.closeAll { $0.key.link == link }
        case .msgMalformedSent:
            guard event.isSpoilt else { return }
            deliveries.closeAll { $0.key.link == event.link && $0.keeper == event.device }
        case .linkDown, .airDisconnected: deliveries.closeAll { $0.key.link == event.link }
        case .appStop:
            deliveries.closeAll { $0.key.peer == event.peer && $0.keeper == event.device }
        case .appTerminated: deliveries.closeAll { $0.keeper == event.device }
        case .deviceDied, .deviceFrozen, .deviceThawed: deliveries.follow(event)
        default: deliveries.closeAll { $0.key.session == event.niSession }
        }
    }

    package mutating func expire(before moment: VirtualTime, in scene: Scene) {
        for open in deliveries.takeOverdue(before: moment) {
            // It may wait behind a request that has no response yet.
            if scene.link(open.key.link)?.requests.isWaiting == true {
                record.excuse()
                continue
            }
            let session = open.key.session
            record.violate(
                Violation(
                    promise: Self.about.id, device: open.keeper, time: open.deadline,
                    key: "\(open.keeper) – \(open.key.peer), NISession \(session.ordinal)",
                    sentence: "NISession \(session.ordinal) of \(open.keeper) generated shareable "
                        + "data at \(open.cause.time.seconds), and by \(open.deadline.seconds) it "
                        + "had not been sent to \(open.key.peer).",
                    events: (origins[session].map { [$0.run] } ?? []) + [open.cause]))
        }
    }
}

// The app.
extension RoutedRight {
    private mutating func run(_ event: TraceEvent, in scene: Scene) {
        guard let key = event.niSession, let data = event.bytes("configuration") else { return }
        record.exercise()
        let sources = scene.sources(of: data, at: event.device)
        origins.set(key, to: (sources, Citation(event)))
        guard let peer = event.peer, let source = sources.first, !sources.contains(peer) else {
            return
        }
        violate(
            event, key: "\(event.device) – \(peer), NISession \(key.ordinal)",
            saying:
                "\(event.device) ran NISession \(key.ordinal) for \(peer) with the configuration data "
                + "of \(source)", citing: [])
    }

    private mutating func sent(_ event: TraceEvent, in scene: Scene) {
        guard let data = event.bytes("shareable"), let peer = event.peer,
            let key = scene.generated[data], key.device == event.device
        else { return }
        record.exercise()
        let origin = origins[key]
        let owners =
            origin.flatMap { $0.sources.isEmpty ? nil : $0.sources }
            ?? scene.peer(of: key).map { [$0] } ?? []
        guard let owner = owners.first, !owners.contains(peer) else { return }
        violate(
            event, key: "\(event.device) – \(peer), link \(event.link ?? 0)",
            saying:
                "\(event.device) sent to \(peer) the shareable data of NISession \(key.ordinal), which "
                + "was run with the configuration data of \(owner)",
            citing: origin.map { [$0.run] } ?? [])
    }
}

// The accessory.
extension RoutedRight {
    private mutating func received(_ event: TraceEvent) {
        accessories[event.device] = true
        guard let data = event.bytes("shareable"), let id = Scene.sessionID(in: data) else {
            return
        }
        receivers.set(id, to: (event.device, Citation(event)))
    }

    private mutating func announced(_ event: TraceEvent) {
        accessories[event.device] = true
        guard let data = event.bytes("configuration"), let link = event.link,
            let address = Self.address(in: data)
        else { return }
        let key = AddressKey(accessory: event.device, address: address)
        addresses.set(key, to: Use(link: link, event: Citation(event)))
        ownAddress.set(link, to: address)
    }

    /// The accessory's short address in its configuration data, where it has the public layout.
    private static func address(in data: [UInt8]) -> Int64? {
        guard data.count >= 35, data[15] >= 19 else { return nil }
        return Int64(data[33]) | Int64(data[34]) << 8
    }

    private mutating func starting(_ event: TraceEvent, in scene: Scene) {
        guard accessories[event.device] == true, let key = event.radio,
            let radio = scene.radio(key)
        else { return }
        record.exercise()
        guard let link = radio.link else {
            guard let receiver = receivers[radio.sessionID], receiver.device != event.device
            else { return }
            return violate(
                event, key: "\(event.device), radio \(key.handle)",
                saying:
                    "\(event.device) started its radio with session id \(radio.sessionID), which had "
                    + "been sent to \(receiver.device)", citing: [receiver.event])
        }
        let other = addresses[AddressKey(accessory: event.device, address: radio.address)]
        guard let own = ownAddress[link], own != radio.address, let other, other.link != link
        else { return }
        violate(
            event, key: "\(event.device), link \(link)",
            saying:
                "\(event.device) started its radio for link \(link) with the address it had announced "
                + "on link \(other.link)", citing: [other.event])
    }

    private mutating func radioOff(_ event: TraceEvent, in scene: Scene) {
        if stoppedStep != event.step {
            stopped.removeAll(keepingCapacity: true)
            stoppedStep = event.step
        }
        guard let radio = scene.endedRadio, let link = radio.link,
            scene.link(link)?.isUp(at: event.device) == true, pendingStops[link] == nil,
            reinitialized[link].map({ $0.number < radio.cause.number }) != false
        else { return }
        stopped.append(Use(link: link, event: Citation(event)))
    }

    private mutating func stopAnswered(_ event: TraceEvent, in scene: Scene) {
        guard let link = event.link, let stop = pendingStops[link] else { return }
        pendingStops.removeValue(forKey: link)
        record.exercise()
        guard stoppedStep == event.step else { return }
        for other in stopped where other.link != link && other.event.device == event.device {
            let victim = scene.link(other.link)?.central ?? "link \(other.link)"
            violate(
                event, key: "\(event.device), link \(other.link)",
                saying:
                    "\(event.device) answered the stop of \(event.peer ?? "?") by ending the ranging "
                    + "of \(victim)", citing: [stop, other.event])
        }
    }

    private mutating func violate(
        _ event: TraceEvent, key: String, saying what: String, citing events: [Citation]
    ) {
        record.violate(
            Violation(
                promise: Self.about.id, device: event.device, time: event.time, key: key,
                sentence: "At \(event.time.seconds) \(what).", events: events + [Citation(event)]))
    }
}
